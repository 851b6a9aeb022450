// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

import java.util.ArrayList;
import java.util.List;

/** The commands of a block, parsed as far as a test needs: words, quotes, comments, continued lines. */
final class ShellLines {
    private ShellLines() {}

    /** Returns the words of each command; a {@code |}, {@code ;} or {@code &} begins a new one. */
    static List<List<String>> commands(String text) {
        List<List<String>> commands = new ArrayList<>();
        for (String line : text.replaceAll("\\\\\n\\s*", " ").lines().toList()) {
            List<String> words = new ArrayList<>();
            for (String word : words(line)) {
                if (word.matches("\\|\\|?|;|&&?")) {
                    add(words, commands);
                    words = new ArrayList<>();
                } else {
                    words.add(word);
                }
            }
            add(words, commands);
        }
        return commands;
    }

    private static void add(List<String> words, List<List<String>> commands) {
        int redirected = 0;
        while (redirected < words.size() && !words.get(redirected).matches("[12]?>>?.*|<.*")) {
            redirected++;
        }
        if (redirected > 0) {
            commands.add(List.copyOf(words.subList(0, redirected)));
        }
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean open = false;
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (c == '\'' || c == '"') {
                quote = c;
                open = true;
            } else if (c == '#' && !open) {
                break;
            } else if (Character.isWhitespace(c)) {
                if (open) {
                    words.add(word.toString());
                }
                word.setLength(0);
                open = false;
            } else {
                word.append(c);
                open = true;
            }
        }
        if (open) {
            words.add(word.toString());
        }
        return words;
    }
}
