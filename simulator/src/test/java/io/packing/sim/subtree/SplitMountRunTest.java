// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.subtree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.packing.sim.RunResult;
import org.junit.jupiter.api.Test;

class SplitMountRunTest {
    private static final int OPERATIONS = 200_000;

    private static SplitMount mount(int groups, double skew, double cross) {
        return new SplitMount(
                groups,
                3,
                1_000_000,
                100,
                10,
                1_000,
                skew,
                0,
                new SplitMount.Rates(1_000, 2_000, 1_000, cross, 1),
                new SplitMount.Costs(10, 10, 10, 100, 1_000, 200),
                0.1,
                0.1);
    }

    private static RunResult run(SplitMount mount) {
        return SplitMountRun.of(mount, OPERATIONS, 1, played -> {});
    }

    @Test
    void aGroupThatHasEverythingIsBusyForWhatEachOperationTakes() {
        RunResult one = run(mount(1, 0.8, 0));
        assertThat(one.metric("busiest-load")).isCloseTo(0.04, within(0.001));
        assertThat(one.metric("table-gb-most")).isCloseTo(0.1, within(1e-9));
        assertThat(one.metric("cross-per-s")).isZero();
        assertThat(one.metric("moves-per-day")).isZero();
    }

    @Test
    void subtreesThatAreUsedAlikeShareTheLoad() {
        RunResult ten = run(mount(10, 0, 0));
        assertThat(ten.metric("busiest-load")).isCloseTo(0.004, within(0.0005));
        assertThat(ten.metric("heartbeats-per-s")).isEqualTo(100);
    }

    @Test
    void oneSubtreeThatIsUsedMostKeepsItsGroupBusyHoweverManyThereAre() {
        RunResult ten = run(mount(10, 3, 0));
        RunResult hundred = run(mount(100, 3, 0));
        assertThat(ten.metric("busiest-load")).isGreaterThan(0.03);
        assertThat(hundred.metric("busiest-load")).isCloseTo(ten.metric("busiest-load"), within(0.002));
    }

    @Test
    void aChangeInTwoGroupsTakesTwoSyncsAndTwoTripsAtLeast() {
        RunResult ten = run(mount(10, 0, 1));
        assertThat(ten.metric("cross-mean-us")).isGreaterThan(2 * 1_000 + 2 * 200);
        assertThat(ten.metric("cross-per-s")).isCloseTo(900, within(30.0));
    }

    @Test
    void theSameSeedGivesTheSameNumbers() {
        assertThat(run(mount(10, 0.8, 0.1)).metrics())
                .isEqualTo(run(mount(10, 0.8, 0.1)).metrics());
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> mount(0, 0.8, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> mount(2_000, 0.8, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> mount(2, 0.8, 1.5));
    }
}
