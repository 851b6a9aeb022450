// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.blob.BlobName;
import io.packing.seed.Seed;
import io.packing.store.InMemoryObjectStore;
import io.packing.store.MeteredObjectStore;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.PutCondition;
import io.packing.store.RequestKind;
import io.packing.store.RequestMeter;
import io.packing.store.RequestOutcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers of a store that wait for the reader's next read. */
final class BlobStreamsTest {
    private static final int SIZE = 20_000_000;
    private static final int PIECE = 1_000_000;

    private final Random random = Seed.random();
    private final byte[] body = new byte[SIZE];
    private final InMemoryObjectStore objects = new InMemoryObjectStore();
    private final RequestMeter meter = new RequestMeter();
    private final BlobStreams streams = new BlobStreams(new MeteredObjectStore(objects, meter), BlobName.FOLDER);

    @BeforeEach
    void fill() {
        random.nextBytes(body);
    }

    @AfterEach
    void close() {
        streams.close();
        assertThat(streams.waiting()).isZero();
    }

    private BlobName blob(int number) throws IOException {
        BlobName blob = new BlobName("w" + number, SIZE, 1_700_000_000_000_000L);
        objects.put(BlobName.FOLDER + blob.key(), ByteBuffer.wrap(body), PutCondition.IF_ABSENT);
        return blob;
    }

    private void check(BlobName blob, int offset, int length) throws IOException {
        List<ByteBuffer> into = new ArrayList<>();
        for (int left = length; left > 0; left -= 300_000) {
            into.add(ByteBuffer.allocate(Math.min(left, 300_000)));
        }
        assertThat(streams.read(blob, offset, into)).isEqualTo(length);
        ByteBuffer all = ByteBuffer.allocate(length);
        into.forEach(each -> all.put(each.flip()));
        assertThat(all.array()).isEqualTo(Arrays.copyOfRange(body, offset, offset + length));
    }

    private long gets() {
        return meter.count(RequestKind.GET, RequestOutcome.OK);
    }

    @Test
    void readersOfSeveralBlobsCostOneRequestForEach() throws IOException {
        List<BlobName> blobs = List.of(blob(1), blob(2), blob(3));
        for (int at = 0; at < SIZE; at += PIECE) {
            for (BlobName each : blobs) {
                check(each, at, PIECE);
            }
        }
        assertThat(gets()).isEqualTo(3);
        assertThat(streams.waiting()).as("all were read to their ends").isZero();
    }

    @Test
    void aReaderMayLeaveBytesOutAndJumpAndComeBack() throws IOException {
        BlobName blob = blob(1);
        check(blob, 0, PIECE);
        check(blob, PIECE + BlobStreams.MOST_LEFT_OUT, PIECE);
        assertThat(gets()).as("left out").isEqualTo(1);
        check(blob, 12 * PIECE, PIECE);
        assertThat(gets()).as("a jump").isEqualTo(2);
        check(blob, 13 * PIECE, PIECE);
        check(blob, 2 * PIECE + BlobStreams.MOST_LEFT_OUT, PIECE);
        assertThat(gets()).as("two readers").isEqualTo(2);
        check(blob, 0, PIECE);
        assertThat(gets()).as("an earlier place").isEqualTo(3);
    }

    @Test
    void fewAnswersWaitHoweverManyReadersLeave() throws IOException {
        BlobName blob = blob(1);
        for (int i = 0; i < 3 * BlobStreams.MOST; i++) {
            // Backwards, so that no answer stands before another reader's place.
            check(blob, SIZE - (i + 2) * 300_000, 100_000);
            assertThat(streams.waiting()).isLessThanOrEqualTo(BlobStreams.MOST);
        }
    }

    @Test
    void readersThatLeaveCostThoseThatStayNoRequest() throws IOException {
        List<BlobName> read = new ArrayList<>();
        for (int i = 0; i < BlobStreams.MOST / 2; i++) {
            read.add(blob(i));
        }
        BlobName left = blob(100);
        int leaving = 0;
        for (int at = 0; at < SIZE; at += PIECE) {
            for (BlobName each : read) {
                check(each, at, PIECE);
            }
            for (int i = 0; i < 3; i++) {
                leaving++;
                check(left, SIZE - (leaving + 1) * 200_000, 100_000);
            }
        }
        assertThat(gets()).isEqualTo(read.size() + leaving);
    }

    @Test
    void anAnswerThatBreaksOffCostsOneMoreRequestAndNoByte() throws IOException {
        BrokenAnswers store = new BrokenAnswers(objects, 3 * PIECE / 2);
        BlobName blob = blob(1);
        try (BlobStreams broken = new BlobStreams(store, BlobName.FOLDER)) {
            for (int at = 0; at < 4 * PIECE; at += PIECE) {
                ByteBuffer into = ByteBuffer.allocate(PIECE);
                assertThat(broken.read(blob, at, List.of(into))).isEqualTo(PIECE);
                assertThat(into.array()).isEqualTo(Arrays.copyOfRange(body, at, at + PIECE));
            }
        }
        assertThat(store.opened()).as("each answer has one whole piece").isEqualTo(2);
        assertThat(store.gets()).isEqualTo(2);
        assertThat(store.closed()).isEqualTo(2);
    }

    @Test
    void aBlobThatIsGoneIsReportedAsByAnyRead() {
        BlobName gone = new BlobName("gone", SIZE, 1_700_000_000_000_000L);
        assertThatThrownBy(() -> streams.read(gone, 0, List.of(ByteBuffer.allocate(10))))
                .isInstanceOf(ObjectNotFoundException.class);
    }
}
