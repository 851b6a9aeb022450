// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulateCommandTest {
    private static final String CACHE = """
            title = "%s", source = "a test"
            cache { zipf { objects = 100, requests = 1000 } }
            sweep = [{ axis = policy, values = [lru] }]
            columns = [hits]
            """;

    @TempDir
    private Path directory = Path.of("");

    private String experiment(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name + ".conf"), text).toString();
    }

    @Test
    void anExperimentThatFailsDoesNotStopTheOthersButIsSaidAtTheEnd() throws IOException {
        Path trace = Files.writeString(directory.resolve("bad.csv"), "obj_id\n1\nx\n");
        String bad = experiment(
                "bad", CACHE.formatted("A bad trace") + "cache { format = csv, files = [\"%s\"] }".formatted(trace));
        String good = experiment("good", CACHE.formatted("A good one"));
        Path out = directory.resolve("out");
        CommandRun run = CommandRun.of("simulate", bad, good, "--out", out.toString(), "--quiet");
        assertThat(run.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(run.err()).contains("packing: bad failed:").contains("bad.csv");
        assertThat(run.out()).contains("A good one").doesNotContain("A bad trace");
        assertThat(Files.readString(out.resolve("report.html")))
                .contains("bad failed:")
                .contains("A good one");
        // Mended, only what failed is run, and the report is whole.
        Files.writeString(trace, "obj_id\n1\n1\n");
        CommandRun again = CommandRun.of("simulate", bad, good, "--out", out.toString());
        assertThat(again.exitCode()).isEqualTo(ExitCodes.OK);
        assertThat(Files.readString(out.resolve("report.html")))
                .contains("A bad trace")
                .doesNotContain("failed:");
    }

    @Test
    void withJsonOneValueIsPrinted() throws IOException {
        String file = experiment("cache", CACHE.formatted("For a program"));
        String out = directory.resolve("json").toString();
        CommandRun run = CommandRun.of("simulate", file, "--out", out, "--json");
        assertThat(run.exitCode()).isEqualTo(ExitCodes.OK);
        JsonNode told = new ObjectMapper().readTree(run.out());
        assertThat(told).hasSize(1);
        assertThat(told.get(0).get("title").asText()).isEqualTo("For a program");
        assertThat(told.get(0).get("points").get(0).get("metrics").get("hits").asDouble())
                .isPositive();
        assertThat(run.err()).isEmpty();
    }

    @Test
    void severalSeedsArePrintedAsMedianAndRange() throws IOException {
        String file = experiment("seeds", CACHE.formatted("Seeds"));
        String out = directory.resolve("seeds").toString();
        CommandRun run = CommandRun.of("simulate", file, "--out", out, "--seeds", "3", "--quiet");
        assertThat(run.exitCode()).isEqualTo(ExitCodes.OK);
        assertThat(run.out()).containsPattern("lru +\\d+ \\(\\d+ to \\d+\\)");
        assertThat(CommandRun.of("simulate", file, "--out", out, "--seeds", "0").exitCode())
                .isEqualTo(ExitCodes.USAGE);
    }
}
