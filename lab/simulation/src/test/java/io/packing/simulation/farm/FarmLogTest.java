// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.farm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of the log of schedules that were played. */
class FarmLogTest {
    @TempDir
    private Path dir;

    private static FarmLog.Run run(String commit, long first, long schedules) {
        return new FarmLog.Run(
                "2026-11-30",
                commit,
                1_000,
                first,
                first + schedules - 1,
                schedules,
                0.5,
                0.25,
                List.of(first + 1, first + 2),
                "a \"note\", with a comma");
    }

    @Test
    void aLogThatIsNotThereIsEmpty() throws IOException {
        assertThat(new FarmLog(dir.resolve("none.csv")).sums("abc")).isEqualTo(new FarmLog.Sums(0, 0, 0, 1));
    }

    @Test
    void theNextRunGoesOnBehindAllSeeds() throws IOException {
        FarmLog log = new FarmLog(dir.resolve("made/log.csv"));
        log.append(run("abc", 1_000, 50));
        log.append(run("def", 10, 7));
        assertThat(log.sums("def")).isEqualTo(new FarmLog.Sums(57, 1.0, 7, 1_050));
        assertThat(Files.readAllLines(dir.resolve("made/log.csv")))
                .hasSize(3)
                .last()
                .isEqualTo("2026-11-30,def,1000,10,16,7,0.500,0.250,11 12,\"a 'note', with a comma\"");
    }

    @Test
    void aRowThatIsNoneIsNamed() throws IOException {
        Path file = Files.writeString(dir.resolve("log.csv"), "head\n1,2\n");
        assertThatThrownBy(() -> new FarmLog(file).sums("abc"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the row '1,2'");
    }

    /** The farm goes on behind this log's seeds. */
    @Test
    void theLogOfTheProjectIsReadable() throws IOException {
        FarmLog.Sums sums = new FarmLog(Path.of("../../docs/measurements/simulation.csv")).sums("aebbf3ae8");
        assertThat(sums.schedules()).isGreaterThanOrEqualTo(1_306);
        assertThat(sums.ofCommit()).isGreaterThanOrEqualTo(344);
        assertThat(sums.nextSeed()).isGreaterThan(11_059);
    }
}
