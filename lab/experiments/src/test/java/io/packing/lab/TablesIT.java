// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Writers of real table formats, small: the command as a user types it. */
@Tag("process")
class TablesIT {
    @Test
    void twoWritersCommitToEachFormatAndOneIsKilled() throws Exception {
        LabRun run = LabRun.of("experiment tables --races 5 --kills 1 --json".split(" "));
        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode json = new ObjectMapper().readTree(run.out());
        for (String format : new String[] {"iceberg", "iceberg_pair", "delta", "delta_log_store"}) {
            JsonNode figures = json.get(format);
            assertThat(figures.get("races").asInt()).as(format).isEqualTo(5);
            assertThat(figures.get("commits").asInt()).as(format).isGreaterThan(10);
            assertThat(figures.get("kills").asInt()).as(format).isEqualTo(1);
            for (String none : new String[] {"lost", "twice", "broken"}) {
                assertThat(figures.get(none).asInt()).as(format + " " + none).isZero();
            }
        }
        // Both writers of a race of Delta Lake write upon one version, and one of them has to lose.
        assertThat(json.get("delta").get("conflicts").asInt()).isEqualTo(5);
        assertThat(json.get("delta_log_store").get("conflicts").asInt()).isEqualTo(5);
    }
}
