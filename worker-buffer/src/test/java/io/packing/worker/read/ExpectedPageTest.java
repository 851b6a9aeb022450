// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Placement;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.seed.Seed;
import io.packing.store.InMemoryObjectStore;
import io.packing.store.MeteredObjectStore;
import io.packing.store.PutCondition;
import io.packing.worker.disk.BlobPage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pages that a caller brings to a cache by another way than a fetch. */
@Timeout(60)
final class ExpectedPageTest {
    private static final int SIZE = BlobPage.BYTES + 1_000;
    private static final BlobName BLOB = new BlobName("w", SIZE, 1_700_000_000_000_000L);
    private static final BlobPage FIRST = new BlobPage(BLOB, 0);
    private static final BlobPage LAST = new BlobPage(BLOB, 1);

    private final Random random = Seed.random();
    private final byte[] body = new byte[SIZE];
    private final InMemoryObjectStore objects = new InMemoryObjectStore();
    private final AtomicInteger requests = new AtomicInteger();
    private final BlobPages pages = new BlobPages(
            new MeteredObjectStore(objects, (kind, bytes, outcome) -> requests.incrementAndGet()),
            BlobName.FOLDER,
            1 << 20,
            1,
            new PageListener() {});

    @BeforeEach
    void putBlob() throws IOException {
        random.nextBytes(body);
        objects.put(BlobName.FOLDER + BLOB.key(), ByteBuffer.wrap(body), PutCondition.IF_ABSENT);
    }

    private BlobExtent extent(int from, int length) {
        int crc = ExtentCodec.crc32c(ByteBuffer.wrap(body, from, length));
        return new BlobExtent(BLOB, new Extent(0, length, from, length, Codec.NONE, crc));
    }

    private byte[] read(int from, int length) throws IOException {
        ByteBuffer bytes = pages.extents().read(1, extent(from, length));
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return copy;
    }

    private byte[] stored(int from, int length) {
        return Arrays.copyOfRange(body, from, from + length);
    }

    @Test
    void whoReadsAnExpectedPageWaitsForItAndAsksNobody() throws Exception {
        ExpectedPage expected = pages.expect(FIRST).orElseThrow();
        assertThat(pages.expect(FIRST)).as("it is on its way").isEmpty();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try {
            Future<byte[]> reader = threads.submit(() -> read(10, 500));
            expected.arrived(ByteBuffer.wrap(stored(0, BlobPage.BYTES)));
            assertThat(reader.get()).isEqualTo(stored(10, 500));
        } finally {
            threads.shutdownNow();
        }
        assertThat(requests).hasValue(0);
        assertThat(pages.expect(FIRST)).as("it is there").isEmpty();
    }

    @Test
    void aPageThatDoesNotComeIsFetchedByThoseWhoWait() throws Exception {
        ExpectedPage expected = pages.expect(FIRST).orElseThrow();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try {
            Future<byte[]> reader = threads.submit(() -> read(10, 500));
            expected.failed(new IOException("on purpose"));
            assertThat(reader.get()).isEqualTo(stored(10, 500));
        } finally {
            threads.shutdownNow();
        }
        assertThat(requests).hasValue(1);
    }

    @Test
    void wrongBytesAreNeverRead() throws IOException {
        byte[] wrong = stored(0, BlobPage.BYTES);
        wrong[20] ^= 1;
        pages.expect(FIRST).orElseThrow().arrived(ByteBuffer.wrap(wrong));
        assertThat(read(10, 500)).isEqualTo(stored(10, 500));
        pages.expect(LAST).orElseThrow().arrived(ByteBuffer.wrap(new byte[5]));
        assertThat(read(BlobPage.BYTES, 1_000)).isEqualTo(stored(BlobPage.BYTES, 1_000));
    }

    @Test
    void aBlobHasNoPagesBehindItsEnd() throws IOException {
        assertThat(LAST.length()).isEqualTo(1_000);
        assertThat(pages.expect(new BlobPage(BLOB, 2))).isEmpty();
        assertThat(pages.expect(new BlobPage(BLOB, Long.MAX_VALUE))).isEmpty();
        assertThat(pages.page(LAST).orElseThrow().remaining()).isEqualTo(1_000);
        assertThat(pages.page(new BlobPage(new BlobName("w", 10, 1), 0)))
                .as("of a blob that is gone")
                .isEmpty();
    }

    @Test
    void aReadNeedsThePagesOfWholeExtents() {
        Placement packed = new Placement.Packed(List.of(extent(BlobPage.BYTES - 1, 2)));
        assertThat(FilePages.of(packed, 0, 1)).containsExactly(FIRST, LAST);
        assertThat(FilePages.of(packed, 2, 100)).isEmpty();
        assertThat(FilePages.of(new Placement.Buffered("w", "127.0.0.1:1"), 0, 1))
                .isEmpty();
    }
}
