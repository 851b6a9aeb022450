// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

/**
 * The result of a system call.
 *
 * @param known whether the backend reports a value
 * @param value the number; an address for mappings
 * @param descriptor file of the returned descriptor
 * @param error the kernel's name of the error, or empty
 */
record CallResult(boolean known, long value, DescriptorName descriptor, String error) {
    static final CallResult UNKNOWN = new CallResult(false, 0, DescriptorName.UNKNOWN, "");

    boolean failed() {
        return !error.isEmpty();
    }

    boolean succeeded() {
        return known && error.isEmpty();
    }

    /** Parses the text behind the equals sign, without the duration. */
    static CallResult of(String text) {
        if (text.isEmpty() || text.startsWith("<")) {
            return UNKNOWN;
        }
        int end = 0;
        while (end < text.length() && text.charAt(end) != ' ' && text.charAt(end) != '<') {
            end++;
        }
        String number = text.substring(0, end);
        String rest = text.substring(end).strip();
        if (number.equals("?")) {
            return rest.startsWith("E") ? new CallResult(false, 0, DescriptorName.UNKNOWN, firstWord(rest)) : UNKNOWN;
        }
        long value = StraceNumbers.parse(number);
        if (value == -1 && rest.startsWith("E")) {
            return new CallResult(true, value, DescriptorName.UNKNOWN, firstWord(rest));
        }
        return new CallResult(true, value, DescriptorName.behind(text, end), "");
    }

    private static String firstWord(String text) {
        int space = text.indexOf(' ');
        return space < 0 ? text : text.substring(0, space);
    }
}
