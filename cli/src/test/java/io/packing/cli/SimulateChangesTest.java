// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of {@code --set}: it changes the settings that an experiment reads, and no others. */
class SimulateChangesTest {
    private static final Path CONF = Path.of("../conf/simulator");
    private static final String CACHE = """
            title = "Policies", source = "a test"
            cache { zipf { objects = 100, requests = 1000 } }
            sweep = [{ axis = policy, values = [lru] }]
            columns = [hits, requests]
            """;

    @TempDir
    private Path directory = Path.of("");

    private CommandRun simulate(List<String> files, String... changes) {
        Stream<String> words = Stream.concat(
                Stream.concat(Stream.of("simulate"), files.stream()),
                Stream.concat(
                        Stream.of("--quiet", "--out", directory.resolve("out").toString()),
                        Stream.of(changes).flatMap(change -> Stream.of("--set", change))));
        return CommandRun.of(words.toArray(String[]::new));
    }

    private String cache() throws IOException {
        return Files.writeString(directory.resolve("cache.conf"), CACHE).toString();
    }

    private static Stream<Arguments> everyExperimentAndWhatNoneHas() throws IOException {
        try (Stream<Path> files = Files.walk(CONF)) {
            List<Path> all = files.filter(file -> file.toString().endsWith(".conf"))
                    .sorted()
                    .toList();
            return all.stream()
                    .flatMap(file -> Stream.of(
                                    "foo=1",
                                    "foo.bar=1",
                                    "cache.foo=1",
                                    "trace.foo=1",
                                    "foo=null",
                                    "foo={}",
                                    "sweep=[]",
                                    "stack.foo=1",
                                    "events.foo=1",
                                    "csv.objct=1",
                                    "files.0=a.htfs",
                                    "columns=[hits]")
                            .map(change -> Arguments.of(file.toString(), change)));
        }
    }

    @ParameterizedTest
    @MethodSource("everyExperimentAndWhatNoneHas")
    void whatAnExperimentDoesNotHaveIsRefusedByNameBeforeAnythingRuns(String file, String change) {
        CommandRun run = simulate(List.of(file), change);
        assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCodes.USAGE);
        assertThat(run.err()).contains("--set " + change).contains(change.replaceAll("=.*", ""));
        assertThat(directory.resolve("out")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "foo=1|cache.f",
                "csv.objct=id|csv.object",
                "cache.csv.objct=id|cache.csv.object",
                "csv=5|csv.delimiter",
                "size.of=5|size",
                "zipf.requests=null|zipf.requests",
                "trace.events=2000000|cache",
                "events=2000000|cache",
                "policy=lru|sweep",
                "csv.object=id|zipf",
                "bytes=|bytes",
                "bytes|NAME=VALUE",
                "size=5\"|--set",
                "size=${x}|--set",
                "include \"other.conf\"|NAME=VALUE",
            })
    void theErrorOfACacheAloneSaysWhatIsMeant(String change, String meant) throws IOException {
        CommandRun run = simulate(List.of(cache()), change);
        assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCodes.USAGE);
        assertThat(run.err()).contains("--set " + change).contains(meant);
    }

    @Test
    void aChangeMayNameTheSectionOrLeaveItOut() throws IOException {
        for (String change :
                List.of("zipf.requests=3000", "cache.zipf.requests=3e3", "zipf{requests=3k}", "zipf.requests=3_000")) {
            CommandRun run = simulate(List.of(cache()), change);
            assertThat(run.out()).as(run.err()).containsPattern("lru +\\d+ +3000\n");
        }
        CommandRun twice = simulate(List.of(cache()), "size=5", "cache.size=6");
        assertThat(twice.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(twice.err()).contains("cache.size").contains("twice");
    }

    @Test
    void theNameOfACsvColumnIsTakenAsTheDocumentationWritesIt() throws IOException {
        Path trace = Files.writeString(directory.resolve("t.csv"), "at,what\n1,7\n2,7\n");
        CommandRun run = simulate(List.of(cache()), "format=csv", "files=[\"%s\"]".formatted(trace), "csv.object=what");
        assertThat(run.out()).as(run.err()).containsPattern("lru +1 +2\n");
    }

    @Test
    void ofSeveralExperimentsOneThatHasTheChangeIsEnough() throws IOException {
        List<String> files = List.of(cache(), CONF.resolve("fig-3.02.conf").toString());
        assertThat(simulate(files, "events=1000", "zipf.requests=500").err())
                .as("both changes arrived: the trace is too short, and the cache's is not refused")
                .contains("events: 1,000 are too few");
        CommandRun refused = simulate(files, "evnts=1000000");
        assertThat(refused.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(refused.err()).contains("--set evnts=1000000").contains("events");
    }

    @Test
    void aTraceThatIsNotPlayedCannotBeChanged() {
        CommandRun ingest = simulate(List.of(CONF.resolve("packing-reads.conf").toString()), "events=2000000");
        assertThat(ingest.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(ingest.err()).contains("--set events=2000000").contains("workload");
        CommandRun swept =
                simulate(List.of(CONF.resolve("studies/keep-by-trace-size.conf").toString()), "trace.events=2000000");
        assertThat(swept.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(swept.err()).contains("sweep");
        CommandRun recorded =
                simulate(List.of(CONF.resolve("fig-3.02.conf").toString()), "files=[a.htfs]", "compaction-speed=1 MB");
        assertThat(recorded.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(recorded.err()).contains("--set compaction-speed=1 MB").contains("recorded");
    }
}
