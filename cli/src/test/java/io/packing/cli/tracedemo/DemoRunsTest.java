package io.packing.cli.tracedemo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.packing.hbase.check.Completeness;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoRunsTest {
    private static final Completeness COMPLETE = new Completeness(1, 2, 2, 0, 0, List.of(), List.of());
    private static final Completeness HOLE = new Completeness(1, 2, 2, 1, 0, List.of(), List.of());

    private static Workload.Throughput at(double perSecond) {
        return new Workload.Throughput(perSecond, 0);
    }

    @Test
    void overheadIsWhatTheMedianTracedRunLosesAgainstTheMedianUntracedOne() {
        var runs = new DemoRuns();
        for (var perSecond : List.of(98.0, 10.0, 97.0)) {
            runs.addTraced(at(perSecond), COMPLETE);
        }
        for (var perSecond : List.of(100.0, 101.0, 5.0)) {
            runs.addUntraced(at(perSecond));
        }
        assertThat(runs.overhead().orElseThrow()).isCloseTo(0.03, within(1e-9));
    }

    @Test
    void withoutAnUntracedRunThereIsNoOverhead() {
        var runs = new DemoRuns();
        runs.addTraced(at(98), COMPLETE);
        assertThat(runs.overhead()).isEmpty();
    }

    @Test
    void anIncompleteTraceOrAFailedOperationIsNotClean() {
        var complete = new DemoRuns();
        complete.addTraced(at(1), COMPLETE);
        assertThat(complete.isClean()).isTrue();
        complete.addUntraced(new Workload.Throughput(1, 1));
        assertThat(complete.isClean()).isFalse();

        var hole = new DemoRuns();
        hole.addTraced(at(1), COMPLETE);
        hole.addTraced(at(1), HOLE);
        assertThat(hole.isClean()).isFalse();
    }
}
