// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.packing.csi.volume.CsiRefusal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MountFlagsTest {
    @Test
    void flagsAreReadAsTheyAreWritten() throws CsiRefusal {
        assertThat(MountFlags.from(List.of(), false)).isEqualTo(new MountFlags(false, false, Duration.ofSeconds(1)));
        assertThat(MountFlags.from(List.of(), true).readOnly()).isTrue();
        for (MountFlags each : List.of(
                new MountFlags(true, false, Duration.ofHours(1)), new MountFlags(false, true, Duration.ofMillis(5)))) {
            assertThat(MountFlags.from(each.words(), false)).isEqualTo(each);
        }
    }

    @Test
    void anUnknownFlagIsRefusedWithTheNearestOne() {
        assertThatExceptionOfType(CsiRefusal.class)
                .isThrownBy(() -> MountFlags.from(List.of("write-behnd"), false))
                .withMessageContaining("did you mean 'write-behind'?");
        assertThatExceptionOfType(CsiRefusal.class)
                .isThrownBy(() -> MountFlags.from(List.of("valid=soon"), false))
                .withMessageContaining("mount option valid=soon");
    }
}
