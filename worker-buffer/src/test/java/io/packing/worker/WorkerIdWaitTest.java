// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.Bdt;
import io.packing.bdt.Bdts;
import io.packing.bdt.WorkerInUseException;
import io.packing.blob.FilePath;
import io.packing.store.ObjectStores;
import io.packing.transport.token.KeyRing;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The wait of a worker with a new buffer directory whose id is in use. */
final class WorkerIdWaitTest {
    private static final Duration SOON = Duration.ofMillis(1);
    private static final Duration LATER = Duration.ofMillis(700);

    @TempDir
    private Path temp;

    private final InMemoryBdt table = new InMemoryBdt();

    @BeforeEach
    void makeStore() throws IOException {
        Files.createDirectories(temp.resolve("store"));
    }

    private PackingWorker worker() throws IOException {
        Bdts bdts = new Bdts() {
            @Override
            public Bdt open(Map<String, String> options) {
                return table;
            }

            @Override
            public KeyRing tokenKeys() {
                return KeyRing.EMPTY;
            }

            @Override
            public void close() {
                // The table stays.
            }
        };
        return PackingWorker.start(
                new WorkerOptions("w", temp.resolve("buffer"), "127.0.0.1", 0),
                bdts,
                ObjectStores::open,
                Clock.systemUTC(),
                new SimpleMeterRegistry());
    }

    private MountOptions options() {
        return MountOptions.from(
                Map.of("packing.store", temp.resolve("store").toUri().toString()));
    }

    private static WorkerInUseException inUse(Duration left, boolean presumed) {
        return new WorkerInUseException("w", "127.0.0.1:9", left, presumed);
    }

    @Test
    void masterThatStartsMeanwhileIsNoSignOfLife() throws Exception {
        table.refuse(inUse(SOON, false), inUse(LATER, true));
        try (PackingWorker worker = worker();
                PackingFileSystem mount = worker.open(options())) {
            assertThat(mount.bdt().stat(new FilePath("/nothing"))).isEmpty();
        }
    }

    @Test
    void heartbeatMeanwhileIs() throws Exception {
        table.refuse(inUse(SOON, false), inUse(LATER, false));
        try (PackingWorker worker = worker()) {
            assertThatThrownBy(() -> worker.open(options())).isInstanceOf(WorkerInUseException.class);
        }
    }
}
