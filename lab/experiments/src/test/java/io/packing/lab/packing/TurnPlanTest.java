// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.packing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.packing.lab.compare.AnsweredRequests;
import io.packing.lab.compare.IngestReport;
import io.packing.lab.compare.Measurement;
import io.packing.lab.compare.PutTimeline;
import io.packing.lab.compare.RunOrigin;
import io.packing.lab.direct.DirectKind;
import io.packing.lab.load.Meter;
import io.packing.options.PriceTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TurnPlanTest {
    private static final Path STANDARD = Path.of("../../conf/prices/s3-standard.properties");
    private static final long FILES = 100;

    private final List<String> parts = new ArrayList<>();

    private static Meter.Metered metered(double acknowledged, double seconds, long put, long throttled) {
        AnsweredRequests requests = new AnsweredRequests(put, 0, 0, 0, throttled, 0);
        return new Meter.Metered(
                new Measurement(FILES, 10, acknowledged, seconds, requests, requests, FILES),
                new PutTimeline(List.of()));
    }

    /** Plays a plan whose packed runs take 4, 6 and 5 seconds, and whose direct clients take 60. */
    private IngestResult play(TurnPlan plan) throws IOException, InterruptedException {
        IngestSpec spec = new IngestSpec(FILES, 10, 1, FILES, PriceTable.read(STANDARD));
        double[] seconds = {4, 6, 5};
        return plan.play(
                spec,
                turn -> {
                    parts.add("packed");
                    return metered(3, seconds[turn], 1, 0);
                },
                kind -> {
                    parts.add(kind.label());
                    return new DirectRun(kind.label(), "as it ships", 2, metered(60, 60, FILES, 8));
                });
    }

    @Test
    void aPackedRunIsBeforeEachClientAndTheRestFollows() throws Exception {
        IngestResult unused = play(new TurnPlan(3, List.of(DirectKind.SDK, DirectKind.S3A)));
        assertThat(parts).containsExactly("packed", "sdk", "packed", "s3a", "packed");
    }

    @Test
    void thereAreAsManyPackedRunsAsClientsAtLeast() throws Exception {
        IngestResult unused = play(new TurnPlan(1, List.of(DirectKind.values())));
        assertThat(parts).containsExactly("packed", "sdk", "packed", "s3a", "packed", "paced");
    }

    @Test
    void theRunInTheMiddleStandsForAllAndTheRatioHasTheSpreadOfAll() throws Exception {
        IngestReport report = play(new TurnPlan(3, List.of(DirectKind.SDK))).report(new RunOrigin("", "", Map.of()));
        assertThat(report.comparison().packed().seconds()).isEqualTo(5);
        assertThat(report.comparison().ratio().seconds()).isEqualTo(12);
        assertThat(report.baselines().get(0).secondsRatio().least()).isEqualTo(10);
        assertThat(report.baselines().get(0).secondsRatio().median()).isEqualTo(12);
        assertThat(report.baselines().get(0).secondsRatio().most()).isEqualTo(15);
        assertThat(report.baselines().get(0).repeated()).isEqualTo(2);
        assertThat(report.baselines().get(0).throttledPer1000()).isEqualTo(80);
        assertThat(report.durableToAcknowledged().median()).isEqualTo(5.0 / 3, within(1e-9));
    }

    @Test
    void aClientThatIsNamedTwiceIsRefused() {
        assertThatThrownBy(() -> new TurnPlan(1, List.of(DirectKind.SDK, DirectKind.SDK)))
                .hasMessageContaining("--direct");
    }
}
