// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import io.packing.pages.Pages;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The numbers of a figure in named rows, as CSV, JSON and HTML. The first column names the row. */
record FigureTable(List<String> columns, List<List<Object>> rows) {
    FigureTable {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<Object> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException(
                        "%d cells in a table of %d columns".formatted(row.size(), columns.size()));
            }
        }
    }

    static Builder of(String... columns) {
        return new Builder(List.of(columns));
    }

    /** A builder that collects rows. */
    static final class Builder {
        private final List<String> columns;
        private final List<List<Object>> rows = new ArrayList<>();

        private Builder(List<String> columns) {
            this.columns = columns;
        }

        Builder row(Object... cells) {
            rows.add(List.of(cells));
            return this;
        }

        FigureTable build() {
            return new FigureTable(columns, rows);
        }
    }

    String csv() {
        StringBuilder text = new StringBuilder(String.join(",", columns)).append('\n');
        for (List<Object> row : rows) {
            text.append(String.join(",", row.stream().map(FigureTable::csvCell).toList()))
                    .append('\n');
        }
        return text.toString();
    }

    private static String csvCell(Object cell) {
        String text = number(cell);
        return text.contains(",") || text.contains("\"") ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }

    private static String number(Object cell) {
        return cell instanceof Double number ? String.format(Locale.ROOT, "%.6g", number) : cell.toString();
    }

    /** Returns the rows as maps, for JSON. */
    List<Map<String, Object>> maps() {
        return rows.stream()
                .map(row -> {
                    Map<String, Object> map = new LinkedHashMap<>();
                    for (int i = 0; i < columns.size(); i++) {
                        map.put(columns.get(i), row.get(i));
                    }
                    return map;
                })
                .toList();
    }

    String html() {
        StringBuilder text = new StringBuilder("<table><tr>");
        for (int i = 0; i < columns.size(); i++) {
            text.append(isText(i) ? "<th class=text>" : "<th>")
                    .append(Pages.escape(columns.get(i).replace('_', ' ')))
                    .append("</th>");
        }
        text.append("</tr>");
        for (List<Object> row : rows) {
            text.append("<tr>");
            row.forEach(cell -> text.append(cell instanceof Number ? "<td>" : "<td class=text>")
                    .append(Pages.escape(readable(cell)))
                    .append("</td>"));
            text.append("</tr>");
        }
        return text.append("</table>").toString();
    }

    private boolean isText(int column) {
        return rows.stream().anyMatch(row -> !(row.get(column) instanceof Number));
    }

    private static String readable(Object cell) {
        if (cell instanceof Long number) {
            return String.format(Locale.ROOT, "%,d", number);
        }
        return cell instanceof Double number ? String.format(Locale.ROOT, "%,.4g", number) : cell.toString();
    }
}
