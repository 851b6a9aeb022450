// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.relink;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.seed.Seed;
import io.packing.simulation.schedule.StuckException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Programs of waits, locks and time, linked to a simulation: their defects are found, and a seed determines all they do. */
class RelinkingTest {
    private static final int SEEDS = 100;

    private final long seed = Seed.value();

    /** Returns the failure of the first seed that has one. */
    private Optional<Throwable> firstFailure(String program) throws ReflectiveOperationException, InterruptedException {
        for (int i = 0; i < SEEDS; i++) {
            Optional<Throwable> failure = Programs.failure(program, seed + i);
            if (failure.isPresent()) {
                return failure;
            }
        }
        return Optional.empty();
    }

    @Test
    void aLostWakeUpIsFound() throws ReflectiveOperationException, InterruptedException {
        assertThat(firstFailure("LostWakeUp"))
                .get()
                .isInstanceOfSatisfying(
                        StuckException.class,
                        stuck -> assertThat(stuck)
                                .hasMessageContaining("no thread can go on")
                                .hasMessageContaining("LostWakeUp.await"));
    }

    @Test
    void aLostUpdateIsFound() throws ReflectiveOperationException, InterruptedException {
        assertThat(firstFailure("LostUpdate"))
                .get()
                .isInstanceOfSatisfying(
                        IllegalStateException.class, lost -> assertThat(lost).hasMessageContaining("lost: the sum is"));
    }

    @Test
    void aDeadlockOfAMonitorAndALockIsFound() throws ReflectiveOperationException, InterruptedException {
        assertThat(firstFailure("TwoLocks"))
                .get()
                .isInstanceOfSatisfying(
                        StuckException.class,
                        stuck -> assertThat(stuck)
                                .hasMessageContaining("monitorFirst")
                                .hasMessageContaining("lockFirst"));
    }

    @Test
    void aSeedReplaysAllWaysToWait() throws InterruptedException {
        for (int i = 0; i < SEEDS; i++) {
            List<String> first = Programs.told("Sound", seed + i);
            assertThat(Programs.told("Sound", seed + i)).as("seed %d", seed + i).isEqualTo(first);
            assertThat(first)
                    .anyMatch(line -> line.endsWith("sum 15"))
                    .contains(
                            "a day is 24 hours",
                            "alive false",
                            "locals [unset, set by setter-0, unset, set by setter-1, unset, set by setter-2]");
        }
    }

    @Test
    void otherSeedsHaveOtherOrders() throws InterruptedException {
        assertThat(Programs.told("Sound", seed)).isNotEqualTo(Programs.told("Sound", seed + 1));
    }
}
