// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A test of unknown names in the files of experiments. */
class UnknownNamesTest {
    @TempDir
    private Path directory = Path.of("");

    private static Stream<Path> everyExperiment() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("../conf/simulator"))) {
            return files.filter(file -> file.toString().endsWith(".conf")).sorted().toList().stream();
        }
    }

    private Path changed(Path file, String more) throws IOException {
        // The changed file is beside the original, since files include each other by relative paths.
        String text = Files.readString(file)
                .replace("../prices", Path.of("../conf/prices").toAbsolutePath().toString());
        return Files.writeString(directory.resolve("x.conf"), text + "\n" + more);
    }

    @ParameterizedTest
    @MethodSource("everyExperiment")
    void areRefusedInEveryExperimentAtEveryDepth(Path file) throws IOException {
        boolean cache = Files.readString(file).contains("cache {");
        List<String> sections = cache ? List.of("cache") : List.of("trace", "stack");
        List<String> refused = new ArrayList<>(List.of("foo = 1", "foo = null", "foo {}", "title = null"));
        for (String section : sections) {
            for (String name : List.of("foo = 1", "foo.bar = 1", "foo = null", "foo {}")) {
                refused.add(section + "." + name);
            }
        }
        refused.addAll(
                cache
                        ? List.of("cache.csv.foo = 1", "cache.csv = 1", "cache.size.foo = 1", "cache.policy = null")
                        : List.of("trace.events.foo = 1", "stack.run.foo = 1", "stack.run = 1", "trace.seed = null"));
        for (String line : refused) {
            Path whole = changed(file, line);
            assertThatThrownBy(() -> Experiment.read(List.of(whole), List.of(), 1))
                    .as(line)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(whole.toString())
                    .hasMessageContaining(line.replaceAll("[ .](foo|csv|size|run|seed|policy|events)?.*", ""));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "sweep = [{ axis = ram.size, values = [1 GB], steps = 3 }]                      | no 'steps'",
                "sweep = [{ axis = ram.sise, values = [1 GB] }]                                 | 'stack.ram.size'",
                "sweep = [{ axis = a, values = [{ label = x, set { ram.foo = 1 } }] }]          | 'stack.ram.foo'",
                "sweep = [{ axis = a, values = [{ label = x, set { trace.foo = 1 } }] }]        | 'trace.foo'",
                "sweep = [{ axis = a, values = [{ label = x, set {}, more = 1 }] }]             | no 'more'",
                "sweep = [{ axis = a, values = [{ label = x, set { ram = null } }] }]           | 'stack.ram' has no",
                "sweep = [{ axis = a, values = [{ label = x, set {} }] }, { axis = a, values = [{ label = y, set {} }] }] | two",
                "plots = [{ title = t, y-title = u, x = a, y = [hit-rate], only { a = x } }]    | no 'only'",
                "plots = [{ kind = timeline, title = t, y-title = u, series = [a] }]            | no 'series'",
                "plots = [{ kind = timeline, title = t, y-title = u, only { disks.count = 9 } }]| plots.only: no point",
                "claims = [{ says = s, kind = input, because = b, metric = capex, as = value, of {}, against {}, paper = 1, tolerance = 1 }] | against",
                "claims = [{ says = s, kind = input, because = b, metric = capex, as = value, of { a = null }, paper = 1, tolerance = 1 }] | claims.of: 0",
                "columns = [trace-torn], plots = []                                             | no 'trace-torn'",
                "model = packing, cache {}                                                      | neither",
            })
    void areRefusedInSweepsPlotsAndClaims(String line, String why) throws IOException {
        Path whole = changed(Path.of("../conf/simulator/fig-3.02.conf"), line);
        assertThatThrownBy(() -> Experiment.read(List.of(whole), List.of(), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @Test
    void theMessageSaysWhereTheNameStandsAndWhatIsNearest() throws IOException {
        Path whole = Files.writeString(
                directory.resolve("y.conf"),
                "title = t\nsource = s\nstack {\n  ram.sise = 1 GB\n}\ncolumns = [capex]\n");
        assertThatThrownBy(() -> Experiment.read(List.of(whole), List.of(), 1))
                .hasMessage(
                        "%s: 4: no parameter 'stack.ram.sise'; the nearest are 'stack.ram.size', 'stack.flash.size',"
                                        .formatted(whole)
                                + " 'stack.ram.policy'");
    }

    @Test
    void theSeedOfEachExperimentIsTheOneThatItsModelHas() {
        List<Path> files = Stream.of("cache-policies", "packing-reads", "fig-3.02")
                .map(name -> Path.of("../conf/simulator").resolve(name + ".conf"))
                .toList();
        for (List<Experiment> seeds : Experiment.read(files, List.of(), 3)) {
            assertThat(seeds.stream()
                            .map(one -> one.points().get(0).task().toString())
                            .distinct())
                    .as("different simulations of %s", seeds.get(0).name())
                    .hasSize(3);
        }
    }
}
