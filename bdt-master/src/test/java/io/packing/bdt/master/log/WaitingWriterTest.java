// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.UnavailableException;
import io.packing.bdt.master.table.LiveWorkers;
import io.packing.bdt.master.table.TableState;
import io.packing.bdt.master.table.TreeStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A writer that has nothing to do waits, and need not look whether that is over. */
final class WaitingWriterTest {
    @TempDir
    private Path temp;

    private MountWriter writer;

    @BeforeEach
    void open() throws IOException {
        TreeStore store = new TreeStore();
        FileLog log = FileLog.open(temp.resolve("log"), 1 << 20, false);
        TableState state = TableState.load(store, LiveWorkers.USUAL_LEASE, System::nanoTime);
        writer = new MountWriter(
                "m",
                new LocalBatchStore(store, log),
                state.transaction(),
                MountWriter.Listener.of(state),
                Runnable::run);
    }

    @AfterEach
    void close() throws IOException {
        writer.close();
    }

    @Test
    @Timeout(60)
    void aStepThatWaitsForMutationsEndsWhenTheWriterIsStopped() throws InterruptedException {
        Thread waiting = waiting();
        writer.stop(new UnavailableException("the end"));
        waiting.join();
        assertThat(writer.problem()).contains("the end");
    }

    @Test
    @Timeout(60)
    void itEndsThoughSomebodyWhoWaitsForAStoreHasFrozenTheTable() throws InterruptedException {
        writer.freeze();
        Thread waiting = waiting();
        writer.stop(new UnavailableException("the end"));
        waiting.join();
        writer.thaw();
        assertThat(writer.problem()).contains("the end");
    }

    private Thread waiting() {
        Thread waiting = new Thread(() -> {
            try {
                boolean unused = writer.step(Duration.ofHours(5).toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        waiting.setDaemon(true);
        waiting.start();
        while (waiting.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        return waiting;
    }
}
