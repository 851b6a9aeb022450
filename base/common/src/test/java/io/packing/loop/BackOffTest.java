// SPDX-License-Identifier: Apache-2.0
package io.packing.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackOffTest {
    @Test
    void pausesDoubleUpToTheLongest() {
        BackOff backOff = new BackOff(500, 8_000);
        List<Long> pauses = new ArrayList<>();
        for (int failures = 1; failures <= 7; failures++) {
            pauses.add(backOff.millis(failures));
        }
        assertThat(pauses).containsExactly(500L, 1_000L, 2_000L, 4_000L, 8_000L, 8_000L, 8_000L);
        assertThat(backOff.millis(Long.MAX_VALUE)).isEqualTo(8_000L);
    }

    @Test
    void callersThatFailTogetherPauseBetweenAHalfAndAll() {
        BackOff backOff = new BackOff(100, 1_000);
        assertThat(backOff.jitteredMillis(2, bound -> 0)).isEqualTo(100);
        assertThat(backOff.jitteredMillis(2, bound -> bound - 1)).isEqualTo(200);
    }

    @Test
    void pausesThatCannotBeAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new BackOff(2, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new BackOff(-1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new BackOff(1, Long.MAX_VALUE));
        assertThatIllegalArgumentException().isThrownBy(() -> new BackOff(1, 2).millis(0));
    }
}
