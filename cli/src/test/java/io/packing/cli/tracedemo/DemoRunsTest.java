package io.packing.cli.tracedemo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.packing.hbase.check.Completeness;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoRunsTest {
    private static final Completeness COMPLETE = new Completeness(1, 2, 2, 0, 0, List.of(), List.of());
    private static final Completeness HOLE = new Completeness(1, 2, 2, 1, 0, List.of(), List.of());

    @Test
    void overheadIsWhatTheMedianOfTheTurnsRatiosLacks() {
        var runs = new DemoRuns();
        for (var perSecond : List.of(98.0, 10.0, 48.5)) {
            runs.addTraced(perSecond);
        }
        for (var perSecond : List.of(100.0, 101.0, 50.0)) {
            runs.addUntraced(perSecond);
        }
        assertThat(runs.ratios()).hasSize(3);
        assertThat(runs.overhead().orElseThrow()).isCloseTo(0.03, within(1e-9));
    }

    @Test
    void withoutAnUntracedRunThereIsNoOverhead() {
        var runs = new DemoRuns();
        runs.addTraced(98);
        assertThat(runs.ratios()).isEmpty();
        assertThat(runs.overhead()).isEmpty();
    }

    @Test
    void anIncompleteTraceOrAFailedOperationIsNotClean() {
        var runs = new DemoRuns();
        runs.addCheck(COMPLETE);
        assertThat(runs.isClean()).isTrue();
        runs.addFailures(1);
        assertThat(runs.isClean()).isFalse();

        var hole = new DemoRuns();
        hole.addCheck(COMPLETE);
        hole.addCheck(HOLE);
        assertThat(hole.isClean()).isFalse();
    }
}
