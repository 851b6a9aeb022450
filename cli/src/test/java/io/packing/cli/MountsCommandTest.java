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

/** What operators are told of all mounts of a master. */
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
