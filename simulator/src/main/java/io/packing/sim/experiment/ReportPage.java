package io.packing.sim.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** One page with the plots and tables of several experiments, which needs no other file. */
public final class ReportPage {
    /** Longer tables are opened by a click: nobody scrolls through them on the way to the next figure. */
    private static final int ROWS_AT_ONCE = 16;

    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>packing simulate</title>
            <style>
            body { font: 15px/1.5 sans-serif; margin: 0; color: #222; }
            main { max-width: 62rem; margin: 0 auto; padding: 1rem; }
            nav { background: #f5f5f2; padding: 1rem; font-size: 13px; line-height: 1.4; }
            nav ol { margin: 0; padding-left: 1.4rem; } nav ul { margin: 0 0 .4rem; padding-left: 1rem; list-style: none; }
            nav a { color: #1b5a8c; text-decoration: none; } nav a:hover { text-decoration: underline; }
            @media screen and (min-width: 75rem) {
              body { display: grid; grid-template-columns: 20rem minmax(0, 1fr); }
              nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; box-sizing: border-box; }
            }
            table { border-collapse: collapse; font-size: 13px; margin: 1rem 0; display: block; overflow-x: auto; }
            th, td { border: 1px solid #ccc; padding: .2rem .5rem; text-align: right; }
            th:first-child, td:first-child { text-align: left; }
            h2 { border-top: 1px solid #ccc; padding-top: 1rem; margin-top: 2.5rem; }
            figure { margin: 1.5rem 0; } figcaption { color: #555; font-size: 13px; }
            svg { max-width: 100%; height: auto; } .input { color: #555; font-size: 13px; } .failed { color: #a11; }
            </style></head><body>
            """;

    private final List<Report> reports;
    private final Map<String, String> failed;
    private final StringBuilder html = new StringBuilder(HEAD);

    private ReportPage(List<Report> reports, Map<String, String> failed) {
        this.reports = reports;
        this.failed = failed;
    }

    /**
     * Writes the page.
     *
     * @param failed experiments that have no report, and why
     */
    public static void write(List<Report> reports, Map<String, String> failed, Path file) throws IOException {
        ReportPage page = new ReportPage(reports, failed);
        page.contents();
        page.body();
        Files.writeString(file, page.html.toString());
    }

    private void contents() {
        html.append("<nav id=\"contents\"><b>Contents</b>\n<ol>\n");
        for (Report report : reports) {
            Experiment experiment = report.experiment();
            html.append("<li><a href=\"#%s\">%s</a>%s\n<ul>\n"
                    .formatted(experiment.name(), Tables.escape(experiment.title()), verdict(report)));
            for (int i = 0; i < experiment.plots().size(); i++) {
                html.append("<li><a href=\"#%s\">%s</a></li>\n"
                        .formatted(
                                anchor(report, i + 1),
                                Tables.escape(experiment.plots().get(i).title())));
            }
            html.append("<li><a href=\"#%s-table\">Table</a></li>\n</ul></li>\n".formatted(experiment.name()));
        }
        html.append("</ol></nav>\n");
    }

    private static String verdict(Report report) {
        int claims = report.experiment().claims().size();
        return claims == 0 ? "" : " (%d of %d reproduced)".formatted(report.reproduced(), claims);
    }

    private static String anchor(Report report, int plot) {
        return "%s-plot-%d".formatted(report.experiment().name(), plot);
    }

    private void body() throws IOException {
        html.append("<main>\n<h1>Simulated storage stacks</h1>\n");
        failed.forEach((name, why) -> html.append(
                "<p class=\"failed\"><b>%s failed:</b> %s</p>\n".formatted(Tables.escape(name), Tables.escape(why))));
        for (Report report : reports) {
            section(report);
        }
        html.append("</main></body></html>\n");
    }

    private void section(Report report) throws IOException {
        Experiment experiment = report.experiment();
        html.append("<h2 id=\"%s\">%s</h2>\n<p>%s · <code>%s.conf</code> · <a href=\"#contents\">contents</a></p>\n"
                .formatted(
                        experiment.name(),
                        Tables.escape(experiment.title()),
                        Tables.escape(experiment.source()),
                        Tables.escape(experiment.name())));
        html.append("<p class=\"input\">%s</p>\n".formatted(Tables.escape(report.input())));
        for (int i = 1; i <= experiment.plots().size(); i++) {
            html.append("<figure id=\"%s\">%s<figcaption>%s (%s/plot-%d.png)</figcaption></figure>\n"
                    .formatted(
                            anchor(report, i),
                            report.svg(i),
                            Tables.escape(experiment.plots().get(i - 1).title()),
                            Tables.escape(report.directoryName()),
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
