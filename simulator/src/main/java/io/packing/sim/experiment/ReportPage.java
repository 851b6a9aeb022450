// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import io.packing.pages.Pages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A page with the plots and tables of several experiments, which needs no other file. */
public final class ReportPage {
    /**
     * The rows of a table that is open at once: a reader opens a longer one by a click, and need not scroll past it.
     */
    private static final int ROWS_AT_ONCE = 16;

    private final List<ExperimentReport> reports;
    private final Map<String, String> failed;
    private final StringBuilder html = new StringBuilder(Pages.head("packing simulate", "parts"));

    private ReportPage(List<ExperimentReport> reports, Map<String, String> failed) {
        this.reports = reports;
        this.failed = failed;
    }

    /**
     * Writes the page.
     *
     * @param failed experiments that have no report, with the reasons
     */
    public static void write(List<ExperimentReport> reports, Map<String, String> failed, Path file) throws IOException {
        ReportPage page = new ReportPage(reports, failed);
        page.contents();
        page.body();
        Files.writeString(file, page.html.toString());
    }

    private void contents() {
        html.append("<nav id=\"contents\"><b>Contents</b>\n<ol>\n");
        for (ExperimentReport report : reports) {
            Experiment experiment = report.experiment();
            html.append("<li><a href=\"#%s\">%s</a>%s\n<ul>\n"
                    .formatted(experiment.name(), Pages.escape(experiment.title()), verdict(report)));
            for (int i = 0; i < experiment.plots().size(); i++) {
                html.append("<li><a href=\"#%s\">%s</a></li>\n"
                        .formatted(
                                anchor(report, i + 1),
                                Pages.escape(experiment.plots().get(i).title())));
            }
            html.append("<li><a href=\"#%s-table\">Table</a></li>\n</ul></li>\n".formatted(experiment.name()));
        }
        html.append("</ol></nav>\n");
    }

    private static String verdict(ExperimentReport report) {
        long predictions = report.experiment().claims().stream()
                .filter(claim -> claim.kind() == ClaimKind.PREDICTION)
                .count();
        return predictions == 0 ? "" : " (%d of %d predictions reproduced)".formatted(report.reproduced(), predictions);
    }

    private static String anchor(ExperimentReport report, int plot) {
        return "%s-plot-%d".formatted(report.experiment().name(), plot);
    }

    private void body() throws IOException {
        html.append("<main>\n<h1>Simulated storage stacks</h1>\n");
        failed.forEach((name, why) -> html.append(
                "<p class=\"bad\"><b>%s failed:</b> %s</p>\n".formatted(Pages.escape(name), Pages.escape(why))));
        for (ExperimentReport report : reports) {
            section(report);
        }
        html.append(Pages.FOOT);
    }

    private void section(ExperimentReport report) throws IOException {
        Experiment experiment = report.experiment();
        html.append("<h2 id=\"%s\">%s</h2>\n<p>%s · <code>%s.conf</code> · <a href=\"#contents\">contents</a></p>\n"
                .formatted(
                        experiment.name(),
                        Pages.escape(experiment.title()),
                        Pages.escape(experiment.source()),
                        Pages.escape(experiment.name())));
        html.append("<p class=\"faint\">%s</p>\n".formatted(Pages.escape(report.input())));
        for (int i = 1; i <= experiment.plots().size(); i++) {
            html.append("<figure id=\"%s\">%s<figcaption>%s (%s/plot-%d.png)</figcaption></figure>\n"
                    .formatted(
                            anchor(report, i),
                            report.plot(i).html(),
                            Pages.escape(experiment.plots().get(i - 1).title()),
                            Pages.escape(report.directoryName()),
                            i));
        }
        if (!experiment.claims().isEmpty()) {
            html.append(Tables.html(report.claims()));
        }
        List<List<String>> rows = report.rows();
        html.append("<details id=\"%s-table\"%s><summary>Table, %d rows</summary>\n"
                        .formatted(experiment.name(), rows.size() > ROWS_AT_ONCE ? "" : " open", rows.size() - 1))
                .append(Tables.html(rows))
                .append("</details>\n");
    }
}
