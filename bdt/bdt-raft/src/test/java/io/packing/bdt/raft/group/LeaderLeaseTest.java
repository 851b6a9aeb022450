// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A test that a lease counts from the latest time at which a majority had not left its leader. */
class LeaderLeaseTest {
    private static final LeaderLease LEASE = new LeaderLease(100);

    @Test
    void mostOfThreeAreThisMemberAndTheBetterOfTheOthers() {
        assertThat(LEASE.end(List.of(10L, 50L), 60)).isEqualTo(150);
    }

    @Test
    void mostOfFiveNeedTwoOthers() {
        assertThat(LEASE.end(List.of(10L, 20L, 30L, 40L), 60)).isEqualTo(130);
    }

    @Test
    void mostOfTwoAndOfFourNeedOneMoreThanHalf() {
        assertThat(LEASE.end(List.of(10L), 60)).isEqualTo(110);
        assertThat(LEASE.end(List.of(10L, 20L, 30L), 60)).isEqualTo(120);
    }

    @Test
    void whoeverIsAloneHasItAlways() {
        assertThat(LEASE.end(List.of(), 60)).isEqualTo(160);
    }

    @Test
    void aNewLeaderWaitsForTheLeaseOfTheOneBefore() {
        assertThat(LEASE.isFree(1_000, 1_100)).isFalse();
        assertThat(LEASE.isFree(1_000, 1_101)).isTrue();
    }

    @Test
    void theClockMayPassItsEnd() {
        long late = Long.MAX_VALUE - 10;
        assertThat(LEASE.end(List.of(late, late - 50), late) - late).isEqualTo(100);
        assertThat(LEASE.isFree(late, late + 101)).isTrue();
    }
}
