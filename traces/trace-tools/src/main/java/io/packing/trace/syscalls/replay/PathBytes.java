// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls.replay;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of files from the texts of a trace. A control character or a backslash that a trace writes as {@code \xHH}
 * becomes that character. Bytes that are not UTF-8 stay escaped, since Java has no name for them.
 */
final class PathBytes {
    private static final Pattern ESCAPED = Pattern.compile("\\\\x([0-9a-f]{2})");
    private static final int HEX = 16;
    private static final int FIRST_BEYOND_ASCII = 0x80;

    private PathBytes() {}

    static String name(String text) {
        if (text.indexOf('\\') < 0) {
            return text;
        }
        return ESCAPED.matcher(text).replaceAll(found -> Matcher.quoteReplacement(character(found.group(1))));
    }

    private static String character(String digits) {
        int value = Integer.parseInt(digits, HEX);
        boolean stays = value == 0 || value == '/' || value >= FIRST_BEYOND_ASCII;
        return stays ? "\\x" + digits : String.valueOf((char) value);
    }
}
