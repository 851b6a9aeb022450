// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of the rule with a writer of a worker's files, in virtual time. Times are in seconds. */
class SealPolicyTest {
    private static final Duration AFTER = Duration.ofMinutes(15);
    private static final int DAY = 86_400;

    /** The result of one run. */
    private static final class Run {
        private final SealPolicy rule;
        private int seals;
        private double longestWait;
        private long first = -1;
        private long last;

        Run(Duration after, double putsPerDay) {
            this(after, SealPolicy.QUIET, putsPerDay);
        }

        Run(Duration after, Duration quiet, double putsPerDay) {
            // Any origin will do: nanoTime() may be near its end.
            rule = new SealPolicy(new SealPolicy.SealOptions(after, quiet, putsPerDay), at(0));
        }

        private static long at(double seconds) {
            return Long.MAX_VALUE - Duration.ofHours(1).toNanos() + Math.round(seconds * 1e9);
        }

        /** Lets a file come. */
        void file(double seconds) {
            until(seconds);
            last = at(seconds);
            if (first == -1) {
                first = last;
                rule.opened(first);
            }
        }

        /** Lets time pass without a file. */
        void until(double seconds) {
            while (first != -1) {
                long next = rule.next(first, last, last);
                if (at(seconds) - next < 0) {
                    return;
                }
                Optional<SealPolicy.Cause> cause = rule.due(first, last, next);
                assertThat(cause).isPresent();
                rule.sealed(cause, first, last, next);
                seals++;
                longestWait = Math.max(longestWait, (next - first) / 1e9);
                first = -1;
            }
        }
    }

    @Test
    void aFileEveryHundredthOfASecondIsSealedByAgeAlone() {
        Run run = new Run(AFTER, 0);
        for (int i = 0; i < 360_000; i++) {
            run.file(i / 100.0);
        }
        run.until(2 * DAY);
        assertThat(run.seals).isEqualTo(4);
        assertThat(run.longestWait).isEqualTo(900);
    }

    @Test
    void whatEndsIsSealedSoon() {
        Run run = new Run(AFTER, 0);
        for (int i = 0; i < 5_000; i++) {
            run.file(i / 1_000.0);
        }
        run.until(5 + 5);
        assertThat(run.seals).isEqualTo(1);
        assertThat(run.longestWait).isBetween(9.9, 10.0);
    }

    @Test
    void batchesThatKeepComingAreWaitedForAfterAFewSeals() {
        Run run = new Run(AFTER, 0);
        for (int i = 0; i < DAY; i += 20) {
            run.file(i);
            run.file(i + 1);
        }
        // 5, 10 and 20 seconds were too short; afterwards only the age counts.
        assertThat(run.seals).isBetween(DAY / 900, DAY / 900 + 4);
        assertThat(run.longestWait).isEqualTo(900);
    }

    @Test
    void whatWasLearnedIsForgottenWhenNothingComesAnyMore() {
        Run run = new Run(AFTER, 0);
        int now = 0;
        for (; now < 3_600; now += 20) {
            run.file(now);
        }
        run.until(now += 3_600);
        run.longestWait = 0;
        int before = run.seals;
        for (int day = 0; day < 10; day++) {
            run.file(now);
            run.until(now += DAY);
        }
        assertThat(run.seals - before).isEqualTo(10);
        run.longestWait = 0;
        run.file(now);
        run.until(now + DAY);
        assertThat(run.longestWait).isEqualTo(5);
    }

    @Test
    void whoAsksForItLetsFilesWaitThoughNothingComes() {
        Run run = new Run(AFTER, Duration.ZERO, 0);
        run.file(0);
        run.until(899);
        assertThat(run.seals).isZero();
        run.until(DAY);
        assertThat(run.longestWait).isEqualTo(900);
        run.file(DAY);
        run.until(DAY + 899);
        assertThat(run.seals).isEqualTo(1);
    }

    @Test
    void nobodyWaitsLongerThanPromised() {
        Run run = new Run(Duration.ofSeconds(3), 0);
        for (int i = 0; i < 100; i++) {
            run.file(i);
        }
        run.until(DAY);
        // The file that comes at the third second is in the next blob.
        assertThat(run.seals).isEqualTo(34);
        assertThat(run.longestWait).isEqualTo(3);
    }

    @Test
    void aBudgetIsSpentAndNoMore() {
        Run run = new Run(AFTER, 1_440);
        for (int i = 0; i < DAY; i++) {
            run.file(i);
        }
        // One a minute; the first hour's worth may have been saved.
        assertThat(run.seals).isBetween(1_440 - 1, 1_440 + 61);
        assertThat(run.longestWait).isLessThanOrEqualTo(60);
    }

    @Test
    void theAgeIsKeptWhenTheBudgetIsSpent() {
        Run run = new Run(AFTER, 10);
        for (int i = 0; i < DAY; i++) {
            run.file(i);
        }
        assertThat(run.longestWait).isEqualTo(900);
    }
}
