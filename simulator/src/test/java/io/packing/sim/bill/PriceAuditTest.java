// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.bill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.packing.options.PriceTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PriceAuditTest {
    private static final PriceTable S3 = new PriceTable(0.005, 0.005, 0.0004, 0.0004, 1e9, 0.023, 0, 3_500);
    private static final BilledRequests COUNTED = new BilledRequests(1_000, 10, 500, 20, 7, 3, 1);

    @TempDir
    private Path directory = Path.of("");

    private static BillPrediction prediction(double puts, PriceTable prices) {
        return new BillPrediction("a model", puts, 10, 500, 20, 4096, prices.requests(puts, 10, 500, 20));
    }

    private static List<String> failed(PriceAudit audit) {
        return audit.failures().stream().map(PriceAudit.Row::what).toList();
    }

    @Test
    void aPredictionWithinTheToleranceHolds() {
        assertThat(failed(PriceAudit.of(prediction(1_009, S3), COUNTED, Optional.of(4096.0), S3, false, 0.01)))
                .isEmpty();
        assertThat(failed(PriceAudit.of(prediction(991, S3), COUNTED, Optional.empty(), S3, false, 0.01)))
                .isEmpty();
        assertThat(failed(PriceAudit.of(prediction(1_011, S3), COUNTED, Optional.empty(), S3, false, 0.01)))
                .contains("PUT");
    }

    /** The requests are right, and the price of one of them was wrong when the prediction was made. */
    @Test
    void aPredictionByAWrongPriceFailsThoughItsRequestsAreRight() {
        PriceTable wrong = new PriceTable(0.0051, 0.005, 0.0004, 0.0004, 1e9, 0.023, 0, 3_500);
        PriceAudit audit = PriceAudit.of(prediction(1_000, wrong), COUNTED, Optional.empty(), S3, false, 0.01);
        assertThat(failed(audit)).containsExactly("dollars");
        assertThat(audit.failures().get(0).deviation().orElseThrow()).isCloseTo(0.0001 / 0.005258, within(1e-9));
    }

    @Test
    void readsThatTheModelDoesNotKnowAreMissedUnlessOnlyWritesAreAudited() {
        BillPrediction writes = new BillPrediction("an estimate", 1_000, 10, 0, 0, 0, S3.requests(1_000, 10, 0, 0));
        assertThat(failed(PriceAudit.of(writes, COUNTED, Optional.empty(), S3, false, 0.01)))
                .containsExactly("dollars");
        assertThat(failed(PriceAudit.of(writes, COUNTED, Optional.empty(), S3, true, 0.01)))
                .isEmpty();
    }

    @Test
    void aNumberThatWasPredictedAndNotCountedFails() {
        PriceAudit audit = PriceAudit.of(prediction(5, S3), BilledRequests.NONE, Optional.empty(), S3, false, 0.01);
        assertThat(failed(audit)).containsExactly("PUT", "dollars");
        assertThat(audit.failures().get(0).deviation()).isEmpty();
    }

    @Test
    void twoCountsAgreeInPutsAndDollars() {
        assertThat(failed(PriceAudit.ofCounts(COUNTED, COUNTED, S3, 0))).isEmpty();
        assertThat(failed(PriceAudit.ofCounts(COUNTED, new BilledRequests(1_000, 10, 480, 20, 9, 0, 0), S3, 0.01)))
                .isEmpty();
        assertThat(failed(PriceAudit.ofCounts(COUNTED, new BilledRequests(1_020, 10, 500, 20, 7, 3, 1), S3, 0.01)))
                .containsExactly("PUT", "dollars");
    }

    @Test
    void anEstimateThatIsNoneIsRefusedByName() throws IOException {
        Path file = Files.writeString(
                directory.resolve("e.json"),
                "{\"recommended\": {\"puts\": 3, \"stored_bytes\": 10, \"request_dollars\": 0.000015}, \"direct\": {\"puts\": 7}}");
        assertThat(EstimateFile.read(file, "recommended").puts()).isEqualTo(3);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EstimateFile.read(file, "direct"))
                .withMessageContaining("direct.stored_bytes");
        Path torn = Files.writeString(directory.resolve("torn.json"), "{\"recommended\": {");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EstimateFile.read(torn, "direct"))
                .withMessageContaining("torn.json");
    }
}
