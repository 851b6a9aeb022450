// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import io.packing.pages.Pages;
import java.util.List;
import java.util.stream.Collectors;

/** A table as text, CSV and HTML. The first row is its head. */
final class Tables {
    private Tables() {}

    static String text(List<List<String>> rows) {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String pad = " ".repeat(widths[i] - row.get(i).length());
                // Words are aligned to the left, numbers to the right.
                line.append(numeric(rows, i) ? pad + row.get(i) : row.get(i) + pad)
                        .append("  ");
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static boolean numeric(List<List<String>> rows, int column) {
        return rows.stream().skip(1).allMatch(row -> row.get(column).matches("(-?[0-9.]*|inf|-)( \\(.*\\))?"));
    }

    static String csv(List<List<String>> rows) {
        return rows.stream()
                .map(row -> row.stream().map(Tables::cell).collect(Collectors.joining(",")) + "\n")
                .collect(Collectors.joining());
    }

    private static String cell(String text) {
        return text.matches("[^\",\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    /** Returns the table in a box that scrolls on a narrower page. */
    static String html(List<List<String>> rows) {
        StringBuilder html = new StringBuilder("<div class=\"scroll\"><table>\n");
        for (int i = 0; i < rows.size(); i++) {
            String tag = i == 0 ? "th" : "td";
            html.append("<tr>");
            for (int column = 0; column < rows.get(i).size(); column++) {
                html.append("<%s%s>%s</%s>"
                        .formatted(
                                tag,
                                numeric(rows, column) ? "" : " class=\"text\"",
                                Pages.escape(rows.get(i).get(column)),
                                tag));
            }
            html.append("</tr>\n");
        }
        return html.append("</table></div>\n").toString();
    }
}
