// SPDX-License-Identifier: Apache-2.0
package io.packing.it.style;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A sentence of a comment or of a page.
 *
 * @param line the line on which its paragraph begins, from 1
 * @param text the words, without marks of Javadoc
 * @param head true: the first sentence of a Javadoc
 */
record Sentence(int line, String text, boolean head) {
    private static final Pattern BREAK = Pattern.compile("(?<=[.!?])\\s+");
    private static final Pattern ITEM = Pattern.compile("([-*]|\\d+\\.) .*");

    /** Returns the sentences of a source's comments. */
    static List<Sentence> ofJava(String source) {
        List<Sentence> sentences = new ArrayList<>();
        List<String> lines = source.lines().map(String::strip).toList();
        for (int at = 0; at < lines.size(); at++) {
            int first = at;
            List<String> body = new ArrayList<>();
            if (lines.get(at).startsWith("/**")) {
                while (at < lines.size() - 1 && !lines.get(at).contains("*/")) {
                    body.add(lines.get(at++));
                }
                body.add(lines.get(at));
                add(sentences, first + 1, javadoc(body), true);
            } else if (lines.get(at).startsWith("//")) {
                while (at < lines.size() && lines.get(at).startsWith("//")) {
                    body.add(lines.get(at++).substring(2).strip());
                }
                at--;
                add(sentences, first + 1, String.join(" ", body), false);
            }
        }
        return sentences;
    }

    private static String javadoc(List<String> lines) {
        StringBuilder text = new StringBuilder();
        lines.forEach(
                line -> text.append(line.replaceFirst("^(/\\*\\*|\\*/|\\*)", "").replace("*/", ""))
                        .append(' '));
        return text.toString()
                .replaceAll("\\{@\\w+ ([^}]*)}", "$1")
                // Tables of bytes and states are no sentences.
                .replaceAll("<pre>.*?</pre>", " ")
                .replaceAll("<[^>]+>", " ")
                .split("@(?:param|return|throws|see)\\b", 2)[0];
    }

    /** Returns the sentences of a page: of its paragraphs, items and cells, without code and headings. */
    static List<Sentence> ofMarkdown(String page) {
        List<Sentence> sentences = new ArrayList<>();
        List<String> paragraph = new ArrayList<>();
        boolean code = false;
        int number = 0;
        for (String line : (page + "\n").split("\n", -1)) {
            number++;
            code ^= line.startsWith("```");
            boolean list = ITEM.matcher(line).matches() || line.startsWith("|");
            boolean text = !code && !list && !line.isBlank() && !line.matches("(#|<!--|```).*");
            if (text) {
                paragraph.add(line.strip());
                continue;
            }
            add(sentences, number - paragraph.size(), String.join(" ", paragraph), false);
            paragraph.clear();
            if (list && !code) {
                for (String cell : line.replaceFirst("^([-*]|\\d+\\.) ", "").split("\\|", -1)) {
                    add(sentences, number, cell, false);
                }
            }
        }
        return sentences;
    }

    private static void add(List<Sentence> into, int line, String text, boolean javadoc) {
        boolean head = javadoc;
        for (String each : BREAK.split(text.replaceAll("\\s+", " ").strip(), -1)) {
            if (!each.isBlank()) {
                into.add(new Sentence(line, each.strip(), head));
                head = false;
            }
        }
    }
}
