// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.seed.Seed;
import io.packing.store.Fault;
import io.packing.store.FaultyObjectStore;
import io.packing.store.InMemoryObjectStore;
import io.packing.store.MeteredObjectStore;
import io.packing.store.PutCondition;
import io.packing.store.RequestKind;
import io.packing.store.RequestMeter;
import io.packing.store.RequestOutcome;
import io.packing.worker.api.PackingInput;
import io.packing.worker.read.BlobPages;
import io.packing.worker.read.FileReader;
import io.packing.worker.read.PageListener;
import io.packing.worker.read.Peers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files with neighbouring bytes come with few requests, and no byte unchecked. */
final class BlobRunsTest {
    private static final int SIZE = 4_000_000;
    private static final BlobName BLOB = new BlobName("w", SIZE, 1_700_000_000_000_000L);
    private static final BlobName OTHER = new BlobName("v", SIZE, 1_700_000_000_000_000L);

    private final Random random = Seed.random();
    private final byte[] body = new byte[SIZE];
    private final InMemoryObjectStore objects = new InMemoryObjectStore();
    private final RequestMeter meter = new RequestMeter();
    private final FaultyObjectStore store =
            new FaultyObjectStore(new MeteredObjectStore(objects, meter), random, FaultyObjectStore.Rates.NONE);
    private final BlobPages pages = new BlobPages(store, BlobName.FOLDER, 1 << 20, 1 << 20, new PageListener() {});
    private final List<Placement.Piece> pieces = new ArrayList<>();
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private int contents;

    @BeforeEach
    void putBlobs() throws IOException {
        random.nextBytes(body);
        for (BlobName each : List.of(BLOB, OTHER)) {
            objects.put(BlobName.FOLDER + each.key(), ByteBuffer.wrap(body), PutCondition.IF_ABSENT);
        }
    }

    private long gets() {
        return meter.count(RequestKind.GET, RequestOutcome.OK);
    }

    private BlobExtent extent(BlobName blob, int fileOffset, int from, int length) {
        int crc = ExtentCodec.crc32c(ByteBuffer.wrap(body, from, length));
        return new BlobExtent(blob, new Extent(fileOffset, length, from, length, Codec.NONE, crc));
    }

    private static LocatedFile file(long id, long length, Placement placement) {
        FileAttributes attributes = new FileAttributes(length, 0, "o", "g", 0640);
        FileStatus status =
                new FileStatus(new FilePath("/f" + id), new FileVersion(id, 1), attributes, FileStatus.State.PACKED);
        return new LocatedFile(status, placement);
    }

    private PackingInput open(LocatedFile file) {
        Peers none = new Peers() {
            @Override
            public Optional<ByteBuffer> readStored(
                    String address, String mount, FilePath path, FileVersion version, long offset, int length) {
                throw new IllegalStateException("this process reads blobs itself");
            }

            @Override
            public Optional<ByteBuffer> read(
                    String address, String mount, FilePath path, FileVersion version, long offset, int length) {
                return Optional.empty();
            }

            @Override
            public void flush(String address, String mount) {}
        };
        return new FileReader(new InMemoryBdt(), "m", pages, (version, offset, length) -> Optional.empty(), none)
                .open(file);
    }

    /** Adds bytes of a blob as a content of their own, the first of which the file uses. */
    private void piece(BlobName blob, int from, int length, int used) {
        LocatedFile stored = file(++contents, length, new Placement.Packed(List.of(extent(blob, 0, from, length))));
        pieces.add(new Placement.Piece(content.size(), used, stored, 0));
        content.write(body, from, used);
    }

    private PackingInput mapped() {
        return open(file(1_000_000, content.size(), new Placement.Mapped(pieces)));
    }

    private static byte[] all(PackingInput file, int atOnce) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        while (out.size() < file.attributes().length()) {
            int most = (int) Math.min(atOnce, file.runEnd(out.size(), atOnce) - out.size());
            ByteBuffer room = ByteBuffer.allocate(most);
            while (room.hasRemaining()) {
                assertThat(file.readOnce(out.size() + room.position(), room)).isPositive();
            }
            out.write(room.array(), 0, most);
        }
        return out.toByteArray();
    }

    @Test
    void contentsThatLieOneBehindTheOtherComeWithOneRequest() throws IOException {
        piece(BLOB, 100, 1_000_000, 1_000_000);
        piece(BLOB, 1_000_140, 1_000_000, 1_000_000);
        piece(BLOB, 2_000_140, 300_000, 300_000);
        assertThat(all(mapped(), 8 << 20)).isEqualTo(content.toByteArray());
        assertThat(gets()).isOne();
        assertThat(pages.cache().memoryBytes()).as("what the cache keeps").isZero();
    }

    @Test
    void extentsOfOneContentComeWithOneRequestAsWell() throws IOException {
        LocatedFile large = file(
                1,
                3_000_000,
                new Placement.Packed(
                        List.of(extent(BLOB, 0, 0, 1_500_000), extent(BLOB, 1_500_000, 1_500_032, 1_500_000))));
        assertThat(all(open(large), 8 << 20).length).isEqualTo(3_000_000);
        assertThat(gets()).isOne();
    }

    @Test
    void aRunEndsWhereTheRoomAnotherBlobOrALongWayBegins() throws IOException {
        piece(BLOB, 0, 1_000_000, 1_000_000);
        piece(BLOB, 1_000_000, 1_000_000, 1_000_000);
        PackingInput both = mapped();
        assertThat(both.runEnd(0, 2_000_000)).isEqualTo(2_000_000);
        assertThat(both.runEnd(0, 1_999_999)).isEqualTo(1_000_000);
        assertThat(both.runEnd(1_000_000, 2_000_000)).isEqualTo(2_000_000);
        piece(OTHER, 2_000_000, 500_000, 500_000);
        assertThat(mapped().runEnd(0, 8 << 20)).isEqualTo(2_000_000);
        piece(OTHER, 2_600_000, 500_000, 500_000);
        assertThat(mapped().runEnd(2_000_000, 8 << 20)).isEqualTo(2_500_000);
        // The previous one lies before the last one.
        piece(OTHER, 1_000_000, 500_000, 500_000);
        assertThat(all(mapped(), 8 << 20)).isEqualTo(content.toByteArray());
    }

    @Test
    void ofAContentOfWhichTheFileHasAPartNoMoreThanThatIsGiven() throws IOException {
        piece(BLOB, 0, 1_000_000, 1_000_000);
        piece(BLOB, 1_000_000, 1_000_000, 999_999);
        piece(BLOB, 2_000_000, 1_000_000, 1_000_000);
        assertThat(mapped().runEnd(0, 8 << 20)).isEqualTo(1_000_000);
        assertThat(all(mapped(), 8 << 20)).isEqualTo(content.toByteArray());
    }

    @Test
    void anyFileReadsAsItsBytesAlsoWhenSomeAreDamagedOnTheWay() throws IOException {
        for (int round = 0; round < 100; round++) {
            pieces.clear();
            content.reset();
            int at = random.nextInt(10_000);
            while (at < SIZE - 1) {
                int length = 1 + random.nextInt(Math.min(SIZE - at, 1_200_000));
                piece(
                        random.nextInt(6) == 0 ? OTHER : BLOB,
                        at,
                        length,
                        random.nextInt(6) == 0 ? 1 + random.nextInt(length) : length);
                at += length + (random.nextBoolean() ? 0 : random.nextInt(100_000));
            }
            if (random.nextBoolean()) {
                store.failNext(RequestKind.GET, Fault.FLIPPED_READ, 1 + random.nextInt(2));
            }
            assertThat(Arrays.equals(all(mapped(), 1 + random.nextInt(8 << 20)), content.toByteArray()))
                    .isTrue();
            store.failNoMore();
        }
    }

    @Test
    void whatIsBeforeADamagedExtentIsGivenAndTheExtentIsNot() throws IOException {
        piece(BLOB, 0, 1_000_000, 1_000_000);
        piece(BLOB, 1_000_000, 1_000_000, 1_000_000);
        body[1_500_000] ^= 1;
        objects.delete(List.of(BlobName.FOLDER + BLOB.key()));
        objects.put(BlobName.FOLDER + BLOB.key(), ByteBuffer.wrap(body), PutCondition.IF_ABSENT);
        for (int pull = 0; pull < 3; pull++) {
            PackingInput file = mapped();
            ByteBuffer room = ByteBuffer.allocate(2_000_000);
            assertThat(file.readOnce(0, room)).isEqualTo(1_000_000);
            assertThat(room.position()).isEqualTo(1_000_000);
            assertThatThrownBy(() -> file.readOnce(1_000_000, room)).isInstanceOf(CorruptBlobException.class);
            assertThat(room.position()).isEqualTo(1_000_000);
        }
    }

    @Test
    void whatIsInMemoryIsTakenFromThere() throws IOException {
        piece(BLOB, 0, 300_000, 300_000);
        piece(BLOB, 300_000, 300_000, 300_000);
        PackingInput file = mapped();
        ByteBuffer room = ByteBuffer.allocate(600_000);
        assertThat(file.read(0, room)).isPositive();
        assertThat(file.read(300_000, room.clear())).isPositive();
        long before = gets();
        assertThat(file.readOnce(0, room.clear())).isEqualTo(300_000);
        assertThat(file.readOnce(300_000, room)).isEqualTo(300_000);
        assertThat(gets()).isEqualTo(before);
    }
}
