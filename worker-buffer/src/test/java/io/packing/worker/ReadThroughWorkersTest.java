// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.ByteRange;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerInfo;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.Extent;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import io.packing.store.ObjectStores;
import io.packing.worker.api.AtomicOutput;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import io.packing.worker.disk.BlobPage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients without a store, which read blobs through workers. */
@Timeout(120)
final class ReadThroughWorkersTest {
    /** A store that fails the test when it is opened. */
    private static final RemotePackingFileSystem.StoreOpener NO_STORE = options -> {
        throw new AssertionError("a client that reads through workers opens no store");
    };
    /** The order of the workers: w0 first, then w1. */
    private static final Writers BY_NAME = (live, broken) -> live.stream()
            .sorted(Comparator.comparing(WorkerInfo::worker))
            .map(WorkerInfo::address)
            .toList();

    @TempDir
    private Path temp;

    private static MountOptions through(MountRig rig, String... more) {
        Map<String, String> options = new HashMap<>(rig.options().raw());
        options.keySet().removeIf(key -> key.startsWith("packing.encryption."));
        options.put("packing.read.through", "workers");
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
        return MountOptions.from(options);
    }

    private static RemotePackingFileSystem client(MountRig rig, String... more) throws IOException {
        return RemotePackingFileSystem.open(rig.master, through(rig, more), NO_STORE, BY_NAME);
    }

    private static byte[] large(int seed) {
        return MountRig.bytes(seed, 2 * Extent.MAX_LENGTH + 12_345);
    }

    private static void writeFlushed(MountRig rig, String path, byte[] bytes) throws IOException {
        MountRig.write(rig.mounts.get(0), path, bytes, MountRig.OVERWRITE);
        rig.mounts.get(0).flush();
    }

    private static BlobExtent extent(MountRig rig, String path) throws IOException {
        LocatedFile file = rig.mounts.get(0).bdt().locate(new FilePath(path)).orElseThrow();
        return ((Placement.Packed) file.placement()).extents().get(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "deflate", "zstd"})
    void everyByteIsReadWithoutAStore(String compression) throws IOException {
        Random random = Seed.random();
        try (MountRig rig = new MountRig(temp, Clock.systemUTC(), "packing.compression", compression);
                RemotePackingFileSystem client = client(rig)) {
            byte[] large = large(1);
            byte[] small = "a small file".getBytes(StandardCharsets.US_ASCII);
            // The client reads the files that it writes.
            MountRig.write(client, "/large", large, MountRig.NEW);
            MountRig.write(client, "/small", small, MountRig.NEW);
            MountRig.write(client, "/empty", new byte[0], MountRig.NEW);
            rig.mounts.get(0).flush();
            assertThat(extent(rig, "/large").extent().length()).isPositive();
            assertThat(client.isReadThroughWorkers()).isTrue();
            assertThat(MountRig.read(client, "/large")).isEqualTo(large);
            assertThat(MountRig.read(client, "/small")).isEqualTo(small);
            assertThat(MountRig.read(client, "/empty")).isEmpty();
            try (PackingInput in = client.open(new FilePath("/large"))) {
                for (int i = 0; i < 100; i++) {
                    int from = random.nextInt(large.length);
                    ByteBuffer part = ByteBuffer.allocate(1 + random.nextInt(Math.min(300_000, large.length - from)));
                    while (part.hasRemaining()) {
                        int at = from + part.position();
                        int n = i % 2 == 0 ? in.read(at, part) : in.readOnce(at, part);
                        assertThat(n).isPositive();
                    }
                    assertThat(part.array()).isEqualTo(Arrays.copyOfRange(large, from, from + part.capacity()));
                }
                assertThat(in.read(large.length, ByteBuffer.allocate(1))).isEqualTo(-1);
                assertThat(in.runEnd(0, large.length)).isGreaterThan(0);
            }
            assertThat(rig.simple.find("packing.read.pages").counters()).isNotEmpty();
        }
    }

    @Test
    void sharedBytesAndHolesAreReadWithoutAStore() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC());
                RemotePackingFileSystem client = client(rig)) {
            byte[] bytes = MountRig.bytes(2, 300_000);
            writeFlushed(rig, "/a", bytes);
            MountRig.write(client, "/b", new byte[10], MountRig.NEW);
            VectorResult result = client.bdt()
                    .apply(OperationVector.of(
                            new Operation.CloneRange(
                                    new ByteRange(new FilePath("/a"), 1_000, 200_000), new FilePath("/b"), 5_000),
                            new Operation.DeleteRange(new ByteRange(new FilePath("/a"), 100, 50))));
            assertThat(result).isInstanceOf(VectorResult.Applied.class);
            rig.mounts.get(0).flush();
            byte[] b = new byte[205_000];
            System.arraycopy(bytes, 1_000, b, 5_000, 200_000);
            assertThat(MountRig.read(client, "/b")).isEqualTo(b);
            Arrays.fill(bytes, 100, 150, (byte) 0);
            assertThat(MountRig.read(client, "/a")).isEqualTo(bytes);
        }
    }

    @Test
    void snapshotsAndClonesOfDirectoriesAreReadWithoutAStore() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC());
                RemotePackingFileSystem client = client(rig)) {
            byte[] before = MountRig.bytes(20, 10_000);
            byte[] after = MountRig.bytes(21, 10_000);
            writeFlushed(rig, "/d/overwritten", before);
            writeFlushed(rig, "/d/deleted", before);
            writeFlushed(rig, "/d/same", before);
            apply(client, new Operation.TakeSnapshot(new FilePath("/d"), "s"));
            apply(client, new Operation.CloneDirectory(new FilePath("/d"), new FilePath("/clone")));
            assertThat(MountRig.read(client, "/clone/same")).isEqualTo(before);
            writeFlushed(rig, "/d/overwritten", after);
            assertThat(client.bdt().delete(new FilePath("/d/deleted"), false)).isEqualTo(Outcome.DONE);
            for (String path : new String[] {"/d/.snapshot/s/", "/clone/"}) {
                for (String name : new String[] {"overwritten", "deleted", "same"}) {
                    assertThat(MountRig.read(client, path + name))
                            .as(path + name)
                            .isEqualTo(before);
                }
            }
            assertThat(MountRig.read(client, "/d/overwritten")).isEqualTo(after);
            apply(client, new Operation.DropSnapshot(new FilePath("/d"), "s"));
            assertThat(client.bdt().delete(new FilePath("/d"), true)).isEqualTo(Outcome.DONE);
            rig.restartWorkers();
            for (String name : new String[] {"overwritten", "deleted", "same"}) {
                assertThat(MountRig.read(client, "/clone/" + name)).as(name).isEqualTo(before);
            }
        }
    }

    private static void apply(PackingFileSystem mount, Operation... operations) throws IOException {
        assertThat(mount.bdt().apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }

    @Test
    void workersDecryptForAClientWithoutKeys() throws IOException {
        byte[] bytes = large(3);
        try (EncryptedRig encrypted = new EncryptedRig(temp);
                RemotePackingFileSystem client = client(encrypted.rig)) {
            encrypted.write("/secret", bytes);
            encrypted.mount().flush();
            encrypted.assertNothingInPlain("/secret");
            assertThat(MountRig.read(client, "/secret")).isEqualTo(bytes);
        }
    }

    @Test
    void aDeadWorkerIsReplacedByAnother() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC());
                RemotePackingFileSystem client = client(rig)) {
            byte[] bytes = large(4);
            writeFlushed(rig, "/a", bytes);
            try (PackingInput in = client.open(new FilePath("/a"))) {
                ByteBuffer first = ByteBuffer.allocate(100);
                assertThat(in.read(0, first)).isEqualTo(100);
                rig.workers.get(0).close();
                ByteBuffer second = ByteBuffer.allocate(100);
                assertThat(in.read(100, second)).isEqualTo(100);
                assertThat(second.array()).isEqualTo(Arrays.copyOfRange(bytes, 100, 200));
            }
            assertThat(MountRig.read(client, "/a")).isEqualTo(bytes);
        }
    }

    @Test
    void withoutAWorkerTheErrorNamesTheFileAndTheWorkers() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC());
                RemotePackingFileSystem client = client(rig, "packing.worker.timeout", "300ms")) {
            writeFlushed(rig, "/a", MountRig.bytes(5, 1_000));
            String address = rig.mounts.get(0).bdt().workers().get(0).address();
            for (PackingWorker worker : rig.workers) {
                worker.close();
            }
            assertThatThrownBy(() -> MountRig.read(client, "/a"))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("/a is in the store")
                    .hasMessageContaining(address)
                    .hasMessageContaining("Connection refused")
                    .hasMessageContaining("Start a worker")
                    .hasMessageContaining("packing.worker.timeout");
        }
    }

    @Test
    void aDamagedBlobIsAnErrorThatNamesBlobAndFile() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC());
                RemotePackingFileSystem client = client(rig)) {
            writeFlushed(rig, "/a", MountRig.bytes(6, 5_000));
            BlobExtent at = extent(rig, "/a");
            flip(at);
            assertThatThrownBy(() -> MountRig.read(client, "/a"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("/a: worker at")
                    .hasMessageContaining(at.blob().toString())
                    .hasMessageContaining("crc");
            flip(at);
            assertThat(MountRig.read(client, "/a")).isEqualTo(MountRig.bytes(6, 5_000));
        }
    }

    private void flip(BlobExtent at) throws IOException {
        Path object = temp.resolve("store").resolve(BlobName.FOLDER + at.blob().key());
        try (FileChannel channel = FileChannel.open(object, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            assertThat(channel.read(one, at.extent().blobOffset())).isEqualTo(1);
            one.put(0, (byte) (one.get(0) ^ 1)).rewind();
            assertThat(channel.write(one, at.extent().blobOffset())).isEqualTo(1);
        }
    }

    @Test
    void bytesThatWereDamagedOnTheWayAreAskedForAgain() throws IOException {
        String word = "sound-bytes-of-a-file-in-a-blob";
        byte[] content = word.getBytes(StandardCharsets.US_ASCII);
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            writeFlushed(rig, "/a", content);
            String worker = rig.mounts.get(0).bdt().workers().get(0).address();
            try (FlippingWire wire = new FlippingWire(worker, word);
                    RemotePackingFileSystem client = RemotePackingFileSystem.open(
                            rig.master, through(rig), NO_STORE, Writers.at(wire.address()))) {
                wire.flipNext(2);
                assertThat(MountRig.read(client, "/a")).isEqualTo(content);
                assertThat(wire.flipsLeft()).isZero();
                wire.flipNext(1_000);
                assertThatThrownBy(() -> MountRig.read(client, "/a"))
                        .isInstanceOf(CorruptBlobException.class)
                        .hasMessageContaining("damaged on the way")
                        .hasMessageContaining(wire.address());
            }
        }
    }

    @Test
    void aFileThatIsPushedWhileItIsOpenIsReadOn() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC());
                RemotePackingFileSystem client = client(rig)) {
            byte[] bytes = MountRig.bytes(7, 100_000);
            MountRig.write(rig.mounts.get(1), "/a", bytes, MountRig.NEW);
            try (PackingInput in = client.open(new FilePath("/a"))) {
                assertThat(in.read(0, ByteBuffer.allocate(10))).isEqualTo(10);
                rig.mounts.get(0).flush();
                ByteBuffer rest = ByteBuffer.allocate(1_000);
                assertThat(in.read(10, rest)).isEqualTo(1_000);
                assertThat(rest.array()).isEqualTo(Arrays.copyOfRange(bytes, 10, 1_010));
            }
        }
    }

    @Test
    void aFileThatIsOverwrittenWhileItIsOpenIsNeverReadMixed() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC());
                RemotePackingFileSystem client = client(rig)) {
            byte[] before = MountRig.bytes(8, 100_000);
            byte[] after = MountRig.bytes(9, 100_000);
            writeFlushed(rig, "/read", before);
            writeFlushed(rig, "/unread", before);
            try (PackingInput read = client.open(new FilePath("/read"));
                    PackingInput unread = client.open(new FilePath("/unread"))) {
                assertThat(read.read(0, ByteBuffer.allocate(10))).isEqualTo(10);
                writeFlushed(rig, "/read", after);
                writeFlushed(rig, "/unread", after);
                // Like a client that reads the store, the worker keeps the version's place as long as the blob exists.
                ByteBuffer more = ByteBuffer.allocate(100);
                assertThat(read.read(10, more)).isEqualTo(100);
                assertThat(more.array()).isEqualTo(Arrays.copyOfRange(before, 10, 110));
                assertThatThrownBy(() -> unread.read(0, ByteBuffer.allocate(10)))
                        .isInstanceOf(FileNotFoundException.class)
                        .hasMessageContaining("deleted or overwritten");
            }
            assertThat(MountRig.read(client, "/read")).isEqualTo(after);
        }
    }

    @Test
    void whatNeedsTheStoreIsRefusedAndNamesTheOption() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC());
                RemotePackingFileSystem client = client(rig)) {
            writeFlushed(rig, "/a", MountRig.bytes(10, 1_000));
            BlobPage page = new BlobPage(extent(rig, "/a").blob(), 0);
            assertThatThrownBy(() -> client.pages().page(page)).hasMessageContaining("packing.read.through=workers");
        }
    }

    @Test
    void aStoreThatFailsEachRequestIsNotAsked() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            writeFlushed(rig, "/a", MountRig.bytes(11, 1_000));
            GatedStore failing = new GatedStore(
                    ObjectStores.open(rig.options().store()), new AtomicBoolean(true), new AtomicInteger());
            try (RemotePackingFileSystem client =
                    RemotePackingFileSystem.open(rig.master, through(rig), failing, BY_NAME)) {
                assertThat(MountRig.read(client, "/a")).isEqualTo(MountRig.bytes(11, 1_000));
            }
            GatedStore again = new GatedStore(
                    ObjectStores.open(rig.options().store()), new AtomicBoolean(true), new AtomicInteger());
            try (RemotePackingFileSystem direct =
                    RemotePackingFileSystem.open(rig.master, rig.options(), again, BY_NAME)) {
                assertThatThrownBy(() -> MountRig.read(direct, "/a")).hasMessageContaining("cut off by the test");
            }
        }
    }

    @Test
    void equalBytesAndOffsetWritesNeedNoStore() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC());
                RemotePackingFileSystem client = client(rig)) {
            byte[] bytes = MountRig.bytes(12, 50_000);
            writeFlushed(rig, "/a", bytes);
            writeFlushed(rig, "/b", bytes);
            assertThat(client.cloneIfEqual(new ByteRange(new FilePath("/a"), 0, 50_000), new FilePath("/b"), 0))
                    .isTrue();
            try (AtomicOutput out = client.writeAt(new FilePath("/a"), 10)) {
                out.write(new byte[] {1, 2, 3});
            }
            byte[] changed = bytes.clone();
            System.arraycopy(new byte[] {1, 2, 3}, 0, changed, 10, 3);
            assertThat(MountRig.read(client, "/a")).isEqualTo(changed);
            assertThat(MountRig.read(client, "/b")).isEqualTo(bytes);
            PackingFileSystem asMount = client;
            asMount.flush();
            assertThat(MountRig.read(client, "/a")).isEqualTo(changed);
        }
    }
}
