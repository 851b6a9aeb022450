// SPDX-License-Identifier: Apache-2.0
package io.packing.it.style;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A source file as the rules see it.
 *
 * @param module the folder of its module, such as {@code base/options}
 * @param path within the repository
 * @param main whether it is no test
 * @param text the file's text
 * @param code the text with blanks for comments, and nothing in texts and characters; lines keep their numbers
 */
record JavaSource(String module, String path, boolean main, String text, String code) {
    /** The comments, text blocks, strings and characters: the one that begins first hides the others. */
    private static final Pattern NO_CODE = Pattern.compile(
            "//[^\n]*|/\\*.*?\\*/" + "|\"\"\".*?(?<!\\\\)\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])+'",
            Pattern.DOTALL);

    private static final String LICENCE = "// SPDX-License-Identifier:";

    static JavaSource of(String module, String path, String text) {
        return new JavaSource(module, path, path.contains("src/main/"), text, code(text));
    }

    private static String code(String text) {
        Matcher matcher = NO_CODE.matcher(text);
        StringBuilder code = new StringBuilder();
        while (matcher.find()) {
            String found = matcher.group();
            String lines =
                    "\n".repeat((int) found.chars().filter(c -> c == '\n').count());
            String instead = found.startsWith("/") ? " " + lines : found.startsWith("'") ? "' '" : "\"" + lines + "\"";
            matcher.appendReplacement(code, Matcher.quoteReplacement(instead));
        }
        return matcher.appendTail(code).toString();
    }

    /** Returns the name of the type that the file is named after. */
    String type() {
        return path.substring(path.lastIndexOf('/') + 1).replace(".java", "");
    }

    /** Returns the number of lines, without that of the licence. */
    int lines() {
        return (int) text.lines().filter(line -> !line.startsWith(LICENCE)).count();
    }

    /** Returns the place of an offset of the code, for a reader. */
    String at(int offset) {
        return "%s:%d"
                .formatted(
                        path,
                        1
                                + code.substring(0, offset)
                                        .chars()
                                        .filter(c -> c == '\n')
                                        .count());
    }
}
