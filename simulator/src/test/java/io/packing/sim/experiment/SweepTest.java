// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepTest {
    private static final String SMALL = """
            title = "Two caches"
            source = "a test"
            trace { machines = 1, events = 1000000 }
            stack { run.until = 6h }
            sweep = [
              { axis = ram.size, title = cache, values = ["10 GB", "100 GB"] }
              { axis = disks.count, values = [10, 15] }
            ]
            columns = [hit-rate, foreground-ms, capex]
            plots = [
              { title = "Hits", x = ram.size, y = [hit-rate], y-title = share, series = [disks.count] }
              { kind = pareto, title = "Cost", x = capex, y = [foreground-ms], y-title = ms }
              { kind = bars, title = "Hits", x = ram.size, y = [hit-rate], y-title = share, series = [disks.count] }
              { kind = timeline, title = "Hits over time", y-title = share }
            ]
            claims = [
              { says = "more cache, more hits", kind = prediction, because = "a test", metric = hit-rate, as = times
                of { ram.size = "100 GB", disks.count = "10" }, against { ram.size = "10 GB", disks.count = "10" }
                paper = 1, tolerance = 100 }
            ]
            """;

    @TempDir
    private Path directory;

    private final AtomicInteger finished = new AtomicInteger();

    private final SweepListener listener = new SweepListener() {
        @Override
        public void begins(String experiment, int points, int missing, long events) {}

        @Override
        public void played(long events) {}

        @Override
        public void finished() {
            finished.incrementAndGet();
        }
    };

    private static Experiment experiment(String text) {
        return Description.of("test", ConfigFactory.parseString(text).resolve(), List.of())
                .experiments(1)
                .get(0);
    }

    private Map<String, String> outputs(String name, int threads) throws IOException, InterruptedException {
        Path out = directory.resolve(name);
        ExperimentReport report = ExperimentReport.make(
                List.of(experiment(SMALL)), new Sweep(out.resolve("points"), threads, 1L << 30), out, listener);
        assertThat(report.text()).contains("more cache, more hits").contains("reproduced");
        TreeMap<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(out)) {
            for (Path file : all.filter(f -> f.toString().matches(".*(csv|json|txt|svg)"))
                    .toList()) {
                files.put(out.relativize(file).toString(), Files.readString(file));
            }
        }
        return files;
    }

    @Test
    void resultsAreTheSameToTheByteOnAnyNumberOfThreadsAndAreKept() throws IOException, InterruptedException {
        Map<String, String> alone = outputs("one", 1);
        assertThat(outputs("two", 2)).isEqualTo(alone);
        assertThat(alone.keySet())
                .contains("test/table.csv", "test/results.json", "test/plot-1.svg", "test/plot-4.svg");
        assertThat(directory.resolve("one/test/plot-2.png")).isNotEmptyFile();
        assertThat(finished).hasValue(8);
        outputs("one", 2);
        assertThat(finished)
                .as("simulations after a run that finds all results")
                .hasValue(8);
    }

    @Test
    void severalSeedsGiveMedianAndRange() throws IOException, InterruptedException {
        Path file = directory.resolve("seeds.conf");
        Files.writeString(file, SMALL.replace("values = [10, 15]", "values = [10]"));
        List<Experiment> seeds = Experiment.read(List.of(file), List.of(), 3).get(0);
        Path out = directory.resolve("seeds");
        ExperimentReport report =
                ExperimentReport.make(seeds, new Sweep(out.resolve("points"), 2, 1L << 30), out, listener);
        assertThat(finished).hasValue(6);
        // The seed changes hit rates, but not dollars.
        assertThat(report.text().lines().filter(line -> line.startsWith("10 GB")))
                .allSatisfy(
                        line -> assertThat(line)
                                .matches(
                                        "10 GB +10 +0[.0-9]+ \\(0[.0-9]+ to 0[.0-9]+\\) +[.0-9]+ \\([.0-9]+ to [.0-9]+\\) +1050.*"));
        assertThat(Files.readString(out.resolve("seeds/results.json"))).contains("metrics-of-seeds");
        List<Setting> recorded = Setting.parse("files = [a.htfs]");
        assertThatThrownBy(() -> Experiment.read(List.of(file), recorded, 2)).hasMessageContaining("have no seed");
    }

    @Test
    void aSimulationThatFailsDoesNotStopTheOthers() throws IOException, InterruptedException {
        Experiment overloaded =
                experiment(SMALL.replace("disks.count, values = [10, 15]", "disks.queue-limit, values = [1, 100000]")
                        .replace("disks.count", "disks.queue-limit")
                        .replace("\"10\"", "\"100000\""));
        Sweep sweep = new Sweep(directory, 1, 1L << 30);
        assertThatThrownBy(() -> sweep.run(List.of(overloaded), listener)).hasMessageContaining("queue-limit=1");
        assertThat(finished).as("simulations that were finished all the same").hasValue(2);
        assertThat(sweep.expectedEvents(List.of(overloaded))).isEqualTo(2_000_000);
    }

    @Test
    void aSweepThatDoesNotFitIntoMemoryIsRefusedBeforeItRuns() {
        Experiment large = experiment(SMALL.replace("\"100 GB\"", "\"4 TB\"").replace("\"100 GB\"", "\"4 TB\""));
        assertThatThrownBy(() -> new Sweep(directory, 1, 10L << 20).run(List.of(large), listener))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("4 TB")
                .hasMessageContaining("-Xmx");
        assertThat(finished).hasValue(0);
    }

    @Test
    void whatIsMisspeltInAnExperimentIsRefusedByName() {
        assertThatThrownBy(() -> experiment(SMALL.replace("columns =", "colums =")))
                .hasMessageContaining("no 'colums'");
        assertThatThrownBy(() -> experiment(SMALL.replace("axis = disks.count", "axis = disks.cont")))
                .hasMessageContaining("no parameter 'stack.disks.cont'; the nearest are 'stack.disks.count'");
        assertThatThrownBy(() -> experiment(SMALL.replace("events = 1000000", "event = 1000000")))
                .hasMessageContaining("no parameter 'trace.event'; the nearest are 'trace.events'");
        assertThatThrownBy(() -> experiment("trace { family-heat = hot }\nsweep = []\ncolumns = [disk-ms]"))
                .hasMessageContaining("trace.family-heat: published, alike or apart, not 'hot'");
        assertThatThrownBy(() -> experiment("trace { repeat-to = 32 minutes }\nsweep = []\ncolumns = [disk-ms]"))
                .hasMessageContaining("trace.repeat-to");
        assertThatThrownBy(() -> experiment(SMALL.replace("events = 1000000", "events = 1000")))
                .hasMessageContaining("events: 1,000 are too few");
        assertThatThrownBy(() -> experiment(SMALL.replace("kind = bars", "kind = pie")))
                .hasMessageContaining("plots.kind: no 'pie'");
        assertThatThrownBy(() -> experiment(SMALL.replace("as = times", "as = twice")))
                .hasMessageContaining("claims.as: no 'twice'");
    }

    @Test
    void whatAnExperimentWouldNotFindAtItsEndIsRefusedAtItsBeginning() {
        assertThatThrownBy(() -> experiment(SMALL.replace("foreground-ms, capex", "foregrond-ms, capex")))
                .hasMessageContaining("columns: no 'foregrond-ms'");
        assertThatThrownBy(() -> experiment(SMALL.replace("series = [disks.count]", "series = [disk.count]")))
                .hasMessageContaining("plots.series: no 'disk.count'");
        assertThatThrownBy(() -> experiment(SMALL.replace("metric = hit-rate,", "metric = hits,")))
                .hasMessageContaining("claims.metric: no 'hits'");
        assertThatThrownBy(() -> experiment(SMALL.replace("of { ram.size = \"100 GB\"", "of { ram.size = \"90 GB\"")))
                .hasMessageContaining("claims.of: 0 points are {disks.count=10, ram.size=90 GB}, not one");
        assertThatThrownBy(() -> experiment(SMALL.replace("against { ram.size", "against { ram.sise")))
                .hasMessageContaining("claims.against: 0 points");
        assertThatThrownBy(() -> experiment("model = stack\n" + SMALL)).hasMessageContaining("model: no 'stack'");
    }

    @Test
    void aTraceThatIsNotThereIsRefusedBeforeAnythingRuns() {
        Experiment played = experiment(SMALL.replace("machines = 1", "machines = 1, files = [/no/such.htfs]"));
        assertThatThrownBy(() -> new Sweep(directory, 1, 1L << 30).check(played))
                .hasMessageContaining("there is no '/no/such.htfs'");
    }

    @Test
    void everyExperimentOfTheProjectCanBeRead() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("../conf/simulator"))) {
            List<Experiment> experiments = files.filter(file -> file.toString().endsWith(".conf"))
                    .map(file ->
                            Experiment.read(List.of(file), List.of(), 1).get(0).get(0))
                    .toList();
            assertThat(experiments).hasSizeGreaterThanOrEqualTo(20);
            assertThat(experiments).allSatisfy(e -> assertThat(e.columns()).isNotEmpty());
        }
    }

    @Test
    void thirtySixSystemsAreCompared() {
        Experiment systems = Experiment.read(List.of(Path.of("../conf/simulator/fig-3.15.conf")), List.of(), 1)
                .get(0)
                .get(0);
        assertThat(systems.points()).hasSize(36);
    }
}
