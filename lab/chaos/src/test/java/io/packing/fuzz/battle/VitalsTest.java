// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.battle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Resources of a process that have become worse. */
class VitalsTest {
    private static Vitals with(String... threads) {
        Set<Thread> named = new HashSet<>();
        for (String each : threads) {
            named.add(new Thread(() -> {}, each));
        }
        return new Vitals(named, named.size(), 0, 0, 0);
    }

    @Test
    void aThreadThatWorkedAndIsGoneIsDead() {
        assertThat(with("bdt-rpc-1").worseThan(with("bdt-rpc-1", "bdt-writer-x")))
                .containsExactly("thread bdt-writer-x is dead");
    }

    @Test
    void aThreadThatAnsweredCallsMayEndWhenNoneCome() {
        assertThat(with("bdt-writer-x").worseThan(with("bdt-rpc-1", "bdt-writer-x")))
                .isEmpty();
    }
}
