package io.packing.trace.syscalls;

/**
 * What a backend says that a descriptor refers to.
 *
 * @param text a path, or the kernel's name of what is no file, such as {@code pipe:[123]}; empty when nothing was said
 * @param deleted whether the file has no name any more
 */
record DescriptorName(String text, boolean deleted) {
    static final DescriptorName UNKNOWN = new DescriptorName("", false);

    private static final String DELETED = " (deleted)";
    private static final String MEMORY_FILE = "/memfd:";

    boolean isKnown() {
        return !text.isEmpty();
    }

    /** Whether it is in a file system. */
    boolean isFile() {
        return text.startsWith("/") && !text.startsWith(MEMORY_FILE);
    }

    /** What it is when it is no file: {@code pipe}, {@code socket}, {@code anon_inode} and the like. */
    String kind() {
        if (text.startsWith(MEMORY_FILE)) {
            return "memfd";
        }
        int colon = text.indexOf(':');
        return colon > 0 ? text.substring(0, colon) : "unknown";
    }

    /** The name in angle brackets at {@code at}, as strace's {@code -y} and {@code -yy} print it. */
    static DescriptorName behind(String text, int at) {
        if (at >= text.length() || text.charAt(at) != '<') {
            return UNKNOWN;
        }
        int end = StraceText.endOfBrackets(text, at);
        if (end < 0) {
            return UNKNOWN;
        }
        String inside = text.substring(at + 1, end);
        // -yy says of devices which they are: </dev/null<char 1:3>>.
        int device = inside.indexOf('<');
        String name = StraceText.unescape(device < 0 ? inside : inside.substring(0, device));
        boolean deleted = text.startsWith("(deleted)", end + 1);
        if (name.endsWith(DELETED)) {
            return new DescriptorName(name.substring(0, name.length() - DELETED.length()), true);
        }
        return new DescriptorName(name, deleted);
    }
}
