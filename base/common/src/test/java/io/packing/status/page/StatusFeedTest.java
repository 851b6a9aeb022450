// SPDX-License-Identifier: Apache-2.0
package io.packing.status.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class StatusFeedTest {
    private static final Clock WALL = Clock.fixed(Instant.ofEpochMilli(1_000), ZoneOffset.UTC);

    private static final Duration EVERY = Duration.ofSeconds(10);

    private long nanos;
    private DaemonReport report = Reports.of(1, 2, 0);

    private StatusFeed feed() {
        return new StatusFeed(() -> report, WALL, () -> nanos, EVERY);
    }

    private void pass(int seconds) {
        nanos += TimeUnit.SECONDS.toNanos(seconds);
    }

    private static String text(StatusFeed feed) {
        return new String(feed.json(), StandardCharsets.UTF_8);
    }

    @Test
    void ratesAreThoseSinceAnEarlierSample() {
        StatusFeed feed = feed();
        feed.sample();
        pass(10);
        report = Reports.of(1, 2, 50);
        feed.sample();
        assertThat(text(feed))
                .contains("\"files_per_s\":5,\"bytes_per_s\":5000", "\"pushed_files_per_s\":[null,10]")
                .contains("\"files_per_s\":10,\"bytes_per_s\":10000}");
    }

    /** The page once showed 12.6 kB/s beside a plot that ended at 23.2 kB/s. */
    @Test
    void theRatesOfAPageAreThoseAtTheEndOfItsPlots() {
        StatusFeed feed = feed();
        long[] pushed = {0, 30, 230};
        for (long files : pushed) {
            report = Reports.of(1, 2, files);
            feed.sample();
            pass(10);
        }
        report = Reports.of(1, 2, 260);
        assertThat(text(feed))
                .contains("\"pushed_files_per_s\":[null,6,40]", "\"pushed_bytes_per_s\":[null,6000,40000]")
                .as("of all workers")
                .contains("\"files_per_s\":40,\"bytes_per_s\":40000}")
                .as("of a worker")
                .contains("\"files_per_s\":20,\"bytes_per_s\":20000,");
    }

    @Test
    void aWorkerThatBeganAnewHasNoNegativeRate() {
        report = Reports.of(1, 1, 500);
        StatusFeed feed = feed();
        feed.sample();
        pass(10);
        report = Reports.of(1, 1, 1);
        feed.sample();
        assertThat(text(feed)).contains("\"pushed_files_per_s\":[null,0]").doesNotContain(":-", "[-", ",-");
    }

    @Test
    void theHistoryIsTheLastHour() {
        StatusFeed feed = feed();
        for (int i = 0; i < 2 * SampleHistory.SAMPLES; i++) {
            report = Reports.report(List.of(), List.of(Reports.worker("m", "w", i, 0)));
            feed.sample();
            pass(10);
        }
        String text = text(feed);
        String plot = text.substring(text.indexOf("\"oldest_seconds\":[") + 18);
        assertThat(plot.substring(0, plot.indexOf(']')).split(","))
                .hasSize(SampleHistory.SAMPLES)
                .startsWith("360", "361")
                .endsWith("719");
    }

    @Test
    void aDayCostsWhatTheLastHourDidTimesTwentyFour() {
        StatusFeed feed = feed();
        feed.sample();
        pass(3_600);
        DaemonReport.RequestRow row = report.requests().get(0);
        report = new DaemonReport(
                "d",
                "n",
                List.of(),
                List.of(),
                List.of(new DaemonReport.RequestRow(
                        "master", row.puts(), 0, 0, 0, 0, 0, 0, row.dollars().map(sum -> sum + 1))),
                List.of(),
                List.of(),
                List.of(),
                report.problem(),
                List.of());
        assertThat(text(feed)).contains("\"dollars\":1.25,\"dollars_per_day\":24,");
    }

    @Test
    void aReportThatFailsIsAProblemAndAGap() {
        boolean[] broken = {false};
        StatusFeed feed = new StatusFeed(
                () -> {
                    if (broken[0]) {
                        throw new StackOverflowError("planted");
                    }
                    return report;
                },
                WALL,
                () -> nanos,
                EVERY);
        feed.sample();
        pass(10);
        broken[0] = true;
        feed.sample();
        assertThat(text(feed)).contains("planted", "\"buffered_bytes\":[1400,null]", "\"daemon\":\"BDT master\"");
        broken[0] = false;
        pass(10);
        feed.sample();
        assertThat(text(feed)).doesNotContain("planted").contains("\"buffered_bytes\":[1400,null,1400]");
    }

    @Test
    void aHundredMountsOfAThousandWorkersAreABoundedPageWithWhoWaitsLongest() {
        report = Reports.of(100, 1_000, 3);
        StatusFeed feed = feed();
        feed.sample();
        String text = text(feed);
        assertThat(text.length()).isLessThan(500_000);
        assertThat(text).contains("\"workers\":100000", "\"oldest_seconds\":999", "worker-990\"");
        assertThat(text).doesNotContain("worker-989\"").contains("s3://bucket/99\"");
    }
}
