// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of {@code simulate --check}; {@code ClaimCheckTest} checks the experiments of the project. */
class SimulateCheckTest {
    private static final String CLAIM = """
            { says = "%s", kind = %s, metric = requests, as = value, of {}, paper = %d, tolerance = 10, because = "a test" }
            """;

    @TempDir
    private Path directory = Path.of("");

    private String experiment(String claims) throws IOException {
        return Files.writeString(directory.resolve("claims.conf"), """
                        title = "A cache", source = "§1"
                        cache { zipf { objects = 100, requests = 1000 } }
                        sweep = [{ axis = policy, values = [lru] }]
                        columns = [hits]
                        claims = [ %s ]
                        """.formatted(claims))
                .toString();
    }

    @Test
    void claimsThatHoldAreCountedByTheirKind() throws IOException {
        String file = experiment(CLAIM.formatted("a", "prediction", 1000)
                + CLAIM.formatted("b", "prediction", 1005)
                + CLAIM.formatted("c", "identity", 1000)
                + CLAIM.formatted("d", "input", 1000));
        CommandRun run = CommandRun.of("simulate", file, "--check", "--json");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCodes.OK);
        JsonNode told = new ObjectMapper().readTree(run.out());
        assertThat(told.get("claims").asInt()).isEqualTo(4);
        assertThat(told.get("held").asInt()).isEqualTo(2);
        assertThat(told.get("failed").asInt()).isZero();
        assertThat(told.get("identities").asInt()).isEqualTo(1);
        assertThat(told.get("list").get(2).get("where").asText()).isEqualTo("§1");
        assertThat(run.err()).isEmpty();
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).as("files beside the experiment").hasSize(1);
        }
    }

    @Test
    void aClaimOfAnyKindThatLeavesItsToleranceFailsTheCommand() throws IOException {
        for (String kind : new String[] {"prediction", "identity", "input"}) {
            String file =
                    experiment(CLAIM.formatted("right", "prediction", 1000) + CLAIM.formatted("wrong", kind, 900));
            CommandRun run = CommandRun.of("simulate", file, "--check", "--quiet");
            assertThat(run.exitCode()).as(kind).isEqualTo(ExitCodes.FAILED);
            assertThat(run.out()).contains("2 claims: 1 predictions held").contains("1 failed");
        }
    }

    @Test
    void withoutACheckAFileAndAFolderAreWanted() throws IOException {
        assertThat(CommandRun.of("simulate").exitCode()).isEqualTo(ExitCodes.USAGE);
        CommandRun run = CommandRun.of("simulate", experiment(""));
        assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(run.err()).contains("--out").contains("--check");
    }

    @Test
    void aSettingThatNoExperimentReadsIsRefused() throws IOException {
        CommandRun run = CommandRun.of("simulate", experiment(""), "--check", "--set", "foo=1");
        assertThat(run.exitCode()).isNotEqualTo(ExitCodes.OK);
        assertThat(run.err()).contains("foo");
    }
}
