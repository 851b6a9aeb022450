// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.seed.Seed;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A test of groups of masters in virtual time. A schedule has losses of power at any force of the disk, stopped
 * processes, cut, late and lost messages, snapshots and fetched tables. Members must make equal tables of one log, and
 * the clients' history must be linearizable. Repeat a run with {@code -Dpacking.seed=N}; {@code -Dpacking.schedules=N}
 * plays that many, from that seed on.
 */
@Tag("hunt")
class GroupSchedulesTest {
    private static final int SCHEDULES = Integer.getInteger("packing.schedules", 200);

    @Test
    void membersAgreeWhateverHappens() {
        long first = Seed.value();
        long operations = 0;
        long entries = 0;
        for (long seed = first; seed < first + SCHEDULES; seed++) {
            try {
                VirtualGroup.Played played = new VirtualGroup(new Random(seed)).play();
                operations += played.operations();
                entries += played.entries();
            } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError("seed %d: %s".formatted(seed, e.getMessage()), e);
            }
        }
        System.out.printf("%d schedules, %d operations, %d entries%n", SCHEDULES, operations, entries);
        assertThat(operations).isGreaterThan(10L * SCHEDULES);
    }
}
