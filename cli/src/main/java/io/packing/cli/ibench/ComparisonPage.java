package io.packing.cli.ibench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The comparison as a page that needs no other, and as CSV. */
public final class ComparisonPage {
    private static final String HEAD = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>iBench on Linux</title>
            <style>
            body { font: 16px/1.5 system-ui, sans-serif; max-width: 900px; margin: 0 auto; padding: 12px; color: #222 }
            .t { overflow-x: auto } table { border-collapse: collapse; font-size: .85em }
            th, td { padding: 2px 10px 2px 0; text-align: right; white-space: nowrap; border-bottom: 1px solid #ddd }
            th:first-child, td:first-child, td.l, th.l { text-align: left }
            td.w { text-align: left; white-space: normal; min-width: 20em }
            </style></head><body><h1>iBench on Linux</h1>
            """;

    private ComparisonPage() {}

    /**
     * Writes {@code comparison.html} and {@code comparison.csv}.
     *
     * @param analysis the report of the analysis
     * @return the page
     */
    public static Path write(Comparison comparison, Path directory, Path analysis) throws IOException {
        StringBuilder csv = new StringBuilder("task,paper_task,column,here,paper\n");
        Map<String, StringBuilder> rows = new LinkedHashMap<>();
        for (Comparison.Compared number : comparison.numbers()) {
            String paper = number.paper().map(ComparisonPage::text).orElse("");
            csv.append(String.join(",", number.task(), number.paperTask(), number.column(), text(number.here()), paper))
                    .append('\n');
            rows.computeIfAbsent(
                            number.task(),
                            task -> new StringBuilder("<tr><td>%s<td class=l>%s".formatted(task, number.paperTask())))
                    .append("<td>%s<td>%s".formatted(text(number.here()), paper));
        }
        Files.writeString(directory.resolve("comparison.csv"), csv);
        StringBuilder html = new StringBuilder(HEAD)
                .append(
                        "<p>Tasks on Linux beside the paper's on a Mac: other programs, other documents. All figures are in ")
                .append("<a href=\"%s\">the analysis</a>.</p>".formatted(directory.relativize(analysis)))
                .append(
                        "<h2>What the paper says in numbers (§2.4 to §2.10)</h2><p>Medians are of percentages where a statement")
                .append(" is about shares. Tasks without any such input or output are left out.</p>")
                .append(
                        "<div class=t><table><tr><th>figure<th class=l>tasks that ...<th>here<th>median<th class=l>paper")
                .append("<th class=l>why Linux differs");
        for (Statement statement : comparison.statements()) {
            html.append("<tr><td>%s<td class=l>%s<td>%d of %d<td>%s<td class=l>%s<td class=w>%s"
                    .formatted(
                            statement.figure(),
                            statement.text(),
                            statement.here(),
                            statement.of(),
                            statement.median().map(ComparisonPage::text).orElse(""),
                            statement.paper(),
                            statement.why()));
        }
        html.append("</table></div><h2>The suite (Table 2.1)</h2><div class=t><table><tr><th>task<th class=l>here")
                .append("<th class=l>paper's task<th class=l>there<th class=l>how it differs");
        for (Comparison.Difference task : comparison.differences()) {
            html.append("<tr><td>%s<td class=l>%s<td class=l>%s<td class=l>%s<td class=w>%s"
                    .formatted(task.task(), task.does(), task.paperTask(), task.paperDoes(), task.how()));
        }
        html.append("</table></div>").append(caseStudy(comparison.caseStudy()));
        html.append("<h2>Table 2.2</h2><div class=t><table><tr><th>task<th>paper's task");
        for (String column : List.of("files", "MB of files", "accesses", "MB moved", "read %", "written %")) {
            html.append("<th>%s<th>paper".formatted(column));
        }
        rows.values().forEach(html::append);
        Path page = directory.resolve("comparison.html");
        Files.writeString(page, html.append("</table></div></body></html>\n"));
        return page;
    }

    private static String caseStudy(List<CaseNumber> numbers) {
        if (numbers.isEmpty()) {
            return "";
        }
        StringBuilder html = new StringBuilder("<h2>The case study (§2.3): %s, and the paper's %s</h2>"
                        .formatted(numbers.get(0).task(), numbers.get(0).paperTask()))
                .append("<p>Its picture (Figure 2.1) is the timeline of the analysis.</p>")
                .append("<div class=t><table><tr><th>number of<th>here<th>paper<th class=l>why Linux differs");
        for (CaseNumber number : numbers) {
            html.append("<tr><td>%s<td>%s<td>%s<td class=w>%s"
                    .formatted(number.text(), text(number.here()), text(number.paper()), number.why()));
        }
        return html.append("</table></div>").toString();
    }

    private static String text(double number) {
        return number == Math.rint(number)
                ? String.format(Locale.ROOT, "%.0f", number)
                : String.format(Locale.ROOT, "%.1f", number);
    }
}
