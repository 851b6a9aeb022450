// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SidesTest {
    private final List<String> log = new ArrayList<>();

    /** A session with one operation per second in its first turn, and one more in each turn after; it notes its calls. */
    private final class Script implements HdfsWorkload.Session {
        private final String name;
        private final int breaksInTurn;
        private int turns;

        Script(String name, int breaksInTurn) {
            this.name = name;
            this.breaksInTurn = breaksInTurn;
            log.add(name + " starts");
        }

        @Override
        public Turn turn() throws IOException {
            log.add(name);
            if (++turns == breaksInTurn) {
                throw new IOException("no RegionServer");
            }
            return new Turn(turns, Duration.ofSeconds(turns));
        }

        @Override
        public long end() {
            log.add(name + " ends");
            return 3;
        }

        @Override
        public void close() {
            log.add(name + " closed");
        }
    }

    private Sides sides(int rounds, int turns, int untracedBreaksInTurn) {
        return new Sides(
                () -> new Script("traced", 0),
                Optional.of(() -> new Script("untraced", untracedBreaksInTurn)),
                rounds,
                turns);
    }

    @Test
    void bothAreThereAllTheTimeAndNeitherGainsByItsPlaceInARound() throws Exception {
        DemoRuns runs = new DemoRuns();
        sides(1, ComparedTurns.TURNS, 0).run(runs);
        assertThat(log)
                .containsExactly(
                        "traced starts",
                        "untraced starts",
                        "traced",
                        "untraced",
                        "untraced",
                        "traced",
                        "untraced",
                        "traced",
                        "traced",
                        "untraced",
                        "untraced ends",
                        "untraced closed",
                        "traced ends",
                        "traced closed");
        assertThat(runs.traced()).containsExactly(1.0, 2.0, 3.0, 4.0);
        assertThat(runs.untraced()).containsExactly(1.0, 2.0, 3.0, 4.0);
        assertThat(runs.ratios()).containsExactly(1.0);
        assertThat(runs.cpuRatios()).containsExactly(1.0);
        assertThat(runs.failures()).isEqualTo(6);
    }

    @Test
    void everyFullRoundHasTheSameOrder() throws Exception {
        sides(2, ComparedTurns.TURNS, 0).run(new DemoRuns());
        List<String> turns = log.stream().filter(line -> !line.contains(" ")).toList();
        assertThat(turns.subList(0, 2 * ComparedTurns.TURNS))
                .isEqualTo(turns.subList(2 * ComparedTurns.TURNS, 4 * ComparedTurns.TURNS));
    }

    @Test
    void everyRoundIsComparedForItself() throws Exception {
        DemoRuns runs = new DemoRuns();
        sides(3, 2, 0).run(runs);
        assertThat(runs.ratios()).hasSize(3);
        assertThat(runs.traced()).hasSize(6);
    }

    @Test
    void theOrderGoesOnOverRuns() throws Exception {
        DemoRuns runs = new DemoRuns();
        sides(1, 1, 0).run(runs);
        log.clear();
        sides(1, 1, 0).run(runs);
        assertThat(log).containsSubsequence("untraced", "traced", "untraced ends");
    }

    @Test
    void aloneNothingIsCompared() throws Exception {
        DemoRuns runs = new DemoRuns();
        new Sides(() -> new Script("traced", 0), Optional.empty(), 1, 2).run(runs);
        assertThat(log).containsExactly("traced starts", "traced", "traced", "traced ends", "traced closed");
        assertThat(runs.ratios()).isEmpty();
        assertThat(runs.traced()).hasSize(2);
    }

    @Test
    void whenOneBreaksBothAreStopped() {
        assertThatThrownBy(() -> sides(1, 3, 2).run(new DemoRuns()))
                .isInstanceOf(IOException.class)
                .hasMessage("no RegionServer");
        assertThat(log).endsWith("untraced", "untraced closed", "traced closed");
    }
}
