// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.blob.SoundRead;
import io.packing.seed.Seed;
import io.packing.store.Fault;
import io.packing.store.FaultyObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.RequestKind;
import io.packing.transport.Security;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import io.packing.worker.read.BlobPages;
import io.packing.worker.read.FileReader;
import io.packing.worker.read.PageListener;
import io.packing.worker.read.Peers;
import io.packing.worker.rpc.PeerClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A reader fetches bytes again that a store or a peer damaged on the way; only a damaged object cannot be read. */
@Timeout(120)
final class DamagedAnswersTest {
    private static final int FILES = 40;

    private final long seed = Seed.value();
    private final Random random = new Random(seed);

    @TempDir
    private Path temp;

    /** Creates a rig with little memory for pages, so that most reads ask the store. */
    private MountRig rig() throws IOException {
        return new MountRig(
                temp,
                Clock.systemUTC(),
                "packing.read.cache.bytes",
                "1MB",
                "packing.read.window.max.bytes",
                "512KB",
                "packing.compression",
                random.nextBoolean() ? "none" : "deflate");
    }

    private static byte[] content(int file) {
        return MountRig.bytes(file, 1 + file * 9_000);
    }

    private static void writeAll(PackingFileSystem mount) throws IOException {
        for (int i = 0; i < FILES; i++) {
            MountRig.write(mount, "/f" + i, content(i), MountRig.NEW);
        }
        mount.flush();
    }

    private void readAllWithDamage(PackingFileSystem mount, FaultyObjectStore store) throws IOException {
        for (int i = 0; i < 300; i++) {
            int file = random.nextInt(FILES);
            if (random.nextBoolean()) {
                Fault fault = random.nextBoolean() ? Fault.FLIPPED_READ : Fault.SHORT_READ;
                store.failNext(RequestKind.GET, fault, 1 + random.nextInt(SoundRead.TRIES - 2));
            }
            assertThat(MountRig.read(mount, "/f" + file))
                    .as("seed %d, read %d", seed, i)
                    .isEqualTo(content(file));
            store.failNoMore();
        }
        for (int i = 0; i < FILES; i++) {
            assertThat(MountRig.read(mount, "/f" + i)).as("seed %d", seed).isEqualTo(content(i));
        }
    }

    @Test
    void everyByteIsRightWhateverAnswersWereDamaged() throws IOException {
        try (MountRig rig = rig()) {
            writeAll(rig.mounts.get(0));
            readAllWithDamage(rig.mounts.get(1), rig.stores.get(1));
            assertThat(rig.simple
                            .counter(
                                    "packing.read.damaged",
                                    "mount",
                                    rig.options().store().location().text())
                            .count())
                    .isPositive();
        }
    }

    @Test
    void aClientWithoutABufferReadsEveryByteRight() throws IOException {
        try (MountRig rig = rig();
                FaultyObjectStore store = new FaultyObjectStore(
                        ObjectStores.open(rig.options().store()), random, FaultyObjectStore.Rates.NONE);
                RemotePackingFileSystem mount = RemotePackingFileSystem.open(
                        rig.master, rig.options(), store, Writers.preferHost("127.0.0.1"))) {
            writeAll(rig.mounts.get(0));
            readAllWithDamage(mount, store);
        }
    }

    @Test
    void aDamagedObjectIsAnErrorThatNamesItUntilItIsRestored() throws IOException {
        try (MountRig rig = rig()) {
            writeAll(rig.mounts.get(0));
            PackingFileSystem reader = rig.mounts.get(1);
            BlobExtent extent = extent(reader, "/f7");
            flip(extent);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> MountRig.read(reader, "/f7"))
                        .isInstanceOf(CorruptBlobException.class)
                        .hasMessageContaining(extent.blob().toString())
                        .hasMessageContaining("the object itself is damaged");
                assertThat(MountRig.read(reader, "/f8")).isEqualTo(content(8));
            }
            flip(extent);
            assertThat(MountRig.read(reader, "/f7")).isEqualTo(content(7));
        }
    }

    private static BlobExtent extent(PackingFileSystem mount, String path) throws IOException {
        LocatedFile file = mount.bdt().locate(new FilePath(path)).orElseThrow();
        return ((Placement.Packed) file.placement()).extents().get(0);
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
    void whatAPeersAnswerLostOnTheWayIsAskedForAgain() throws IOException {
        String word = "sound-bytes-of-a-buffered-file";
        byte[] content = word.getBytes(StandardCharsets.US_ASCII);
        try (MountRig rig = rig();
                PeerClient peers = new PeerClient(Security.NONE)) {
            MountRig.write(rig.mounts.get(0), "/a", content, MountRig.NEW);
            LocatedFile file =
                    rig.mounts.get(0).bdt().locate(new FilePath("/a")).orElseThrow();
            String owner = ((Placement.Buffered) file.placement()).address();
            try (FlippingWire wire = new FlippingWire(owner, word)) {
                PackingInput input = inputThrough(wire, rig, peers, file);
                wire.flipNext(2);
                ByteBuffer all = ByteBuffer.allocate(content.length);
                assertThat(input.read(0, all)).isEqualTo(content.length);
                assertThat(all.array()).isEqualTo(content);
                assertThat(wire.flipsLeft()).isZero();
                wire.flipNext(1_000);
                assertThatThrownBy(() -> input.read(0, all.clear()))
                        .isInstanceOf(CorruptBlobException.class)
                        .hasMessageContaining(wire.address());
            }
        }
    }

    private static PackingInput inputThrough(FlippingWire wire, MountRig rig, PeerClient client, LocatedFile file) {
        Peers through = new Peers() {
            @Override
            public Optional<ByteBuffer> read(
                    String address, String mount, FilePath path, FileVersion version, long offset, int length)
                    throws IOException {
                return client.reading(Duration.ofSeconds(10))
                        .read(wire.address(), mount, path, version, offset, length);
            }

            @Override
            public Optional<ByteBuffer> readStored(
                    String address, String mount, FilePath path, FileVersion version, long offset, int length) {
                throw new IllegalStateException("this process reads blobs itself");
            }

            @Override
            public void flush(String address, String mount) throws IOException {
                client.reading(Duration.ofSeconds(10)).flush(wire.address(), mount);
            }
        };
        return new FileReader(
                        rig.mounts.get(0).bdt(),
                        rig.options().mountName(),
                        new BlobPages(rig.stores.get(0), BlobName.FOLDER, 1 << 20, 1 << 18, new PageListener() {}),
                        (version, offset, length) -> Optional.empty(),
                        through)
                .open(file);
    }
}
