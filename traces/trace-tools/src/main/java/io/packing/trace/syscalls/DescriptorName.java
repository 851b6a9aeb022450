// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

/**
 * A backend's name for the target of a descriptor.
 *
 * @param text a path, or the kernel's name of another target, such as {@code pipe:[123]}; empty if unknown
 * @param deleted whether the file has lost its last name
 */
record DescriptorName(String text, boolean deleted) {
    static final DescriptorName UNKNOWN = new DescriptorName("", false);

    private static final String DELETED = " (deleted)";
    private static final String MEMORY_FILE = "/memfd:";

    boolean isKnown() {
        return !text.isEmpty();
    }

    /** Returns whether the target is in a file system. */
    boolean isFile() {
        return text.startsWith("/") && !text.startsWith(MEMORY_FILE);
    }

    /**
     * Returns the kind of a target that is no file: {@code pipe}, {@code socket}, {@code anon_inode} or another one.
     */
    String kind() {
        if (text.startsWith(MEMORY_FILE)) {
            return "memfd";
        }
        int colon = text.indexOf(':');
        return colon > 0 ? text.substring(0, colon) : "unknown";
    }

    /** Parses the name in angle brackets at {@code at}, as strace's {@code -y} and {@code -yy} print it. */
    static DescriptorName behind(String text, int at) {
        if (at >= text.length() || text.charAt(at) != '<') {
            return UNKNOWN;
        }
        int end = StraceText.endOfBrackets(text, at);
        if (end < 0) {
            return UNKNOWN;
        }
        String inside = text.substring(at + 1, end);
        // -yy prints the numbers of devices, too: </dev/null<char 1:3>>.
        int device = inside.indexOf('<');
        String name = StraceText.unescape(device < 0 ? inside : inside.substring(0, device));
        boolean deleted = text.startsWith("(deleted)", end + 1);
        if (name.endsWith(DELETED)) {
            return new DescriptorName(name.substring(0, name.length() - DELETED.length()), true);
        }
        return new DescriptorName(name, deleted);
    }
}
