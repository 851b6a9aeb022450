// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.farm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A test of the farm with its processes. */
@Tag("process")
class FarmTest {
    @TempDir
    private Path dir;

    private final StringWriter out = new StringWriter();

    private int farm(String... words) {
        CommandLine line = new CommandLine(new FarmCommand()).setOut(new PrintWriter(out));
        String[] all = new String[words.length + 2];
        System.arraycopy(words, 0, all, 0, words.length);
        all[words.length] = "--log";
        all[words.length + 1] = dir.resolve("log.csv").toString();
        return line.execute(all);
    }

    @Test
    void soundSchedulesAreLoggedOnce() throws Exception {
        assertThat(farm("--schedules", "3", "--operations", "50", "--seed", "7", "--processes", "2"))
                .as(out.toString())
                .isZero();
        assertThat(Files.readAllLines(dir.resolve("log.csv")))
                .hasSize(2)
                .last()
                .asString()
                .contains(",50,7,9,3,");
        assertThat(out.toString()).contains("\"schedules_in_log\":3", "\"unsound\":0");
    }

    @Test
    void sitesOfAllProcessesAreToldTogether() {
        assertThat(farm("--schedules", "4", "--operations", "50", "--seed", "7", "--processes", "2", "--sites"))
                .as(out.toString())
                .isZero();
        assertThat(out.toString())
                .contains("\"reached_without_a_fault_percent\"", " calls ")
                .containsOnlyOnce("{\"sites\":");
    }

    @Test
    void theFarmStopsAtAPlantedDefectAndMakesItsScheduleSmall() {
        assertThat(farm(
                        "--defect",
                        "BLOB_BELIEVED",
                        "--seed",
                        "1",
                        "--operations",
                        "500",
                        "--processes",
                        "1",
                        "--shrink",
                        "10"))
                .as(out.toString())
                .isEqualTo(1);
        assertThat(out.toString())
                .contains("making it small", "bin/lab simulate --story --schedules 1 --seed", "--defect BLOB_BELIEVED");
        assertThat(dir.resolve("log.csv")).doesNotExist();
    }

    @Test
    void aSeedOutOfTimeIsNotPlayed() {
        assertThat(farm("--hours", "0")).isEqualTo(2);
    }
}
