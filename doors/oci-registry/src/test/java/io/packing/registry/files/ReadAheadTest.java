// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.blob.FileAttributes;
import io.packing.seed.Seed;
import io.packing.worker.api.PackingInput;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams that read ahead give the file's bytes, ask for no extent twice, and give their memory back. */
class ReadAheadTest {
    private static final int PIECE = ReadAhead.PIECE;
    private static final int SENT_AT_ONCE = 256 << 10;

    private final ExecutorService threads = Executors.newFixedThreadPool(4);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /** A file whose extents have the most bytes that one may have, as a mount's large files do. */
    private static class ExtentFile implements PackingInput {
        final byte[] bytes;
        private final AtomicInteger reads = new AtomicInteger();
        private final AtomicInteger closes = new AtomicInteger();
        private volatile long goneFrom = Long.MAX_VALUE;

        ExtentFile(int length, long seed) {
            bytes = new byte[length];
            new SplittableRandom(seed).nextBytes(bytes);
        }

        @Override
        public FileAttributes attributes() {
            return new FileAttributes(bytes.length, 0, "o", "g", 0640);
        }

        @Override
        public int read(long position, ByteBuffer into) throws IOException {
            reads.incrementAndGet();
            if (position >= goneFrom) {
                throw new FileNotFoundException("gone");
            }
            int end = (int) Math.min(bytes.length, (position / PIECE + 1) * PIECE);
            int n = Math.min(into.remaining(), end - (int) position);
            into.put(bytes, (int) position, n);
            return n;
        }

        @Override
        public void close() {
            closes.incrementAndGet();
        }
    }

    private static byte[] all(InputStream in, int atOnce) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[atOnce];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            out.write(buffer, 0, n);
        }
        return out.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 10})
    void theBytesAreThoseOfTheFileWhereverAReaderBegins(int pieces) throws Exception {
        SplittableRandom random = new SplittableRandom(Seed.value());
        for (int i = 0; i < 20; i++) {
            ExtentFile file = new ExtentFile(random.nextInt(1, 3 * PIECE), random.nextLong());
            int from = random.nextInt(file.bytes.length + 1);
            ReadAhead readAhead = new ReadAhead(threads, (long) pieces * PIECE);
            try (InputStream in = readAhead.open(file, from)) {
                assertThat(all(in, random.nextInt(1_000, 2 * PIECE)))
                        .isEqualTo(Arrays.copyOfRange(file.bytes, from, file.bytes.length));
            }
            assertThat(readAhead.free()).isEqualTo(pieces);
            assertThat(file.closes).hasValue(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void anExtentIsAskedForOnceHoweverLittleIsSentAtOnce(int pieces) throws Exception {
        ExtentFile file = new ExtentFile(5 * PIECE + 7, 1);
        try (InputStream in = new ReadAhead(threads, (long) pieces * PIECE).open(file, 0)) {
            assertThat(all(in, SENT_AT_ONCE)).isEqualTo(file.bytes);
        }
        assertThat(file.reads).hasValue(6);
    }

    @Test
    void theNextPieceIsReadWhileOneIsSent() throws Exception {
        Queue<Runnable> begun = new ArrayDeque<>();
        ExtentFile file = new ExtentFile(2 * PIECE, 2);
        try (InputStream in = new ReadAhead(begun::add, 2L * PIECE).open(file, 0)) {
            assertThat(begun).isEmpty();
            assertThat(in.read()).isEqualTo(file.bytes[0] & 0xff);
            assertThat(begun).hasSize(1);
            begun.remove().run();
            assertThat(file.reads).hasValue(2);
            in.skipNBytes(PIECE - 1L);
            assertThat(in.read()).isEqualTo(file.bytes[PIECE] & 0xff);
        }
        assertThat(file.reads).hasValue(2);
        assertThat(begun).isEmpty();
    }

    @Test
    void severalPiecesComeWhileOneIsSentWhereThereIsMemory() throws Exception {
        Queue<Runnable> begun = new ArrayDeque<>();
        ExtentFile file = new ExtentFile(6 * PIECE, 8);
        ReadAhead readAhead = new ReadAhead(begun::add, 10L * PIECE);
        try (InputStream in = readAhead.open(file, 0)) {
            assertThat(in.read()).isEqualTo(file.bytes[0] & 0xff);
            assertThat(begun).hasSize(3);
            assertThat(readAhead.free()).isEqualTo(4);
            in.skipNBytes(PIECE - 1L);
            assertThat(in.read()).isEqualTo(file.bytes[PIECE] & 0xff);
            assertThat(begun).as("one more than before").hasSize(4);
            assertThat(Arrays.mismatch(in.readAllBytes(), Arrays.copyOfRange(file.bytes, PIECE + 1, 6 * PIECE)))
                    .isNegative();
        }
        assertThat(file.reads).hasValue(6);
        assertThat(readAhead.free()).isEqualTo(10);
    }

    @Test
    void behindTheFirstPieceAFileIsAskedForLongerOnesWhereThereIsMemory() throws Exception {
        for (int pieces = 1; pieces <= 10; pieces++) {
            ExtentFile file = new ExtentFile(9 * PIECE + 1, 11) {
                @Override
                public long runEnd(long position, int most) {
                    return position + most;
                }

                @Override
                public int read(long position, ByteBuffer into) throws IOException {
                    int n = Math.min(into.remaining(), bytes.length - (int) position);
                    into.put(bytes, (int) position, n);
                    return n + super.read(position, ByteBuffer.allocate(0));
                }
            };
            ReadAhead readAhead = new ReadAhead(threads, (long) pieces * PIECE);
            try (InputStream in = readAhead.open(file, 0)) {
                assertThat(readAhead.free()).isNotNegative();
                assertThat(Arrays.equals(all(in, SENT_AT_ONCE), file.bytes)).isTrue();
            }
            assertThat(file.reads).hasValue(pieces >= 6 ? 6 : 10);
            assertThat(readAhead.free()).isEqualTo(pieces);
        }
    }

    @Test
    void onceHalfOfTheMemoryIsTakenStreamsGetLessOfIt() throws Exception {
        ReadAhead readAhead = new ReadAhead(threads, 64L * PIECE);
        ExtentFile file = new ExtentFile(9 * PIECE, 12);
        List<InputStream> streams = new ArrayList<>();
        for (int left : new int[] {56, 48, 40, 32, 28, 24, 20, 16, 12, 8, 4, 0}) {
            streams.add(readAhead.open(file, 0));
            assertThat(readAhead.free()).isEqualTo(left);
        }
        for (InputStream each : streams) {
            each.close();
        }
        assertThat(readAhead.free()).isEqualTo(64);
    }

    /** Extents of a file that came in chunks do not end where pieces would. */
    @Test
    void aPieceEndsWhereTheFileEndsWhatItChecks() throws Exception {
        int extent = PIECE - 1_000;
        ExtentFile file = new ExtentFile(4 * extent, 9) {
            @Override
            public long checkedEnd(long position) {
                return (position / extent + 1) * extent;
            }
        };
        try (InputStream in = new ReadAhead(threads, 10L * PIECE).open(file, extent / 2)) {
            assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(file.bytes, extent / 2, file.bytes.length));
        }
        // Where the fake ends a read within such an extent, the rest is read with another one.
        assertThat(file.reads).hasValue(7);
    }

    @Test
    void bytesWithoutAPieceAreReadManyAtATime() throws Exception {
        ExtentFile file = new ExtentFile(PIECE, 10);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (InputStream in = new ReadAhead(threads, 0).open(file, 0)) {
            assertThat(in.transferTo(out)).isEqualTo(PIECE);
        }
        assertThat(out.toByteArray()).isEqualTo(file.bytes);
        assertThat(file.reads.get()).isLessThanOrEqualTo(PIECE / SENT_AT_ONCE);
    }

    @Test
    void aReaderForWhichNoThreadIsFreeReadsItself() throws Exception {
        ExtentFile file = new ExtentFile(3 * PIECE, 3);
        try (InputStream in = new ReadAhead(task -> {}, 2L * PIECE).open(file, 0)) {
            assertThat(all(in, SENT_AT_ONCE)).isEqualTo(file.bytes);
        }
    }

    @Test
    void whatGoesWhileItIsReadAheadIsMissedWhereItIsNeeded() throws Exception {
        ExtentFile file = new ExtentFile(3 * PIECE, 4);
        file.goneFrom = PIECE;
        ReadAhead readAhead = new ReadAhead(threads, 2L * PIECE);
        try (InputStream in = readAhead.open(file, 0)) {
            assertThat(in.readNBytes(PIECE)).isEqualTo(Arrays.copyOf(file.bytes, PIECE));
            assertThatThrownBy(in::read).isInstanceOf(FileNotFoundException.class);
            file.goneFrom = Long.MAX_VALUE;
            assertThat(in.read()).as("read again").isEqualTo(file.bytes[PIECE] & 0xff);
        }
        assertThat(readAhead.free()).isEqualTo(2);
    }

    /** The piece that is sent once more does not lie where the next one is read to. */
    @Test
    void aPieceThatIsReadAgainIsNotOverwrittenByTheNext() throws Exception {
        Queue<Runnable> begun = new ArrayDeque<>();
        ExtentFile file = new ExtentFile(3 * PIECE, 7);
        file.goneFrom = PIECE;
        try (InputStream in = new ReadAhead(begun::add, 2L * PIECE).open(file, 0)) {
            in.skipNBytes(PIECE);
            begun.remove().run();
            assertThatThrownBy(in::read).isInstanceOf(FileNotFoundException.class);
            file.goneFrom = Long.MAX_VALUE;
            assertThat(in.read()).isEqualTo(file.bytes[PIECE] & 0xff);
            begun.remove().run();
            assertThat(Arrays.mismatch(in.readAllBytes(), Arrays.copyOfRange(file.bytes, PIECE + 1, 3 * PIECE)))
                    .isNegative();
        }
    }

    @Test
    void memoryIsGivenBackOnce() throws Exception {
        ReadAhead readAhead = new ReadAhead(threads, 4L * PIECE);
        InputStream first = readAhead.open(new ExtentFile(2 * PIECE, 5), 0);
        try (InputStream second = readAhead.open(new ExtentFile(PIECE, 6), 0)) {
            assertThat(second.read()).isNotNegative();
            assertThat(readAhead.free()).isEqualTo(1);
            first.close();
            first.close();
            assertThat(readAhead.free()).isEqualTo(3);
        }
        assertThat(readAhead.free()).isEqualTo(4);
    }
}
