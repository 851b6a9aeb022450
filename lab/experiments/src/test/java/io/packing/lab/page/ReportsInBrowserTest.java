// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.lab.ibench.ComparisonPage;
import io.packing.lab.ibench.PaperComparison;
import io.packing.lab.ibench.TaskSuite;
import io.packing.lab.ibench.UserTask;
import io.packing.lab.images.SampleHelloPage;
import io.packing.sim.experiment.Experiment;
import io.packing.sim.experiment.ExperimentReport;
import io.packing.sim.experiment.ReportPage;
import io.packing.sim.experiment.Sweep;
import io.packing.sim.experiment.SweepListener;
import io.packing.status.StatusServer;
import io.packing.status.page.StatusPage;
import io.packing.trace.analysis.Analysis;
import io.packing.trace.analysis.AnalysisReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each kind of report, and the status page, in a real browser: nothing is cut, and all are dark where the system is. */
@Timeout(300)
class ReportsInBrowserTest {
    private static final List<Integer> WIDTHS = List.of(1_280, 1_920, 390);
    private static final int HEIGHT = 900;
    private static final long SEED = 48;

    private static final String FEW = """

            stack.ingest { clients = 8, files-per-client = 2000 }
            """;

    private static final String POLICIES = """
            title = "Replacement policies", source = "a test"
            cache { zipf { objects = 100, requests = 1000 } }
            sweep = [
              { axis = policy, title = "a policy that has a long name in the legend", values = [lru, sieve, s3-fifo, arc] }
              { axis = size, values = ["10", "20", "40"] }
            ]
            columns = [hits, hit-rate]
            plots = [
              { title = "Hit rate", x = size, x-title = "cache, objects", y = [hit-rate], y-title = "hits", series = [policy] }
            ]
            """;

    @TempDir
    private Path home = Path.of("");

    /** Results that two reports show. The jobs that find them take most of the time of this class. */
    private static Optional<Analysis.Results> analyzed = Optional.empty();

    private Optional<Path> program = Optional.empty();

    @BeforeAll
    static void analyzeTraces(@TempDir Path traces) throws IOException, InterruptedException {
        if (Browser.program().isPresent()) {
            analyzed = Optional.of(SampleTraces.analyze(traces, tasks(), SEED));
        }
    }

    @BeforeEach
    void findBrowser() {
        program = Browser.program();
        assumeTrue(program.isPresent(), "install chromium (apt-get install chromium): no page is tried in a browser");
    }

    private void isWhole(String uri) throws IOException, InterruptedException {
        List<String> faults = new ArrayList<>();
        Path profile = Files.createDirectories(home.resolve("browser"));
        try (Browser browser = Browser.start(program.orElseThrow(), profile)) {
            for (int width : WIDTHS) {
                for (boolean dark : new boolean[] {false, true}) {
                    browser.window(width, HEIGHT, dark);
                    browser.open(uri);
                    faults.addAll(Layout.faults(browser, width));
                    if (dark) {
                        faults.addAll(Layout.bright(browser));
                    }
                }
            }
        }
        assertThat(faults).as(uri).isEmpty();
    }

    private static List<String> tasks() {
        return TaskSuite.ofProgram().tasks().stream().map(UserTask::name).toList();
    }

    @Test
    void theAnalysisOfTracesIsWhole() throws IOException, InterruptedException {
        isWhole(AnalysisReport.write(analyzed.orElseThrow(), home.resolve("report"))
                .toUri()
                .toString());
    }

    @Test
    void theComparisonOfDesktopTasksIsWhole() throws IOException, InterruptedException {
        Analysis.Results results = analyzed.orElseThrow();
        Path analysis = AnalysisReport.write(results, home.resolve("report"));
        PaperComparison comparison = PaperComparison.of(results.system().orElseThrow(), TaskSuite.ofProgram());
        isWhole(ComparisonPage.write(comparison, home, analysis).toUri().toString());
    }

    /** An experiment of the repository with few files. */
    private Path small(String name) throws IOException {
        Path conf = Path.of("").toAbsolutePath().resolve("../../conf").normalize();
        String text = Files.readString(conf.resolve("simulator/" + name + ".conf"))
                .replace("../prices", conf.resolve("prices").toString());
        return Files.writeString(home.resolve(name + ".conf"), text + FEW);
    }

    private static final class Unheard implements SweepListener {
        @Override
        public void begins(String experiment, int points, int missing, long events) {}

        @Override
        public void played(long events) {}

        @Override
        public void finished() {}
    }

    @Test
    void theReportOfSimulationsIsWhole() throws IOException, InterruptedException {
        List<Path> files = new ArrayList<>();
        for (String name : List.of("packing-table-1", "packing-seals", "packing-reads")) {
            files.add(small(name));
        }
        files.add(Files.writeString(home.resolve("policies.conf"), POLICIES));
        Path out = home.resolve("out");
        Sweep sweep = new Sweep(out.resolve("points"), 1, Runtime.getRuntime().maxMemory());
        List<ExperimentReport> reports = new ArrayList<>();
        for (List<Experiment> experiment : Experiment.read(files, List.of(), 1)) {
            reports.add(ExperimentReport.make(experiment, sweep, out, new Unheard()));
        }
        Path page = out.resolve("report.html");
        ReportPage.write(reports, Map.of("an experiment that failed", "the reason"), page);
        isWhole(page.toUri().toString());
    }

    @Test
    void theComparisonOfContainerStartsIsWhole() throws Exception {
        isWhole(SampleHelloPage.write(home).toUri().toString());
    }

    @Test
    void theStatusPageIsWhole() throws IOException, InterruptedException {
        SimulatedMaster master = new SimulatedMaster(5, 20, SEED, System::nanoTime);
        StatusPage page = new StatusPage(master::report, Clock.systemUTC(), System::nanoTime);
        try (StatusServer server =
                StatusServer.start("127.0.0.1", 0, () -> "", Optional::empty, List::of, Optional.of(page))) {
            isWhole("http://127.0.0.1:%d/".formatted(server.port()));
        }
    }
}
