// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reading of clones with real processes, small. */
@Tag("process")
class SharedReadIT {
    @TempDir
    private Path figures = Path.of("");

    @Test
    void clonesAreFetchedAndHeldOnceAndCopiesAreNot() throws Exception {
        LabRun run =
                LabRun.of(("experiment shared-read --json --clones 3 --size 9MB --runs 1 --out " + figures).split(" "));
        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode json = new ObjectMapper().readTree(run.out());
        // Files of 9 MB share blobs, so a window that is read may have bytes of the next copy.
        double copies = json.get("copies").get("fetched_ratio").asDouble();
        assertThat(figures.resolve("shared-read.csv"))
                .content()
                .contains("clones,fetched,1.0", "copies,fetched,%.3f".formatted(copies));
        assertThat(figures.resolve("shared-read.png")).isNotEmptyFile();
        assertThat(json.get("fetched_ratio").asDouble()).isBetween(1.0, 1.02);
        assertThat(json.get("memory_ratio").asDouble()).isBetween(1.0, 1.1);
        assertThat(json.get("seconds_ratio").asDouble()).isPositive();
        assertThat(json.get("copies").get("fetched_ratio").asDouble()).isBetween(2.9, 3.1);
        assertThat(json.get("copies").get("memory_ratio").asDouble()).isBetween(2.9, 3.1);
        assertThat(json.get("own_caches").get("fetched_ratio").asDouble()).isBetween(2.9, 3.1);
        assertThat(json.get("own_caches").get("memory_ratio").asDouble()).isBetween(2.9, 3.1);
        // 9 MB fit in what may wait for the disk.
        assertThat(json.get("after_restart").get("fetched_ratio").asDouble()).isZero();
        // One reading of one file, and three of five ways to read three.
        assertThat(json.get("readings").asInt()).isEqualTo(1 + 5 * 3);
        assertThat(json.get("verified").asInt()).isEqualTo(1 + 5 * 3);
    }
}
