// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class EventRingTest {
    private static final int CAPACITY = 4;

    private final EventRing ring = new EventRing(CAPACITY);
    private final Batch batch = new Batch();

    @Test
    void aRingIsFilledAgainRoundAfterRound() {
        for (int round = 0; round < 3; round++) {
            List<Slot> slots = fill();
            assertThat(ring.claim()).isNull();
            assertThat(drain()).containsExactlyElementsOf(slots);
            slots.forEach(Slot::release);
        }
    }

    @Test
    void aSlotThatIsNotBackRefusesAlthoughLaterOnesAre() {
        List<Slot> slots = fill();
        drain();
        slots.get(2).release();
        slots.get(1).release();
        assertThat(ring.claim()).isNull();
        slots.get(0).release();
        assertThat(ring.claim()).isSameAs(slots.get(0));
        assertThat(ring.claim()).isSameAs(slots.get(1));
    }

    @Test
    void anEventWaitsForOneThatWasClaimedBeforeIt() {
        Slot first = claim();
        Slot second = claim();
        ring.publish(second);
        assertThat(drain()).isEmpty();
        ring.publish(first);
        assertThat(drain()).containsExactly(first, second);
    }

    private List<Slot> fill() {
        List<Slot> slots = new ArrayList<>();
        for (int i = 0; i < CAPACITY; i++) {
            Slot slot = claim();
            ring.publish(slot);
            slots.add(slot);
        }
        return slots;
    }

    private Slot claim() {
        return Objects.requireNonNull(ring.claim());
    }

    private List<Slot> drain() {
        ring.drain(batch);
        List<Slot> drained = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            drained.add(batch.get(i));
        }
        batch.removeFirst(batch.size());
        return drained;
    }
}
