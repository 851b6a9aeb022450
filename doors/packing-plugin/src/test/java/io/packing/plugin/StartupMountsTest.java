// SPDX-License-Identifier: Apache-2.0
package io.packing.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StartupMountsTest {
    /** Mounts, some of which cannot be opened, behind a master that may be away. */
    private static final class FakeMounts implements StartupMounts.Mounts {
        final Map<String, Long> table = new TreeMap<>(Map.of("/a", 1L, "/b", 2L));
        final Set<Long> failing = new HashSet<>();
        final List<Long> opened = new ArrayList<>();
        boolean masterIsAway;

        @Override
        public Map<String, Long> packing() throws IOException {
            if (masterIsAway) {
                throw new IOException("no master");
            }
            return table;
        }

        @Override
        public void open(long mountId) throws IOException {
            if (failing.contains(mountId)) {
                throw new IOException("store unreachable");
            }
            opened.add(mountId);
        }
    }

    private final FakeMounts mounts = new FakeMounts();
    private final StartupMounts worker = new StartupMounts(mounts);

    @Test
    void everyMountIsOpenedOnce() {
        assertThat(worker.step()).isTrue();
        assertThat(worker.step()).isTrue();
        assertThat(mounts.opened).containsExactly(1L, 2L);
    }

    @Test
    void masterThatIsAwayIsAskedAgain() {
        mounts.masterIsAway = true;
        assertThat(worker.step()).isFalse();
        mounts.masterIsAway = false;
        assertThat(worker.step()).isTrue();
        assertThat(mounts.opened).containsExactly(1L, 2L);
    }

    @Test
    void mountThatFailsHoldsUpNoOtherAndIsTriedAgain() {
        mounts.failing.add(1L);
        assertThat(worker.step()).isFalse();
        assertThat(mounts.opened).containsExactly(2L);
        mounts.failing.clear();
        assertThat(worker.step()).isTrue();
        assertThat(mounts.opened).containsExactly(2L, 1L);
    }
}
