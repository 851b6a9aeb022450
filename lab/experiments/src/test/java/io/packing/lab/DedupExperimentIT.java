// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sharing of equal files with real processes, small. */
@Tag("experiment")
class DedupExperimentIT {
    @TempDir
    private Path figures = Path.of("");

    @Test
    void copiesAreStoredOnce() throws Exception {
        LabRun run = LabRun.of(("experiment dedup --json --files 200 --size 1MB --runs 1 --out " + figures).split(" "));
        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode json = new ObjectMapper().readTree(run.out());
        assertThat(figures.resolve("dedup.csv")).content().contains("as written,stored_ratio,2.0");
        assertThat(figures.resolve("dedup.png")).isNotEmptyFile();
        assertThat(json.get("before").get("stored_ratio").asDouble()).isBetween(2.0, 2.1);
        assertThat(json.get("afterwards").get("stored_ratio").asDouble()).isBetween(1.0, 1.05);
        assertThat(json.get("when_written").get("stored_ratio").asDouble()).isBetween(1.0, 1.05);
        assertThat(json.get("wrong").asLong()).isZero();
        assertThat(json.get("different").get("ratio").asDouble()).isPositive();
    }
}
