// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheExperimentTest {
    private static final String SMALL = """
            title = "Policies"
            source = "a test"
            cache { zipf { objects = 1000, requests = 50000 } }
            sweep = [
              { axis = policy, values = [lru, sieve, s3-fifo, arc, w-tinylfu] }
              { axis = size, values = [10, 100] }
            ]
            columns = [hit-rate, requests]
            plots = [{ title = "Hits", x = size, y = [hit-rate], y-title = share, series = [policy] }]
            """;

    private static final SweepListener NOBODY = new SweepListener() {
        @Override
        public void begins(String experiment, int points, int kept, long events) {}

        @Override
        public void played(long events) {}

        @Override
        public void finished() {}
    };

    @TempDir
    private Path directory = Path.of("");

    @Test
    void printsTheTableAndLeavesCsvJsonAndThePlot() throws IOException, InterruptedException {
        Experiment experiment = experiment("policies", parse(SMALL));
        ExperimentReport report =
                ExperimentReport.make(List.of(experiment), sweep("one", 1), directory.resolve("one"), NOBODY);
        assertThat(report.text()).contains("w-tinylfu").contains("50000");
        for (String file : List.of("table.txt", "table.csv", "results.json", "plot-1.png", "plot-1.svg")) {
            assertThat(directory.resolve("one/policies").resolve(file)).isNotEmptyFile();
        }
        ExperimentReport.make(List.of(experiment), sweep("two", 3), directory.resolve("two"), NOBODY);
        assertThat(directory.resolve("one/policies/results.json"))
                .hasSameTextualContentAs(directory.resolve("two/policies/results.json"));
    }

    @Test
    void readsTheTraceThatTheCommandLineNames() throws IOException, InterruptedException {
        Path trace = Files.writeString(directory.resolve("t.csv"), "obj_id\n1\n2\n1\n3\n1\n");
        List<Setting> changes = Setting.parse("cache { format = csv, files = [\"%s\"], size = 2 }".formatted(trace));
        Experiment experiment = Description.of(
                        "policies",
                        parse(
                                "title = t, source = s, sweep = [{ axis = policy, values = [lru] }], columns = [hits], cache {}"),
                        changes)
                .experiments(1)
                .get(0);
        Results results = sweep("csv", 1).run(List.of(experiment), NOBODY);
        // 3 replaces 2, and 1 stays.
        assertThat(results.metric(results.index(Map.of("policy", "lru")), "hits"))
                .isEqualTo(2);
        assertThat(results.metric(results.index(Map.of("policy", "lru")), "trace-torn"))
                .isZero();
    }

    @Test
    void aCacheByBytesTakesTheSizesOfTheTrace() throws IOException, InterruptedException {
        Path trace = Files.writeString(
                directory.resolve("s.csv"), "obj_id,size\n1,400\n2,600\n1,400\n3,500\n1,400\n4,2000\n");
        String text =
                "title = t, source = s, columns = [hits, too-large, byte-hit-rate], cache { bytes = 1000, format = csv"
                        + ", files = [\"%s\"]%s }";
        Experiment experiment = experiment("bytes", parse(text.formatted(trace, ", csv.bytes = size")));
        Results results = sweep("bytes", 1).run(List.of(experiment), NOBODY);
        // 3 replaces 2, and 1 stays; 4 is larger than the cache.
        assertThat(results.metric(0, "hits")).isEqualTo(2);
        assertThat(results.metric(0, "too-large")).isEqualTo(1);
        assertThat(results.metric(0, "byte-hit-rate")).isEqualTo(800 / 4300.0);
        Experiment sizeless = experiment("sizeless", parse(text.formatted(trace, "")));
        assertThatThrownBy(() -> sweep("sizeless", 1).run(List.of(sizeless), NOBODY))
                .hasMessageContaining("name the column of sizes");
        refused("cache { policy = w-tinylfu, bytes = 1 GB }", "no policy 'w-tinylfu' for a cache by bytes", "s3-fifo");
    }

    @Test
    void whatIsMisspeltOrImpossibleIsRefusedBeforeAnythingRuns() {
        refused("cache.polcy = lru", "no parameter 'cache.polcy'; the nearest are 'cache.policy'");
        refused("cache.policy = lur", "no policy 'lur'", "w-tinylfu");
        refused("cache.size = 0", "cache.size: 1 object at least");
        refused("cache.size = many", "cache: ", "size");
        refused("cache.format = vscsi", "no 'vscsi'", "oracle-general");
        refused("cache.format = csv", "cache.files: there are none");
        refused("cache { format = csv, files = [gone.csv] }", "there is no 'gone.csv'");
        refused("cache { files = [gone.csv] }", "they are not read with the format zipf");
        refused("cache.csv.ids = words", "csv.ids: numbers or names, not 'words'");
        refused("cache.csv.delimiter = \"\"", "csv.delimiter");
        refused("cache {}, stack { ram.size = 1 GB }", "neither 'trace' nor 'stack'");
    }

    private static void refused(String text, String... words) {
        Config whole = parse("title = t, source = s, columns = [hits]\n" + text);
        AbstractThrowableAssert<?, ?> refused =
                assertThatThrownBy(() -> experiment("x", whole)).isInstanceOf(IllegalArgumentException.class);
        for (String word : words) {
            refused.hasMessageContaining(word);
        }
    }

    private static Experiment experiment(String name, Config config) {
        return Description.of(name, config, List.of()).experiments(1).get(0);
    }

    private static Config parse(String text) {
        return ConfigFactory.parseString(text).resolve();
    }

    private Sweep sweep(String name, int threads) {
        return new Sweep(directory.resolve(name).resolve("points"), threads, 1L << 30);
    }
}
