// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Benches of commands with real processes, small. */
@Tag("process")
class ShortBenchesIT {
    private static final Path CLONE = Path.of("../..").toAbsolutePath().normalize();

    @BeforeAll
    static void nameTheClone() {
        System.setProperty("packing.home", CLONE.toString());
    }

    private static JsonNode run(String words) throws Exception {
        LabRun run = LabRun.of((words + " --json").split(" "));
        assertThat(run.exitCode()).as(run.err()).isZero();
        return new ObjectMapper().readTree(run.out());
    }

    @Test
    void checksAndDumpsOfAMountAreMeasured() throws Exception {
        JsonNode json = run("bench metadata --files 1000 --files-per-blob 300");
        assertThat(json.get("files").asLong()).isEqualTo(1000);
        assertThat(json.get("blobs").asLong()).isEqualTo(4);
        assertThat(json.get("dump_file_bytes").asLong()).isPositive();
        assertThat(json.get("taken"))
                .extracting(taken -> taken.get("command").asText())
                .containsExactly("fsck", "fsck --verify", "dump");
        assertThat(json.get("taken"))
                .allSatisfy(taken -> assertThat(taken.get("seconds").asDouble()).isPositive());
    }
}
