// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

/** Numbers as strace prints them: decimal, octal with a leading 0, hexadecimal with 0x. */
final class StraceNumbers {
    private StraceNumbers() {}

    /** @throws NumberFormatException if the text is no number */
    static long parse(String text) {
        if (text.startsWith("0x")) {
            return Long.parseUnsignedLong(text, 2, text.length(), 16);
        }
        if (text.length() > 1 && text.charAt(0) == '0') {
            return Long.parseLong(text, 8);
        }
        return text.startsWith("-") || text.length() < 19 ? Long.parseLong(text) : Long.parseUnsignedLong(text);
    }

    /** Returns the number at the beginning of {@code text}, or {@code otherwise}. */
    static long leading(String text, long otherwise) {
        int end = text.startsWith("-") ? 1 : 0;
        boolean hex = text.startsWith("0x");
        if (hex) {
            end = 2;
        }
        while (end < text.length() && Character.digit(text.charAt(end), hex ? 16 : 10) >= 0) {
            end++;
        }
        try {
            return parse(text.substring(0, end));
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }
}
