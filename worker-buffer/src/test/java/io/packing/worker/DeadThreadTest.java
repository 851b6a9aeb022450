// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.Bdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An error that ends a thread of a worker fails waiting and later callers, and the health. */
@Timeout(60)
final class DeadThreadTest {
    @TempDir
    private Path temp;

    private final Traps traps = new Traps();

    /** A test's body, which may throw. */
    private interface Body {
        void run(PackingWorker worker, PackingFileSystem mount) throws Exception;
    }

    private void with(String durability, Body body) throws Exception {
        Map<String, String> options = new HashMap<>(Map.of(
                "packing.store",
                Files.createDirectories(temp.resolve("store")).toUri().toString(),
                "packing.threads",
                "1",
                "packing.seal.quiet",
                "0s",
                "packing.seal.after",
                "1h",
                "packing.durability",
                durability));
        try (BdtMaster master = BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir", temp.resolve("bdt").toString(), "bdt.stores", options.get("packing.store"))));
                PackingWorker worker = PackingWorker.start(
                        new WorkerOptions("w", temp.resolve("w"), "127.0.0.1", 0),
                        traps.around(Bdts.class, master),
                        (store, listener) -> traps.around(ObjectStore.class, ObjectStores.open(store, listener)),
                        Clock.systemUTC(),
                        new SimpleMeterRegistry())) {
            body.run(worker, worker.open(MountOptions.from(options)));
        }
    }

    private static void awaitProblem(PackingWorker worker, String text) {
        Optional<String> problem = worker.problem();
        while (problem.isEmpty()) {
            Thread.onSpinWait();
            problem = worker.problem();
        }
        assertThat(problem).get().asString().contains(text);
    }

    private static void assertCreatorsAreRefused(PackingFileSystem mount, String text) {
        assertThatThrownBy(() -> MountRig.write(mount, "/later", new byte[10], MountRig.NEW))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(text)
                .hasMessageContaining("restart the worker");
    }

    @Test
    void aDeadAppenderFailsTheCloseThatWaitsAndWhoeverComes() throws Exception {
        with("synced", (worker, mount) -> {
            MountRig.write(mount, "/before", new byte[10], MountRig.NEW);
            traps.set("together", new StackOverflowError("planted"));
            CompletableFuture<Void> first =
                    MountRig.async(() -> MountRig.write(mount, "/at-work", new byte[10], MountRig.NEW));
            awaitProblem(worker, "packing-append");
            // The bytes are in the buffer, so the file may also be claimed; but the writer must get an answer.
            first.exceptionally(failure -> null).join();
            assertCreatorsAreRefused(mount, "packing-append");
            assertThatThrownBy(mount::flush).isInstanceOf(IOException.class).hasMessageContaining("restart the worker");
            assertThat(MountRig.read(mount, "/before")).hasSize(10);
        });
    }

    @Test
    void aDeadPackerFailsTheCloseThatWaitsForItsUpload() throws Exception {
        with("uploaded", (worker, mount) -> {
            traps.set("put", new LinkageError("planted"));
            assertThatThrownBy(() -> MountRig.write(mount, "/a", new byte[10], MountRig.NEW))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("packing-pack");
            awaitProblem(worker, "packing-pack");
            assertCreatorsAreRefused(mount, "packing-pack");
        });
    }

    @Test
    void aDeadHeartbeatRefusesWhoeverComes() throws Exception {
        with("synced", (worker, mount) -> {
            traps.set("heartbeat", new AssertionError("planted"));
            awaitProblem(worker, "packing-heartbeat");
            assertCreatorsAreRefused(mount, "packing-heartbeat");
        });
    }

    @Test
    void aMountThatClosesAnswersTheCloseThatWaitsForItsUpload() throws Exception {
        CompletableFuture<?>[] waiting = new CompletableFuture<?>[1];
        with("uploaded", (worker, mount) -> {
            traps.set("heartbeat", new AssertionError("planted"));
            waiting[0] = MountRig.async(() -> MountRig.write(mount, "/a", new byte[10], MountRig.NEW));
        });
        assertThat(waiting[0].handle((done, failure) -> true).join()).isEqualTo(true);
    }
}
