// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class ParentWatchTest {
    private final AtomicInteger ends = new AtomicInteger();

    @Test
    void aKeeperThatEndedBeforeTheWatchIsNoticed() throws Exception {
        Process keeper = new ProcessBuilder("true").start();
        int unused = keeper.waitFor();
        ParentWatch.onExit(Optional.of(keeper.pid()), ends::incrementAndGet);
        assertThat(ends).hasValue(1);
    }

    @Test
    void aKeeperThatLivesIsWatched() {
        long parent = ProcessHandle.current().parent().orElseThrow().pid();
        ParentWatch.onExit(Optional.of(parent), ends::incrementAndGet);
        ParentWatch.onExit(Optional.empty(), ends::incrementAndGet);
        assertThat(ends).hasValue(0);
    }
}
