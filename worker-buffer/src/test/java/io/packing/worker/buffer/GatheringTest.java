package io.packing.worker.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class GatheringTest {
    private final AtomicBoolean busy = new AtomicBoolean(true);
    private final Gathering gathering = new Gathering(busy::get);

    @Test
    void smallGroupsWaitWhileTheProcessorsAreBusy() {
        assertThat(gathering.pays(1)).isTrue();
        assertThat(gathering.pays(11)).isTrue();
        assertThat(gathering.pays(12)).isFalse();
        busy.set(false);
        assertThat(gathering.pays(1)).isFalse();
    }

    @Test
    void waitsInVainBecomeRare() {
        int waits = 0;
        for (int i = 0; i < 1_000; i++) {
            if (gathering.pays(1)) {
                waits++;
                gathering.came(i % 2);
            }
        }
        // After 1, 2, 4, ... 64 groups, and then every 65th.
        assertThat(waits).isEqualTo(21);
    }

    @Test
    void aWaitThatBroughtCompanyIsFollowedByOthers() {
        for (int i = 0; i < 1_000; i++) {
            if (gathering.pays(1)) {
                gathering.came(0);
            }
        }
        while (!gathering.pays(1)) {
            // Groups that do not wait.
        }
        gathering.came(2);
        for (int i = 0; i < 10; i++) {
            assertThat(gathering.pays(1)).isTrue();
            gathering.came(3);
        }
    }
}
