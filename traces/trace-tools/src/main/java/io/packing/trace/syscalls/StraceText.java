// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import java.util.ArrayList;
import java.util.List;

/**
 * The grammar below a line of strace: quotes, brackets, names behind descriptors. Lines are read as ISO 8859-1, so that
 * a character is a byte.
 */
final class StraceText {
    private StraceText() {}

    /** Returns the index of the bracket that closes the one at {@code at}; -1 without one. */
    static int endOfBrackets(String text, int at) {
        int depth = 0;
        int i = at;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c == '<') {
                depth++;
            } else if (c == '>' && text.charAt(i - 1) != '-') {
                // "->" stands between the ends of a connection; a ">" in a name is escaped.
                depth--;
                if (depth == 0) {
                    return i;
                }
            }
            i += c == '\\' ? 2 : 1;
        }
        return -1;
    }

    /** Returns the index of the quote that closes the one at {@code at}; -1 without one. */
    static int endOfQuotes(String text, int at) {
        int i = at + 1;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c == '"') {
                return i;
            }
            i += c == '\\' ? 2 : 1;
        }
        return -1;
    }

    /** Returns whether an angle bracket at {@code at} opens the name of a descriptor, and is no shift or arrow. */
    private static boolean opensName(String text, int at) {
        if (at == 0 || text.startsWith("<<", at) || text.charAt(at - 1) == '<') {
            return false;
        }
        char before = text.charAt(at - 1);
        return Character.isDigit(before) || text.startsWith("AT_FDCWD", at - "AT_FDCWD".length());
    }

    /**
     * Splits the arguments between parentheses.
     *
     * @param from index after the opening one
     * @param arguments receives them
     * @return index of the closing one; -1 if the text ends before it
     */
    static int split(String text, int from, List<String> arguments) {
        int depth = 0;
        int start = from;
        int i = from;
        while (i >= from && i < text.length()) {
            char c = text.charAt(i);
            if (c == '(' || c == '[' || c == '{') {
                depth++;
            } else if (c == ')' && depth == 0) {
                add(arguments, text, start, i);
                return i;
            } else if (c == ')' || c == ']' || c == '}') {
                depth--;
            } else if (c == ',' && depth == 0) {
                add(arguments, text, start, i);
                start = i + 1;
            }
            i = end(text, i, c) + 1;
        }
        return -1;
    }

    /** Returns the end of the quotes, name, comment or character at {@code at}; a negative number without an end. */
    private static int end(String text, int at, char c) {
        if (c == '"') {
            return noneAsNegative(endOfQuotes(text, at));
        }
        if (c == '<' && opensName(text, at)) {
            return noneAsNegative(endOfBrackets(text, at));
        }
        if (c == '/' && text.startsWith("/* ", at)) {
            int end = text.indexOf("*/", at);
            return end < 0 ? Integer.MIN_VALUE : end + 1;
        }
        return at;
    }

    private static int noneAsNegative(int end) {
        return end < 0 ? Integer.MIN_VALUE : end;
    }

    private static void add(List<String> arguments, String text, int start, int end) {
        String argument = text.substring(start, end).strip();
        if (!argument.isEmpty() || !arguments.isEmpty()) {
            arguments.add(argument);
        }
    }

    /** Returns the arguments of a call that did not return, as far as strace printed them. */
    static List<String> splitUnfinished(String text, int from) {
        List<String> arguments = new ArrayList<>();
        split(text + ")", from, arguments);
        return arguments;
    }

    /** Decodes a path that strace printed, with its escapes of either kind. */
    static String unescape(String text) {
        byte[] bytes = new byte[text.length()];
        int length = 0;
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i++);
            if (c != '\\' || i == text.length()) {
                bytes[length++] = (byte) c;
                continue;
            }
            char kind = text.charAt(i);
            if (kind == 'x') {
                int end = i + 1;
                while (end < text.length() && end < i + 3 && Character.digit(text.charAt(end), 16) >= 0) {
                    end++;
                }
                bytes[length++] = end == i + 1 ? (byte) 'x' : (byte) Integer.parseInt(text, i + 1, end, 16);
                i = end;
            } else if (kind >= '0' && kind <= '7') {
                int end = i;
                while (end < text.length() && end < i + 3 && Character.digit(text.charAt(end), 8) >= 0) {
                    end++;
                }
                bytes[length++] = (byte) Integer.parseInt(text, i, end, 8);
                i = end;
            } else {
                bytes[length++] = (byte) control(kind);
                i++;
            }
        }
        return PathText.of(bytes, length);
    }

    private static char control(char letter) {
        return switch (letter) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'v' -> '\u000b';
            case 'f' -> '\f';
            default -> letter;
        };
    }
}
