// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Experiments with servers of other projects, whole and small: the command as a user types it, and its result. */
@Timeout(900)
@Tag("experiment")
class SmallExperimentsIT {
    private static JsonNode run(String words) throws Exception {
        LabRun run = LabRun.of((words + " --json").split(" "));
        assertThat(run.exitCode()).as(run.err()).isZero();
        return new ObjectMapper().readTree(run.out());
    }

    @Test
    void theDoorIsMeasuredBesideAnUnderFileSystemThatDoesNothing() throws Exception {
        JsonNode json = run("experiment door --files 200 --clients 8 --workers 1 --warm-up 100 --runs 1");
        assertThat(json.get("files").asLong()).isEqualTo(200);
        assertThat(json.get("ratio").asDouble()).isPositive();
        for (String side : new String[] {"packing", "noop"}) {
            assertThat(json.get(side).get("files_per_second").asDouble())
                    .as(side)
                    .isPositive();
            assertThat(json.get(side).get("runs")).as(side).hasSize(1);
            assertThat(json.get(side).get("cpu_ms_per_file")).as(side).isNotEmpty();
        }
    }

    @Test
    void theIngestAtAlluxiosDoorHasACeilingAndAModelBesideIt() throws Exception {
        JsonNode json = run("experiment ingest --door alluxio --files 120 --clients 4 --workers 2 --warm-up 40 --runs 2"
                + " --put-limit 300");
        assertThat(json.get("packed_runs"))
                .hasSize(2)
                .allMatch(each -> each.get("verified").asLong() == 120);
        assertThat(json.get("packed").get("seconds").asDouble())
                .isGreaterThanOrEqualTo(
                        json.get("packed").get("acknowledged_seconds").asDouble());
        assertThat(json.get("baselines"))
                .extracting(each -> each.get("client").asText())
                .containsExactly("alluxio");
        assertThat(json.get("direct").get("verified").asLong()).isEqualTo(120);
        assertThat(json.get("noop").get(0).get("seconds")).hasSize(2);
        assertThat(json.get("noop").get(0).get("packed_to_noop").get("median").asDouble())
                .isPositive();
        JsonNode model = json.get("model").get(0);
        assertThat(model.get("kind").asText()).isEqualTo("a model, not a measurement");
        assertThat(model.get("machines").asInt()).isEqualTo(4);
        assertThat(model.get("millis").get("worker").asDouble()).isPositive();
        assertThat(model.get("assumptions")).isNotEmpty();
    }

    @Test
    void aDirectoryIsReadBackWithFewerRequestsThanFiles() throws Exception {
        JsonNode json = run("experiment read --files 200 --threads 2");
        assertThat(json.get("files").asLong()).isEqualTo(200);
        assertThat(json.get("verified").asLong()).isEqualTo(200);
        assertThat(json.get("get").asLong()).isBetween(1L, 100L);
    }

    @Test
    void hbaseAnswersOnAMountAndOnHdfs() throws Exception {
        JsonNode json = run("experiment hbase --records 100 --operations 400 --warm-up 100 --clients 2 --rounds 1");
        assertThat(json.get("records").asInt()).isEqualTo(100);
        assertThat(json.get("operations").asInt()).isEqualTo(400);
        assertThat(json.get("ratio").asDouble()).isPositive();
    }

    @Test
    void sqliteHasEachAcknowledgedRowAfterAKillOfWriterMountAndWorker() throws Exception {
        LabRun run = LabRun.of("experiment databases --transactions 5 --rounds 1 --kills 1 --json".split(" "));
        assumeFalse(run.err().contains("sqlite3 is neither"), "it needs sqlite3: apt-get install sqlite3");
        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode json = new ObjectMapper().readTree(run.out());
        assertThat(json.get("rows")).hasSize(2).allMatch(row -> row.get("ratio").asDouble() > 0);
        assertThat(json.get("kills"))
                .hasSize(2)
                .allMatch(kill -> kill.get("acknowledged").asInt() >= 5)
                .allMatch(kill -> kill.get("missing").asInt() == 0)
                .allMatch(kill -> kill.get("integrity").asText().equals("ok"));
    }

    @Test
    void thePageIsLoadedByABrowserAndPolledBesideAnIngest() throws Exception {
        LabRun first = LabRun.of("bench page --mounts 3 --workers 6 --loads 1 --json".split(" "));
        assumeFalse(first.err().contains("there is no chromium"), "it needs chromium: apt-get install chromium");
        assertThat(first.exitCode()).as(first.err()).isZero();
        JsonNode loaded = new ObjectMapper().readTree(first.out());
        assertThat(loaded.get("loads")).hasSize(1);
        assertThat(loaded.get("first_paint_ms").asDouble()).isPositive();
        assertThat(loaded.get("numbers_ms").asDouble()).isPositive();
        JsonNode polled = run("bench page --ingest --files 400 --rounds 1 --pages 1 --idle-seconds 1");
        assertThat(polled.get("ratio").asDouble()).isPositive();
    }
}
