// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the report of all mounts of a master to operators. */
@Timeout(120)
class MountsCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path home;

    @BeforeAll
    static void setHome() {
        System.setProperty(
                "packing.home", Path.of("..").toAbsolutePath().normalize().toString());
    }

    @Test
    void mountsTellsWhatIsInAMountWhatWaitsAndWhatItCost() throws Exception {
        try (CommandMount mount = CommandMount.start(home)) {
            mount.write("/d/pushed", new byte[5_000]);
            mount.flush();
            mount.write("/d/waits", new byte[300]);
            CommandRun json = CommandRun.of("mounts", "--json", "--master", mount.master());
            assertThat(json.exitCode()).as(json.err()).isEqualTo(ExitCodes.OK);
            JsonNode told = JSON.readTree(json.out());
            assertThat(told).hasSize(1);
            JsonNode one = told.get(0);
            assertThat(one.get("store").asText()).contains(home.resolve("store").toString());
            assertThat(one.get("files").asLong()).isEqualTo(2);
            assertThat(one.get("buffered_files").asLong()).isEqualTo(1);
            assertThat(one.get("packed_bytes").asLong()).isEqualTo(5_000);
            assertThat(one.get("blobs").asLong()).isEqualTo(1);
            assertThat(one.get("requests").get("puts").asLong()).isPositive();
            assertThat(one.get("dollars").asDouble()).isPositive();
            assertThat(one.get("workers").get(0).get("worker").asText()).isEqualTo("w1");
            assertThat(one.get("workers").get(0).get("pushed_files").asLong()).isEqualTo(1);
            assertThat(one.get("problem").asText()).isEmpty();

            CommandRun text = CommandRun.of("mounts", "--master", mount.master());
            assertThat(text.out())
                    .contains(
                            "2 files in ", "1 wait for the store", "5,000 bytes of files are packed", "worker w1 at ");
        }
    }

    @Test
    void theOptionsOfAMountAreShownAndSetByItsNameAndByItsStore() throws Exception {
        try (CommandMount mount = CommandMount.start(home)) {
            String store = "file://" + home.resolve("store");
            CommandRun shown = CommandRun.of("mounts", "show", store, "--json", "--master", mount.master());
            assertThat(shown.exitCode()).as(shown.err()).isEqualTo(ExitCodes.OK);
            JsonNode told = JSON.readTree(shown.out());
            assertThat(told.get("options").get("packing.gc.grace").asText()).isEqualTo("1h");
            CommandRun set = CommandRun.of(
                    "mounts",
                    "set",
                    told.get("mount").asText(),
                    "--option",
                    "packing.gc.grace=2h",
                    "--master",
                    mount.master());
            assertThat(set.exitCode()).as(set.err()).isEqualTo(ExitCodes.OK);
            assertThat(set.out()).contains("  packing.gc.grace=2h\n", "  packing.dedup=none  (default)\n");
            mount.write("/f", new byte[10]);
            CommandRun there = CommandRun.of("mounts", "create", store, "--master", mount.master());
            assertThat(there.exitCode()).isNotEqualTo(ExitCodes.OK);
            assertThat(there.err()).contains("is there already", "packing mounts set");
            CommandRun other = CommandRun.of(
                    "bdt",
                    "ls",
                    "/",
                    "--option",
                    "packing.store=" + store,
                    "--option",
                    "packing.gc.grace=0s",
                    "--master",
                    mount.master());
            assertThat(other.exitCode()).isNotEqualTo(ExitCodes.OK);
            assertThat(other.err()).contains("packing.gc.grace=2h, and 0s is asked for");
        }
    }

    @Test
    void whatIsNoOptionOfTheMountForAllIsNotSetInSilence() {
        for (String command : List.of("create", "set")) {
            CommandRun run = CommandRun.of(
                    "mounts",
                    command,
                    "file:///s",
                    "--option",
                    "packing.gc.grace=2h",
                    "--option",
                    "packing.threads=4",
                    "--master",
                    "127.0.0.1:1");
            assertThat(run.exitCode()).isNotEqualTo(ExitCodes.OK);
            assertThat(run.err()).contains("packing.threads", "each process has its own");
        }
        CommandRun nothing = CommandRun.of("mounts", "set", "file:///s", "--master", "127.0.0.1:1");
        assertThat(nothing.err()).contains("nothing to set");
    }

    @Test
    void topPrintsALineForEachLook() throws Exception {
        try (CommandMount mount = CommandMount.start(home)) {
            mount.write("/f", new byte[10]);
            CommandRun run =
                    CommandRun.of("top", "--json", "--every", "10ms", "--count", "3", "--master", mount.master());
            assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCodes.OK);
            List<String> lines = run.out().lines().toList();
            assertThat(lines).hasSize(3);
            for (String line : lines) {
                assertThat(JSON.readTree(line).get("mounts").get(0).get("files").asLong())
                        .isEqualTo(1);
            }
            assertThat(JSON.readTree(lines.get(0)).get("seconds").asDouble()).isZero();
            assertThat(JSON.readTree(lines.get(2)).get("seconds").asDouble()).isPositive();
            assertThat(CommandRun.of("top", "--count", "1", "--master", mount.master())
                            .out())
                    .contains("DOLLARS/D", "  w1 ");
        }
    }

    @Test
    void looksThatWouldKeepTheMasterBusyAreRefused() {
        for (String[] words : new String[][] {{"--every", "0s"}, {"--every", "1ms"}, {"--count", "-1"}}) {
            CommandRun run = CommandRun.of("top", words[0], words[1], "--master", "127.0.0.1:1");
            assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
            assertThat(run.err()).contains(words[0] + " " + words[1] + ": ");
        }
    }

    @Test
    void aMasterThatIsNotThereAndAPriceTableThatIsNoneAreNamed() {
        CommandRun gone = CommandRun.of("mounts", "--timeout", "100ms", "--master", "127.0.0.1:1");
        assertThat(gone.exitCode()).isEqualTo(ExitCodes.UNAVAILABLE);
        assertThat(gone.err()).contains("127.0.0.1:1");
        CommandRun prices = CommandRun.of("mounts", "--prices", "free", "--master", "127.0.0.1:1");
        assertThat(prices.err()).contains("no price table 'free'", "s3-standard");
    }
}
