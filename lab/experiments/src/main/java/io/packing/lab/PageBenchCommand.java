// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.packing.PolledIngest;
import io.packing.lab.page.PageBench;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures the daemons' page. */
@Command(
        name = "page",
        description = {
            "Shows the page of a simulated master in Chromium, and measures when something is painted and when the numbers are"
                    + " there. With --ingest it measures instead how fast files are written while the pages of master and"
                    + " worker are polled, beside how fast they are written while nobody looks.",
            "The browser must be installed, for example by apt-get install chromium."
        })
final class PageBenchCommand implements Callable<Integer> {
    @Mixin
    private Report report = new Report();

    @Option(names = "--mounts", defaultValue = "100", description = "How many mounts (default: ${DEFAULT-VALUE}).")
    private int mounts;

    @Option(
            names = "--workers",
            defaultValue = "1000",
            description = "How many workers of all mounts together (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(
            names = "--loads",
            defaultValue = "5",
            description = "How often the page is loaded, each by a new browser (default: ${DEFAULT-VALUE}).")
    private int loads;

    @Option(names = "--photographs", paramLabel = "DIR", description = "Leaves what is seen as PNG here.")
    private Optional<Path> photographs = Optional.empty();

    @Option(names = "--ingest", description = "Measure what polling costs those who write.")
    private boolean ingest;

    @Option(
            names = "--files",
            defaultValue = "60000",
            description = "With --ingest: files of 8 KB in a round (default: ${DEFAULT-VALUE}).")
    private long files;

    @Option(
            names = "--rounds",
            defaultValue = "6",
            description = "With --ingest: pairs of rounds, one polled and one not (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--pages",
            defaultValue = "4",
            description = "With --ingest: browsers that poll, each once a second (default: ${DEFAULT-VALUE}).")
    private int pages;

    @Option(
            names = "--idle-seconds",
            defaultValue = "20",
            description =
                    "With --ingest: seconds with pages, and as many without, while nothing is written (default: ${DEFAULT-VALUE}).")
    private int idleSeconds;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (ingest) {
            PolledIngest.Result result = PolledIngest.run(
                    new PolledIngest.Spec(files, rounds, pages, idleSeconds), new Narrator(report.isJson()));
            report.print(
                    result,
                    out -> out.printf(
                            "%,.0f files/s while %d pages are polled (%,d answers), %,.0f files/s without: ratio %.3f, of processor time %.3f; the pages take %.2f %% of the processors%n",
                            result.polled(),
                            pages,
                            result.answers(),
                            result.alone(),
                            result.ratio(),
                            result.cpuRatio(),
                            100 * result.share()));
            return ExitCodes.OK;
        }
        PageBench.Result result = PageBench.run(new PageBench.Spec(mounts, workers, loads, photographs));
        report.print(
                result,
                out -> out.printf(
                        "%d mounts, %d workers, the slowest of %d loads: painted after %.0f ms, numbers after %.0f ms%n",
                        mounts, workers, loads, result.firstPaint(), result.numbers()));
        return ExitCodes.OK;
    }
}
