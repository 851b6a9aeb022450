// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.packing.bdt.MovedException;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.master.cloud.RecoveryProgress;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class MountSlotTest {
    private final MovedException elsewhere = new MovedException("moved", "b", "host:1");

    private final MountSlot<String, Integer> slot = new MountSlot<>("m");
    private final RecoveryProgress progress = new RecoveryProgress(() -> 0);
    private final CountDownLatch closing = new CountDownLatch(1);

    private Thread end() {
        return new Thread(closing::countDown, "end");
    }

    private void open(String mount) {
        slot.opening(progress);
        slot.opened(mount, 1);
    }

    @Test
    void aMountIsServedFromTheEndOfItsOpeningOn() {
        assertThat(slot.open()).isEmpty();
        slot.opening(progress);
        assertThat(slot.progress()).contains(progress);
        assertThat(slot.open()).isEmpty();
        slot.opened("one", 1);
        slot.failed();
        assertThat(slot.progress()).isEmpty();
        assertThat(slot.open()).contains(new MountSlot.Open<>("one", 1));
        assertThat(slot.request()).contains(1);
    }

    @Test
    void aMountThatIsOpenOrBeingOpenedIsNotOpenedOnceMore() {
        assertThatIllegalStateException().isThrownBy(() -> slot.opened("one", 1));
        slot.opening(progress);
        assertThatIllegalStateException().isThrownBy(() -> slot.opening(progress));
        slot.opened("one", 1);
        assertThatIllegalStateException().isThrownBy(() -> slot.opening(progress));
    }

    @Test
    void anOpeningThatFailsLeavesTheMountAsItWas() {
        open("one");
        assertThat(slot.lost("one")).isTrue();
        slot.opening(progress);
        assertThat(slot.lost()).as("still without it").contains("one");
        slot.failed();
        assertThat(slot.lost()).contains("one");
        open("two");
        assertThat(slot.lost()).isEmpty();
    }

    @Test
    void aMountThatWasOpenedAnewIsNotTakenForTheOneBefore() {
        open("one");
        assertThat(slot.closed("one")).isTrue();
        open("two");
        assertThat(slot.lost("one")).isFalse();
        assertThat(slot.left("one", end())).isFalse();
        assertThat(slot.closed("one")).isFalse();
        assertThat(closing.getCount()).as("its end is not begun").isOne();
        assertThat(slot.open()).contains(new MountSlot.Open<>("two", 1));
    }

    @Test
    void aMountThatIsLeftIsClosedByItsThreadBeforeItIsOpenedAgain() throws InterruptedException {
        open("one");
        assertThat(slot.left("one", end())).isTrue();
        assertThat(slot.open()).isEmpty();
        slot.ending().orElseThrow().join();
        assertThat(closing.getCount()).isZero();
        slot.opening(progress);
        slot.failed();
        assertThat(slot.ending()).isEmpty();
    }

    @Test
    void clientsOfAMountThatWasMovedLearnItsGroupUntilItIsOpenHereAgain() throws InterruptedException {
        open("one");
        assertThat(slot.moved("one", elsewhere, end())).isTrue();
        slot.ending().orElseThrow().join();
        assertThat(slot.open()).isEmpty();
        slot.opening(progress);
        assertThat(slot.movedTo()).contains(elsewhere);
        slot.failed();
        assertThat(slot.movedTo()).contains(elsewhere);
        open("two");
        assertThat(slot.movedTo()).isEmpty();
    }

    @Test
    void aMountThatMovesWhileItIsOpenedAnewIsKnownToBeMovedIfTheOpeningFails() {
        slot.opening(progress);
        assertThat(slot.moved("one", elsewhere, end())).isFalse();
        slot.failed();
        assertThat(slot.movedTo()).contains(elsewhere);
        assertThat(closing.getCount()).isOne();
    }

    @Test
    void aFrozenMountTakesTransitionsAndShowsTheResultWhenItIsThawed() throws UnavailableException {
        open("one");
        slot.froze();
        assertThat(slot.open()).as("its move goes on").isPresent();
        assertThatIllegalStateException().isThrownBy(slot::froze);
        assertThat(slot.moved("one", elsewhere, end())).isTrue();
        slot.thawed();
        slot.awaitThaw();
        assertThat(slot.movedTo()).contains(elsewhere);
        slot.thawed();
    }

    @Test
    void aClientOfAFrozenMountWaitsForItsThaw() throws InterruptedException {
        open("one");
        slot.froze();
        CountDownLatch over = new CountDownLatch(1);
        Thread client = new Thread(() -> {
            try {
                slot.awaitThaw();
                over.countDown();
            } catch (UnavailableException e) {
                throw new IllegalStateException(e);
            }
        });
        client.start();
        assertThat(over.getCount()).isOne();
        slot.thawed();
        client.join();
        assertThat(over.getCount()).isZero();
    }

    @Test
    void theEndOfTheMasterClosesAllButOpenings() {
        open("one");
        slot.ended();
        assertThat(slot.open()).isEmpty();
        slot.opening(progress);
        slot.ended();
        slot.opened("two", 2);
        assertThat(slot.open()).isPresent();
    }
}
