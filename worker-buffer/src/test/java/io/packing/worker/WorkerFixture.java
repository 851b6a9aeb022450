// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.Bdt;
import io.packing.bdt.Bdts;
import io.packing.blob.FilePath;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.transport.token.KeyRing;
import io.packing.worker.api.BufferValues;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** A worker, and a table and a store that outlive it. */
abstract class WorkerFixture {
    @Parameter
    BufferValues values = BufferValues.SEGMENT;

    static final CreateOptions NEW = new CreateOptions("o", "g", 0644, true, false);
    static final CreateOptions OVERWRITE = new CreateOptions("o", "g", 0644, true, true);

    final InMemoryBdt table = new InMemoryBdt();

    @TempDir
    Path temp;

    @BeforeEach
    void makeStore() throws IOException {
        Files.createDirectories(temp.resolve("store"));
    }

    MountOptions options(String... more) {
        Map<String, String> raw = new HashMap<>();
        raw.put("packing.store", temp.resolve("store").toUri().toString());
        raw.put("packing.threads", "2");
        raw.put("packing.buffer.values", values.name());
        raw.put("packing.seal.after", "1h");
        raw.put("packing.seal.quiet", "0s");
        for (int i = 0; i < more.length; i += 2) {
            raw.put(more[i], more[i + 1]);
        }
        return MountOptions.from(raw);
    }

    PackingWorker worker() throws IOException {
        return worker("w1");
    }

    PackingWorker worker(String id) throws IOException {
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
                new WorkerOptions(id, temp.resolve("buffer-" + id), "127.0.0.1", 0),
                bdts,
                ObjectStores::open,
                Clock.systemUTC(),
                new SimpleMeterRegistry());
    }

    static void write(PackingFileSystem mount, String path, byte[] bytes, CreateOptions options) throws IOException {
        try (PackingOutput out = mount.create(new FilePath(path), options)) {
            out.write(bytes);
        }
    }

    static byte[] read(PackingFileSystem mount, String path) throws IOException {
        try (PackingInput in = mount.open(new FilePath(path))) {
            ByteBuffer all = ByteBuffer.allocate((int) in.attributes().length());
            while (all.hasRemaining()) {
                assertThat(in.read(all.position(), all)).isPositive();
            }
            assertThat(in.read(all.position(), ByteBuffer.allocate(1))).isEqualTo(-1);
            return all.array();
        }
    }

    static byte[] bytes(int seed, int length) {
        return MountRig.bytes(seed, length);
    }

    int blobs() throws IOException {
        try (ObjectStore store = ObjectStores.open(options().store())) {
            return store.list("blobs/", "", 1_000).size();
        }
    }
}
