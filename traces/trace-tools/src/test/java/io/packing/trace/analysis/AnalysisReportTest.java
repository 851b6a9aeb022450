// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnalysisReportTest {
    private static final InputReport DAMAGED =
            new InputReport(2, 10, 3, 1, 1, 5, 77, 1, List.of("a <strange> file is not a trace"));

    @TempDir
    private Path directory;

    @Test
    void theReportOfAnEmptyTraceIsComplete() throws IOException {
        Path html = AnalysisReport.write(new Findings(new Totals(), DAMAGED, Set.of("get")), directory);
        for (Figure figure : new Figures(new Findings(new Totals(), DAMAGED, Set.of("get"))).all()) {
            assertThat(directory.resolve("figures/" + figure.name() + ".csv")).isNotEmptyFile();
            assertThat(html).content().contains("id=\"" + figure.name() + "\"");
            if (figure.chart().isPresent()) {
                assertThat(ImageIO.read(directory
                                        .resolve("figures/" + figure.name() + ".png")
                                        .toFile())
                                .getWidth())
                        .isGreaterThan(1_000);
                assertThat(directory.resolve("figures/" + figure.name() + ".svg"))
                        .content()
                        .contains("<svg");
            }
        }
    }

    @Test
    void theReportNeedsNoOtherFile() throws IOException {
        String html = Files.readString(AnalysisReport.write(new Findings(new Totals(), DAMAGED, Set.of()), directory));
        assertThat(html)
                .contains("width=device-width")
                .doesNotContain("src=\"figures")
                .doesNotContain("http");
    }

    @Test
    void whatWasNotReadIsSaid() throws IOException {
        String html = Files.readString(AnalysisReport.write(new Findings(new Totals(), DAMAGED, Set.of()), directory));
        assertThat(html)
                .contains("1 damaged blocks with about 5 events")
                .contains("77 bytes")
                .contains("dropped 3")
                .contains("a &lt;strange&gt; file is not a trace");
    }

    @Test
    void numbersStandInCsvAndJson() throws IOException {
        Totals totals = new Totals();
        totals.add(990, "io", "get", "read");
        totals.add(10, "io", "flush", "write");
        AnalysisReport.write(new Findings(totals, DAMAGED, Set.of("get", "flush")), directory);
        assertThat(directory.resolve("figures/io-layers.csv")).content().contains("core,990,10,0.990000");
        assertThat(directory.resolve("numbers.json")).content().contains("\"read_bytes\" : 990");
    }
}
