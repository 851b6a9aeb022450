package io.packing.trace.syscalls;

import java.util.ArrayList;
import java.util.List;

/**
 * The grammar below a line of strace: quotes, brackets, names behind descriptors. Lines are read as ISO 8859-1, so that a
 * character is a byte.
 */
final class StraceText {
    private StraceText() {}

    /** Where the angle brackets that open at {@code at} close; -1 when they do not. */
    static int endOfBrackets(String text, int at) {
        int depth = 0;
        int i = at;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c == '<') {
                depth++;
            } else if (c == '>' && text.charAt(i - 1) != '-') {
                // "->" stands between the ends of a connection; in names a ">" is escaped.
                depth--;
                if (depth == 0) {
                    return i;
                }
            }
            i += c == '\\' ? 2 : 1;
        }
        return -1;
    }

    /** Where the quotes that open at {@code at} close; -1 when they do not. */
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

    /** Whether an angle bracket at {@code at} opens the name of a descriptor, and is no shift or arrow. */
    private static boolean opensName(String text, int at) {
        if (at == 0 || text.startsWith("<<", at) || text.charAt(at - 1) == '<') {
            return false;
        }
        char before = text.charAt(at - 1);
        return Character.isDigit(before) || text.startsWith("AT_FDCWD", at - "AT_FDCWD".length());
    }

    /**
     * Splits what is between parentheses.
     *
     * @param from behind the opening one
     * @param arguments gets them
     * @return where the closing one is; -1 when the text ends before
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

    /** Where what begins at {@code at} ends: quotes, a name or a comment as a whole; a negative number for no end. */
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

    /** The arguments of a call that did not return, as far as it told them. */
    static List<String> splitUnfinished(String text, int from) {
        List<String> arguments = new ArrayList<>();
        split(text + ")", from, arguments);
        return arguments;
    }

    /** The text of a path that strace printed, with its escapes of either kind. */
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
