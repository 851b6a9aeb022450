// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class DrainCommandTest {
    @TempDir
    private Path home;

    @Test
    void aWorkerPushesWhatItHasAndLeaves() throws Exception {
        try (CommandMount mount = CommandMount.start(home)) {
            mount.write("/d/a", new byte[5_000]);
            mount.write("/d/b", new byte[300]);
            CommandRun run = CommandRun.of("drain", "w1", "--json", "--master", mount.master());
            assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCodes.OK);
            JsonNode told = new ObjectMapper().readTree(run.out());
            assertThat(told.get("worker").asText()).isEqualTo("w1");
            assertThat(told.get("left").asBoolean()).isTrue();
            assertThat(told.get("stores").get(0).asText()).contains("store");
            assertThat(told.get("gone")).isEmpty();
            assertThat(mount.bdt().workers()).isEmpty();
            assertThat(mount.bdt().statistics().bufferedFiles()).isZero();
            assertThat(mount.read("/d/a")).hasSize(5_000);
            CommandRun again = CommandRun.of("drain", "w1", "--master", mount.master());
            assertThat(again.exitCode()).isEqualTo(ExitCodes.OK);
            assertThat(again.out()).contains("worker w1 has left ");
        }
    }

    /** A master hears of the workers of a mount that it opened anew with their next heartbeats. */
    @Test
    void aWorkerIsDrainedRightAfterItsMountWasOpenedAnew() throws Exception {
        try (CommandMount mount = CommandMount.start(home)) {
            mount.write("/d/a", new byte[5_000]);
            String uri = "packing://" + mount.master();
            CommandRun set = CommandRun.of("mounts", "set", "--option", "packing.gc.grace=2h", uri);
            assertThat(set.exitCode()).as(set.err()).isEqualTo(ExitCodes.OK);
            CommandRun run = CommandRun.of("drain", uri, "w1");
            assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCodes.OK);
            assertThat(mount.bdt().statistics().bufferedFiles()).isZero();
        }
    }

    @Test
    void aWorkerThatIsNotThereIsNamedWithThoseThatAre() throws Exception {
        try (CommandMount mount = CommandMount.start(home)) {
            CommandRun run = CommandRun.of("drain", "w2", "--master", mount.master());
            assertThat(run.exitCode()).isEqualTo(ExitCodes.NOT_FOUND);
            assertThat(run.err()).contains("'w2'", "there are: w1");
            assertThat(mount.bdt().workers()).hasSize(1);
        }
    }
}
