// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.options.PriceTable;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** Tests of the result of the demonstration, as programs and people read it. */
class DoorComparisonsTest {
    private static final PriceTable PRICES = new PriceTable(0.005, 0.005, 0.0004, 0.0004, 1 << 30, 0.023, 0, 3_500);
    private static final AnsweredRequests NOTHING = new AnsweredRequests(0, 0, 0, 0, 0, 0);

    private static CostComparison comparison(double packedSeconds, double directSeconds, long verified) {
        Measurement packed =
                new Measurement(1_000, 8_192, packedSeconds, new AnsweredRequests(3, 2, 0, 0, 0, 9), NOTHING, verified);
        Measurement direct = new Measurement(
                1_000, 8_192, directSeconds, new AnsweredRequests(1_000, 0, 1_000, 0, 7, 9), NOTHING, 1_000);
        return CostComparison.of(SideResult.of(packed, PRICES), SideResult.of(direct, PRICES));
    }

    @Test
    void programsFindAlluxiosComparisonAtTheTopAndBothByTheirDoors() {
        DoorComparisons doors = new DoorComparisons(comparison(5, 20, 1_000), comparison(2, 34, 1_000));
        JsonNode json = new ObjectMapper().valueToTree(doors);
        assertThat(json.get("ratio").get("seconds").asDouble()).isEqualTo(4, within(1e-9));
        assertThat(json.get("packed").get("put").asLong()).isEqualTo(3);
        assertThat(json.get("doors").get("alluxio").get("ratio")).isEqualTo(json.get("ratio"));
        assertThat(json.get("doors").get("hadoop").get("ratio").get("seconds").asDouble())
                .isEqualTo(17, within(1e-9));
    }

    @Test
    void peopleReadALineForEachSideAndOneForEachDoor() {
        StringWriter text = new StringWriter();
        new DoorComparisons(comparison(5, 20, 1_000), comparison(2, 34, 1_000)).print(new PrintWriter(text, true));
        assertThat(text.toString().lines())
                .anyMatch(line -> line.matches("Hadoop on packing +2\\.0 +5 .*"))
                .anyMatch(line -> line.matches("Hadoop on S3A +34\\.0 +2,000 .*"))
                .anyMatch(line -> line.matches("Alluxio on its own S3 +20\\.0 +2,000 .*"))
                .contains("  packing is 17.0 times as fast, for 1/400 of the requests and 1/633 of the dollars")
                .contains("4,000 of 4,000 files came back as they were written.");
    }

    @Test
    void aFileThatDoesNotComeBackAtEitherDoorFailsTheRun() {
        assertThat(new DoorComparisons(comparison(5, 20, 1_000), comparison(2, 34, 1_000)).isComplete())
                .isTrue();
        assertThat(new DoorComparisons(comparison(5, 20, 999), comparison(2, 34, 1_000)).isComplete())
                .isFalse();
        assertThat(new DoorComparisons(comparison(5, 20, 1_000), comparison(2, 34, 999)).isComplete())
                .isFalse();
    }
}
