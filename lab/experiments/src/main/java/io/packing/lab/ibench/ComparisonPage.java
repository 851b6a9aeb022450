// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.ibench;

import io.packing.pages.Pages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The comparison as a page that needs no other, and as CSV. */
public final class ComparisonPage {
    private ComparisonPage() {}

    /**
     * Writes {@code comparison.html} and {@code comparison.csv}.
     *
     * @param analysis the report of the analysis
     * @return the page
     */
    public static Path write(PaperComparison comparison, Path directory, Path analysis) throws IOException {
        StringBuilder csv = new StringBuilder("task,paper_task,column,here,paper\n");
        Map<String, StringBuilder> rows = new LinkedHashMap<>();
        for (PaperComparison.Compared number : comparison.numbers()) {
            String paper = number.paper().map(ComparisonPage::text).orElse("");
            csv.append(String.join(",", number.task(), number.paperTask(), number.column(), text(number.here()), paper))
                    .append('\n');
            rows.computeIfAbsent(
                            number.task(),
                            task -> new StringBuilder(
                                    "<tr><td class=text>%s<td class=text>%s".formatted(task, number.paperTask())))
                    .append("<td>%s<td>%s".formatted(text(number.here()), paper));
        }
        Files.writeString(directory.resolve("comparison.csv"), csv);
        StringBuilder html = new StringBuilder(Pages.head("iBench on Linux"))
                .append(
                        "<p>Tasks on Linux beside the paper's on a Mac: other programs, other documents. All figures are in ")
                .append("<a href=\"%s\">the analysis</a>.</p>".formatted(directory.relativize(analysis)))
                .append(
                        "<h2>What the paper says in numbers (§2.4 to §2.10)</h2><p>Medians are of percentages where a statement")
                .append(" is about shares. Tasks without any such input or output are left out.</p>")
                .append(
                        "<div class=scroll><table><tr><th class=text>figure<th class=text>tasks that ...<th>here<th>median<th class=text>paper")
                .append("<th class=text>why Linux differs");
        for (Statement statement : comparison.statements()) {
            html.append(
                    "<tr><td class=text>%s<td class=text>%s<td>%d of %d<td>%s<td class=text>%s<td class=\"text long\">%s"
                            .formatted(
                                    statement.figure(),
                                    Pages.escape(statement.text()),
                                    statement.here(),
                                    statement.of(),
                                    statement.median().map(ComparisonPage::text).orElse(""),
                                    Pages.escape(statement.paper()),
                                    Pages.escape(statement.why())));
        }
        html.append(
                        "</table></div><h2>The suite (Table 2.1)</h2><div class=scroll><table><tr><th class=text>task<th class=text>here")
                .append("<th class=text>paper's task<th class=text>there<th class=text>how it differs");
        for (PaperComparison.Difference task : comparison.differences()) {
            html.append(
                    "<tr><td class=text>%s<td class=text>%s<td class=text>%s<td class=text>%s<td class=\"text long\">%s"
                            .formatted(
                                    task.task(),
                                    Pages.escape(task.does()),
                                    task.paperTask(),
                                    Pages.escape(task.paperDoes()),
                                    Pages.escape(task.how())));
        }
        html.append("</table></div>").append(caseStudy(comparison.caseStudy()));
        html.append("<h2>Table 2.2</h2><div class=scroll><table><tr><th class=text>task<th class=text>paper's task");
        for (String column : List.of(
                "files",
                "MB of files",
                "accesses",
                "MB moved",
                "read %",
                "written %",
                "accesses per s of processor",
                "MB per s of processor")) {
            html.append("<th>%s<th>paper".formatted(column));
        }
        rows.values().forEach(html::append);
        Path page = directory.resolve("comparison.html");
        Files.writeString(page, html.append("</table></div>").append(Pages.FOOT));
        return page;
    }

    private static String caseStudy(List<CaseNumber> numbers) {
        if (numbers.isEmpty()) {
            return "";
        }
        StringBuilder html = new StringBuilder("<h2>The case study (§2.3): %s, and the paper's %s</h2>"
                        .formatted(numbers.get(0).task(), numbers.get(0).paperTask()))
                .append("<p>Its picture (Figure 2.1) is the timeline of the analysis.</p>")
                .append(
                        "<div class=scroll><table><tr><th class=text>number of<th>here<th>paper<th class=text>why Linux differs");
        for (CaseNumber number : numbers) {
            html.append("<tr><td class=text>%s<td>%s<td>%s<td class=\"text long\">%s"
                    .formatted(
                            Pages.escape(number.text()),
                            text(number.here()),
                            text(number.paper()),
                            Pages.escape(number.why())));
        }
        return html.append("</table></div>").toString();
    }

    private static String text(double number) {
        return number == Math.rint(number)
                ? String.format(Locale.ROOT, "%.0f", number)
                : String.format(Locale.ROOT, "%.1f", number);
    }
}
