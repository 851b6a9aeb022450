// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.Evacuation;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.Placement;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.master.table.Clocks;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.BlobWriter;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.blob.FinishedBlob;
import io.packing.blob.PackedFile;
import io.packing.process.Await;
import io.packing.seed.GivenClock;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreOptions;
import io.packing.store.LocalObjectStore;
import io.packing.store.ObjectStore;
import io.packing.store.PutCondition;
import io.packing.store.StoreAddress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A mount in a directory, another directory, a master with a virtual clock, and a worker that follows the master's replies. */
abstract class EvacuationFixture {
    @TempDir
    Path root;

    Path before;
    Path after;
    private final AtomicLong nanos = new AtomicLong(1);

    BdtMaster master;
    Bdt table;
    WorkerSession session;
    /** The homes that the worker knows, and since when it pushes to the first of them. */
    long homes;

    long homesSince;
    /** The files that are committed, with their blobs. */
    final Map<String, BlobName> files = new TreeMap<>();

    /** The decorator of the target's store. */
    UnaryOperator<ObjectStore> atTarget = objects -> objects;

    @BeforeEach
    void start() throws IOException {
        before = Files.createDirectory(root.resolve("before"));
        after = Files.createDirectory(root.resolve("after"));
        master = start(false);
        table = master.open(options(before));
        session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
    }

    @AfterEach
    void stop() {
        master.kill();
    }

    private BdtMaster start(boolean takesOver) throws IOException {
        BdtMasterOptions config = BdtMasterOptions.from(Map.of(
                "bdt.data.dir",
                root.resolve("data").toString(),
                "bdt.port",
                "0",
                "bdt.stores",
                "file://" + root,
                "bdt.take.over",
                Boolean.toString(takesOver)));
        Clocks clocks = new Clocks(
                new GivenClock(() -> Instant.ofEpochSecond(1_700_000_000).plusNanos(nanos.get())), nanos::get);
        return BdtMaster.start(config, MasterSite.of(config, stores(config), clocks));
    }

    private Stores stores(BdtMasterOptions config) throws IOException {
        Stores real = Stores.standard(config::stores, config.access());
        return new Stores() {
            @Override
            public SortedStore sorted(Path directory, SortedStoreOptions options) throws IOException {
                return real.sorted(directory, options);
            }

            @Override
            public StoreAddress address(Map<String, String> options) throws IOException {
                return real.address(options);
            }

            @Override
            public ObjectStore objects(Map<String, String> options) throws IOException {
                ObjectStore objects = real.objects(options);
                return objects.location().equals("file://" + after) ? atTarget.apply(objects) : objects;
            }
        };
    }

    Map<String, String> options(Path store) {
        return Map.of("packing.store", "file://" + store, "packing.gc.interval", "1s", "packing.gc.grace", "1s");
    }

    void open(Path store) throws IOException {
        table = master.open(options(store));
        session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        homes = 0;
    }

    void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    /** The master dies, and starts again with its disk. */
    void restart(Path store) throws IOException {
        master.kill();
        master = start(false);
        open(store);
    }

    /** The master dies and loses its disk. */
    void lose() throws IOException {
        master.kill();
        GrpcMasterTest.deleteAll(root.resolve("data"));
        master = start(true);
    }

    String mount() {
        return master.mounts().iterator().next().id();
    }

    Evacuation evacuate(Path to) throws IOException {
        return master.evacuations().evacuate(mount(), Map.of("packing.store", "file://" + to), false, 0);
    }

    Evacuation abort() throws IOException {
        return master.evacuations().evacuate(mount(), Map.of(), true, 0);
    }

    Evacuation progress() {
        return master.mounts().iterator().next().status().evacuation().orElseThrow();
    }

    /** Lets time pass, with the worker's heartbeats, until the mount has arrived. */
    void awaitArrival() throws IOException, InterruptedException {
        Await.until("the mount has arrived", () -> {
            beat();
            pass(Duration.ofSeconds(2));
            return progress().done();
        });
    }

    void beat() throws IOException {
        heard(session.heartbeat(new Heartbeat(0, 0, List.of(), List.of()).at(homes, homesSince)));
    }

    private void heard(HeartbeatReply reply) {
        if (reply.homes() > homes) {
            pass(Duration.ofMillis(1));
            homes = reply.homes();
            homesSince = micros();
        }
    }

    long micros() {
        return 1_700_000_000_000_000L + nanos.get() / 1_000;
    }

    /** Writes a file, whose blob goes to a store. */
    void write(String path, Path store) throws IOException {
        commit(push(path, store));
    }

    /** A blob that is pushed and not committed. */
    record Pushed(String path, PushedBlob blob, CommittedFile file) {}

    Pushed push(String path, Path store) throws IOException {
        long id = session.newFileId();
        FilePath at = new FilePath(path);
        FileAttributes attributes = new FileAttributes(8, id, "u", "g", 0644);
        ClaimResult claimed =
                session.claim(new Claim(id, at, attributes, true, true)).join();
        FileVersion version = ((ClaimResult.Granted) claimed).version();
        Path file = Files.createTempFile(root, "blob", "");
        FinishedBlob finished;
        Extent extent;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            BlobWriter writer = new BlobWriter(channel, Codec.NONE);
            extent = writer.append(0, ByteBuffer.allocate(8).putLong(0, id));
            finished = writer.finish(List.of(new PackedFile(version, at, attributes, List.of(extent))));
        }
        pass(Duration.ofMillis(1));
        BlobName name = new BlobName("w", finished.footerOffset(), micros());
        try (ObjectStore objects = LocalObjectStore.open(store)) {
            objects.put(BlobName.FOLDER + name.key(), file, PutCondition.IF_ABSENT);
        }
        return new Pushed(
                path,
                new PushedBlob(name, finished.length()),
                new CommittedFile(version, List.of(new BlobExtent(name, extent))));
    }

    void commit(Pushed pushed) throws IOException {
        heard(session.heartbeat(
                new Heartbeat(0, 0, List.of(pushed.blob()), List.of(pushed.file())).at(homes, homesSince)));
        files.put(pushed.path(), pushed.blob().name());
    }

    /** Fails unless the table has all files, each with its blob in one of these stores. */
    void check(Path... stores) throws IOException {
        Map<String, BlobName> found = new TreeMap<>();
        for (FileStatus entry : table.list(FilePath.ROOT, "", 1_000).orElseThrow()) {
            if (entry.state() == FileStatus.State.PACKED) {
                Placement placed = table.locate(entry.path()).orElseThrow().placement();
                found.put(
                        entry.path().value(),
                        ((Placement.Packed) placed).extents().get(0).blob());
            }
        }
        assertThat(found).isEqualTo(files);
        for (BlobName blob : files.values()) {
            assertThat(isIn(blob, stores))
                    .as("%s is in %s", blob, List.of(stores))
                    .isTrue();
        }
    }

    static boolean isIn(BlobName blob, Path... stores) {
        return List.of(stores).stream().anyMatch(store -> Files.exists(store.resolve(BlobName.FOLDER + blob.key())));
    }
}
