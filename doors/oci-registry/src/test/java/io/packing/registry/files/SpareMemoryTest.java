// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Memory of streams that is used again. */
class SpareMemoryTest {
    private static final int LARGEST = 4 << 20;

    private final SpareMemory memory = new SpareMemory(LARGEST);

    @Test
    void memoryThatWasGivenBackIsTakenAgainByWhoeverWantsAboutAsMuch() {
        ByteBuffer first = memory.take((1 << 20) + 1);
        assertThat(first.remaining()).isEqualTo((1 << 20) + 1);
        assertThat(first.capacity()).isEqualTo(2 << 20);
        memory.give(first.position(17));
        assertThat(memory.take(LARGEST)).as("a larger one").isNotSameAs(first);
        assertThat(memory.take(1)).as("a smaller one").isNotSameAs(first);
        ByteBuffer again = memory.take(2 << 20);
        assertThat(again).isSameAs(first);
        assertThat(again.remaining()).isEqualTo(2 << 20);
        assertThat(memory.take(2 << 20)).as("taken once").isNotSameAs(first);
    }

    @Test
    void onlySoMuchIsKept() {
        Set<ByteBuffer> taken = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < 20; i++) {
            taken.add(memory.take(LARGEST));
        }
        taken.forEach(memory::give);
        int again = 0;
        for (int i = 0; i < 20; i++) {
            again += taken.contains(memory.take(LARGEST)) ? 1 : 0;
        }
        assertThat(again).isEqualTo(16);
    }

    @Test
    void moreThanAnybodyWantsIsRefused() {
        assertThatThrownBy(() -> memory.take(LARGEST + 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
