// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.SoundRead;
import io.packing.encryption.Keystore;
import io.packing.process.Await;
import io.packing.seed.Seed;
import io.packing.store.Fault;
import io.packing.store.FaultyObjectStore;
import io.packing.store.InMemoryObjectStore;
import io.packing.store.MeteredObjectStore;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.PutCondition;
import io.packing.store.RequestKind;
import io.packing.store.RequestMeter;
import io.packing.store.RequestOutcome;
import io.packing.worker.disk.BlobPage;
import io.packing.worker.disk.DiskTier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Extents that are read into a caller's buffer, whole or in parts. */
final class BlobExtentsTest {
    private static final int SIZE = 3_000_000;
    private static final BlobName BLOB = new BlobName("w", SIZE, 1_700_000_000_000_000L);

    @TempDir
    private Path temp;

    private final Random random = Seed.random();
    private final byte[] body = new byte[SIZE];
    private final InMemoryObjectStore objects = new InMemoryObjectStore();
    private final RequestMeter meter = new RequestMeter();
    private final FaultyObjectStore store =
            new FaultyObjectStore(new MeteredObjectStore(objects, meter), random, FaultyObjectStore.Rates.NONE);

    @BeforeEach
    void putBlob() throws IOException {
        random.nextBytes(body);
        objects.put(BlobName.FOLDER + BLOB.key(), ByteBuffer.wrap(body), PutCondition.IF_ABSENT);
    }

    private BlobPages pages() {
        return new BlobPages(store, BlobName.FOLDER, 1 << 20, 1 << 20, new PageListener() {});
    }

    private BlobExtent extent(int from, int length) {
        int crc = ExtentCodec.crc32c(ByteBuffer.wrap(body, from, length));
        return new BlobExtent(BLOB, new Extent(0, length, from, length, Codec.NONE, crc));
    }

    @Test
    void anExtentOfAnyPagesIsPutWhereItIsWantedAlsoWhenItWasDamagedOnTheWay() throws IOException {
        for (int round = 0; round < 200; round++) {
            try (BlobPages pages = pages()) {
                int from = random.nextInt(SIZE - 1);
                int length = 1 + random.nextInt(Math.min(SIZE - from, 1_000_000));
                int before = random.nextInt(100);
                ByteBuffer into = ByteBuffer.allocate(before + length + random.nextInt(100));
                into.position(before);
                if (random.nextBoolean()) {
                    store.failNext(RequestKind.GET, Fault.FLIPPED_READ, 1 + random.nextInt(SoundRead.TRIES - 2));
                }
                BlobExtents.Keeping keeping =
                        random.nextBoolean() ? BlobExtents.Keeping.PAGES : BlobExtents.Keeping.NOTHING;
                assertThat(pages.extents().read(extent(from, length), into, keeping))
                        .isTrue();
                store.failNoMore();
                assertThat(into.position()).isEqualTo(before + length);
                assertThat(Arrays.copyOfRange(into.array(), before, before + length))
                        .isEqualTo(Arrays.copyOfRange(body, from, from + length));
                assertThat(Arrays.copyOf(into.array(), before)).isEqualTo(new byte[before]);
            }
        }
    }

    @Test
    void whoeverWaitsForAnothersPageFetchesTheNextOnesMeanwhile() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (BlobPages pages = pages()) {
            // The end of the first extent and the beginning of the second are in one page.
            int middle = BlobPage.BYTES * 5 / 2;
            ByteBuffer first = ByteBuffer.allocate(middle);
            ByteBuffer second = ByteBuffer.allocate(BlobPage.BYTES * 2);
            Future<Boolean> firstRead;
            Future<Boolean> secondRead;
            try (FaultyObjectStore.Gate firstFetch = store.holdNext(RequestKind.GET)) {
                firstRead =
                        threads.submit(() -> pages.extents().read(extent(0, middle), first, BlobExtents.Keeping.PAGES));
                firstFetch.awaitArrival();
                try (FaultyObjectStore.Gate secondFetch = store.holdNext(RequestKind.GET)) {
                    secondRead = threads.submit(() ->
                            pages.extents().read(extent(middle, second.capacity()), second, BlobExtents.Keeping.PAGES));
                    secondFetch.awaitArrival();
                }
            }
            assertThat(firstRead.get()).isTrue();
            assertThat(secondRead.get()).isTrue();
            assertThat(first.array()).isEqualTo(Arrays.copyOf(body, middle));
            assertThat(second.array()).isEqualTo(Arrays.copyOfRange(body, middle, middle + second.capacity()));
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void anExtentThatTwoReadAtTheSameTimeIsCheckedOnceAndEachTriesItWhenTheFirstFails() throws Exception {
        int length = 4 * BlobPage.BYTES;
        AtomicInteger asked = new AtomicInteger();
        PageListener listener = new PageListener() {
            @Override
            public void page(boolean hit) {
                asked.incrementAndGet();
            }
        };
        for (boolean fails : new boolean[] {false, true}) {
            asked.set(0);
            ExecutorService threads = Executors.newFixedThreadPool(2);
            try (BlobPages pages = new BlobPages(store, BlobName.FOLDER, 8 << 20, 1 << 20, listener)) {
                AtomicReference<Thread> second = new AtomicReference<>();
                Future<Integer> one;
                Future<Integer> two;
                ByteBuffer first = ByteBuffer.allocate(1_000);
                ByteBuffer other = ByteBuffer.allocate(1_000);
                try (FaultyObjectStore.Gate fetch = store.holdNext(RequestKind.GET)) {
                    one = threads.submit(() -> pages.extents().read(7, extent(0, length), 0, first));
                    fetch.awaitArrival();
                    two = threads.submit(() -> {
                        second.set(Thread.currentThread());
                        return pages.extents().read(7, extent(0, length), length / 2, other);
                    });
                    Await.until(
                            "the second one waits",
                            () -> second.get() != null && second.get().getState() == Thread.State.WAITING);
                    if (fails) {
                        store.failNext(RequestKind.GET, Fault.BEFORE, 1);
                    }
                }
                if (fails) {
                    assertThatThrownBy(one::get).hasCauseInstanceOf(IOException.class);
                } else {
                    assertThat(one.get()).isEqualTo(1_000);
                    assertThat(first.flip()).isEqualTo(ByteBuffer.wrap(body, 0, 1_000));
                }
                assertThat(two.get()).isEqualTo(1_000);
                assertThat(other.flip()).isEqualTo(ByteBuffer.wrap(body, length / 2, 1_000));
                // A failing read asks for one page; the check takes four, and the reader one.
                assertThat(asked).hasValue(fails ? 1 + 4 + 1 : 4 + 1 + 1);
            } finally {
                threads.shutdownNow();
                store.failNoMore();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(BlobExtents.Keeping.class)
    void aBufferWithoutRoomAndADamagedExtentLeaveThePositionWhereItWas(BlobExtents.Keeping keeping) throws IOException {
        try (BlobPages pages = pages()) {
            // The extent has whole pages, so that it has every fetched byte.
            int length = 5 * BlobPage.BYTES;
            ByteBuffer small = ByteBuffer.allocate(length - 1);
            assertThat(pages.extents().read(extent(0, length), small, keeping)).isFalse();
            assertThat(small.position()).isZero();
            // The pages may come with two requests at first.
            store.failNext(RequestKind.GET, Fault.FLIPPED_READ, SoundRead.TRIES + 1);
            ByteBuffer room = ByteBuffer.allocate(length);
            BlobExtent extent = extent(0, length);
            assertThatThrownBy(() -> pages.extents().read(extent, room, keeping))
                    .isInstanceOf(CorruptBlobException.class);
            assertThat(room.position()).isZero();
        }
    }

    @Test
    void partsAreWhatIsStoredAlsoWhenTheirPagesWereGivenUpAndDamagedOnTheWayBack() throws IOException {
        // The cache has room for a third of the blob.
        try (BlobPages pages = pages()) {
            List<BlobExtent> extents = List.of(extent(0, 900_000), extent(900_000, 40_000), extent(940_000, 2_060_000));
            for (int round = 0; round < 3_000; round++) {
                BlobExtent at = extents.get(random.nextInt(extents.size()));
                int skip = random.nextInt(at.extent().length());
                int before = random.nextInt(3);
                ByteBuffer into = ByteBuffer.allocate(before + 1 + random.nextInt(600_000));
                into.position(before);
                if (random.nextInt(4) == 0) {
                    store.failNext(RequestKind.GET, Fault.FLIPPED_READ, 1 + random.nextInt(SoundRead.TRIES - 2));
                }
                int count = pages.extents().read(7, at, skip, into);
                store.failNoMore();
                assertThat(count)
                        .isEqualTo(
                                Math.min(into.capacity() - before, at.extent().length() - skip));
                assertThat(into.position()).isEqualTo(before + count);
                int from = (int) at.extent().blobOffset() + skip;
                assertThat(Arrays.equals(into.array(), before, before + count, body, from, from + count))
                        .as("round %d, %d bytes at %d", round, count, from)
                        .isTrue();
            }
        }
    }

    @Test
    void aPartOfAnExtentThatWasCheckedNeedsItsOwnPagesOnly() throws IOException {
        try (BlobPages pages = pages()) {
            BlobExtent large = extent(0, 11 * BlobPage.BYTES);
            ByteBuffer room = ByteBuffer.allocate(10_000);
            assertThat(pages.extents().read(7, large, 0, room)).isEqualTo(room.capacity());
            pages.forget(BLOB, 0, SIZE);
            RequestMeter.Snapshot before = meter.snapshot();
            assertThat(pages.extents().read(7, large, 6 * BlobPage.BYTES, room.clear()))
                    .isEqualTo(room.capacity());
            assertThat(meter.snapshot().since(before).bytesGot()).isEqualTo(BlobPage.BYTES);
        }
    }

    @Test
    void aPartOfAnExtentWhoseBlobIsGoneMeanwhileIsSaidToBeGone() throws IOException {
        try (BlobPages pages = pages()) {
            BlobExtent large = extent(0, 11 * BlobPage.BYTES);
            ByteBuffer room = ByteBuffer.allocate(600_000);
            assertThat(pages.extents().read(7, large, 0, room)).isEqualTo(room.capacity());
            objects.delete(List.of(BlobName.FOLDER + BLOB.key()));
            pages.forget(BLOB, 5 * BlobPage.BYTES, 1);
            room.clear();
            // The page before it is still there.
            assertThatThrownBy(() -> pages.extents().read(7, large, 4 * BlobPage.BYTES + 9, room))
                    .isInstanceOf(ObjectNotFoundException.class)
                    .hasMessageContaining("is gone");
            assertThat(room.position()).isZero();
        }
    }

    @Test
    void partsComeFromADiskThatIsDamagedOrNot() throws IOException {
        try (DiskTier disk = DiskTier.start(temp, 64 << 20)) {
            PageCache cache = new PageCache(1 << 20, disk, Keystore.NONE);
            BlobPages pages = new BlobPages(cache, store, BlobName.FOLDER, 1 << 20, new PageListener() {}, () -> {});
            BlobExtent large = extent(17, SIZE - 17);
            for (int round = 0; round < 300; round++) {
                int skip = random.nextInt(SIZE - 17);
                ByteBuffer room = ByteBuffer.allocate(1 + random.nextInt(600_000));
                int count = pages.extents().read(7, large, skip, room);
                assertThat(Arrays.equals(room.array(), 0, count, body, 17 + skip, 17 + skip + count))
                        .as("round %d, %d bytes at %d", round, count, skip)
                        .isTrue();
                if (round % 50 == 49) {
                    damageFiles();
                }
            }
        }
    }

    private void damageFiles() throws IOException {
        try (Stream<Path> files = Files.walk(temp)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    for (int i = 0; i < 20 && channel.size() > 0; i++) {
                        channel.write(ByteBuffer.wrap(new byte[] {7}), random.nextLong(channel.size()));
                    }
                }
            }
        }
    }

    @Test
    void nothingIsReadOfAnExtentThatIsDamagedInTheStore() throws IOException {
        try (BlobPages pages = pages()) {
            BlobExtent sound = extent(0, 2_000_000);
            body[1_999_999] ^= 1;
            objects.delete(List.of(BlobName.FOLDER + BLOB.key()));
            objects.put(BlobName.FOLDER + BLOB.key(), ByteBuffer.wrap(body), PutCondition.IF_ABSENT);
            ByteBuffer room = ByteBuffer.allocate(10);
            assertThatThrownBy(() -> pages.extents().read(7, sound, 5, room)).isInstanceOf(CorruptBlobException.class);
            assertThat(room.position()).isZero();
        }
    }

    @Test
    void whoeverReadsALargeExtentOnceAsksForItAloneAndKeepsNothing() throws IOException {
        try (BlobPages pages = pages()) {
            // The extent does not begin or end with a page.
            int from = 300_000;
            int length = 2_000_000;
            ByteBuffer into = ByteBuffer.allocate(length);
            assertThat(pages.extents().read(extent(from, length), into, BlobExtents.Keeping.NOTHING))
                    .isTrue();
            assertThat(into.array()).isEqualTo(Arrays.copyOfRange(body, from, from + length));
            assertThat(pages.cache().memoryBytes()).isZero();
            assertThat(meter.count(RequestKind.GET, RequestOutcome.OK)).isEqualTo(1);
            assertThat(meter.snapshot().bytesGot()).isEqualTo(length);
        }
    }

    @Test
    void whatIsInMemoryIsTakenFromThereAlsoByWhoeverReadsOnce() throws IOException {
        try (BlobPages pages = new BlobPages(store, BlobName.FOLDER, 1 << 22, 1 << 20, new PageListener() {})) {
            int length = 6 * BlobPage.BYTES;
            ByteBuffer into = ByteBuffer.allocate(length);
            assertThat(pages.extents().read(extent(0, length), into, BlobExtents.Keeping.PAGES))
                    .isTrue();
            long before = meter.count(RequestKind.GET, RequestOutcome.OK);
            assertThat(pages.extents().read(extent(0, length), into.clear(), BlobExtents.Keeping.NOTHING))
                    .isTrue();
            assertThat(into.array()).isEqualTo(Arrays.copyOf(body, length));
            assertThat(meter.count(RequestKind.GET, RequestOutcome.OK)).isEqualTo(before);
        }
    }

    @Test
    void aBlobThatIsGoneIsGoneForWhoeverReadsOnce() throws IOException {
        try (BlobPages pages = pages()) {
            objects.delete(List.of(BlobName.FOLDER + BLOB.key()));
            ByteBuffer into = ByteBuffer.allocate(2_000_000);
            BlobExtent extent = extent(0, 2_000_000);
            assertThatThrownBy(() -> pages.extents().read(extent, into, BlobExtents.Keeping.NOTHING))
                    .isInstanceOf(ObjectNotFoundException.class)
                    .hasMessageContaining("is gone");
        }
    }
}
