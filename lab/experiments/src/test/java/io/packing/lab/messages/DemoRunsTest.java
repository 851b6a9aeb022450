// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.packing.hbase.check.Completeness;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoRunsTest {
    private static final Completeness COMPLETE = new Completeness(1, 2, 2, 0, 0, List.of(), List.of());
    private static final Completeness HOLE = new Completeness(1, 2, 2, 1, 0, List.of(), List.of());

    private static Turn turn(double perSecond, long cpuSeconds) {
        return new Turn(perSecond, Duration.ofSeconds(cpuSeconds));
    }

    private static ComparedTurns round(Turn traced, Turn untraced) {
        return new ComparedTurns(List.of(traced), List.of(untraced));
    }

    @Test
    void overheadIsWhatTheMedianOfTheRoundsRatiosLacks() {
        DemoRuns runs = new DemoRuns();
        runs.addRound(round(turn(98, 11), turn(100, 10)));
        runs.addRound(round(turn(10, 30), turn(101, 10)));
        runs.addRound(round(turn(48.5, 12), turn(50, 10)));
        assertThat(runs.ratios()).hasSize(3);
        assertThat(runs.overhead().orElseThrow()).isCloseTo(0.03, within(1e-9));
        assertThat(runs.cpuRatios()).containsExactly(1.1, 3.0, 1.2);
    }

    @Test
    void aRoundIsByTheTimeOfAllItsTurns() {
        // 100 operations in each turn: 1 s and 4 s with a trace, 2 s and 2 s without.
        ComparedTurns round = new ComparedTurns(List.of(turn(100, 1), turn(25, 4)), List.of(turn(50, 2), turn(50, 2)));
        assertThat(round.ratio()).isCloseTo(4 / 5.0, within(1e-9));
        assertThat(round.cpuRatio()).isCloseTo(5 / 4.0, within(1e-9));
    }

    @Test
    void whereProcessorTimeIsNotKnownThereIsNoRatioOfIt() {
        DemoRuns runs = new DemoRuns();
        runs.addRound(round(turn(98, 0), turn(100, 0)));
        assertThat(runs.cpuRatios()).isEmpty();
    }

    @Test
    void withoutAnUntracedRunThereIsNoOverhead() {
        DemoRuns runs = new DemoRuns();
        runs.addAlone(List.of(turn(98, 1)));
        assertThat(runs.traced()).containsExactly(98.0);
        assertThat(runs.ratios()).isEmpty();
        assertThat(runs.overhead()).isEmpty();
    }

    @Test
    void anIncompleteTraceOrAFailedOperationIsNotClean() {
        DemoRuns runs = new DemoRuns();
        runs.addCheck(COMPLETE);
        assertThat(runs.isClean()).isTrue();
        runs.addFailures(1);
        assertThat(runs.isClean()).isFalse();

        DemoRuns hole = new DemoRuns();
        hole.addCheck(COMPLETE);
        hole.addCheck(HOLE);
        assertThat(hole.isClean()).isFalse();
    }
}
