// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnnouncedFooterTest {
    private static final int LEAST_PADDING = 20;

    @TempDir
    private Path directory;

    /** A body with a gap at its end, and its files. */
    private static final class Body {
        private final byte[] bytes;
        private final List<PackedFile> files;

        Body(byte[] bytes, List<PackedFile> files) {
            this.bytes = bytes;
            this.files = files;
        }

        AnnouncedFooter.Gaps gaps() {
            return new AnnouncedFooter.Gaps() {
                @Override
                public OptionalInt crc32c(long covered) {
                    return OptionalInt.empty();
                }

                @Override
                public void read(long offset, ByteBuffer into) {
                    into.put(bytes, (int) offset, into.remaining());
                }
            };
        }

        Optional<byte[]> blob(int room) throws IOException {
            return AnnouncedFooter.finish(files, bytes.length, room, gaps())
                    .map(end -> ByteBuffer.allocate(bytes.length + end.bytes().remaining())
                            .put(bytes)
                            .put(end.bytes())
                            .array());
        }
    }

    private Body body(int count) throws IOException {
        Random random = new Random(Seed.value());
        List<PackedFile> files = new ArrayList<>();
        Path file = directory.resolve("body");
        Files.deleteIfExists(file);
        try (FileChannel channel = TestFiles.readWrite(file)) {
            BlobWriter writer = new BlobWriter(channel, bytes -> ExtentCodec.encode(Codec.NONE, bytes));
            for (int i = 0; i < count; i++) {
                files.add(TestFiles.add(writer, i + 1, "/d/file-" + i, TestFiles.random(random, 1 + i % 50)));
            }
            FinishedBlob finished = writer.finish(files);
            channel.truncate(finished.footerOffset());
        }
        byte[] whole = Files.readAllBytes(file);
        return new Body(Arrays.copyOf(whole, whole.length + 1_000), files);
    }

    @Test
    void aFooterFillsItsRoomToTheByteAndReadsLikeAnyOther() throws IOException {
        Body body = body(200);
        int least = AnnouncedFooter.storedBytes(body.files);
        for (int padding : new int[] {0, 5, 6, 20, 21, 22, 23, 24, 25, 1_000, 70_001, 1 << 20}) {
            byte[] blob = body.blob(least + padding).orElseThrow();
            assertThat(blob).hasSize(body.bytes.length + least + padding + BlobTrailer.SIZE);
            BytesSource source = new BytesSource(blob);
            assertThat(BlobReader.open(source).footer()).containsExactlyInAnyOrderElementsOf(body.files);
            VerifiedBlob verified = BlobVerifier.verify(source);
            assertThat(verified.files()).isEqualTo(200);
            assertThat(verified.gapBytes()).isEqualTo(1_000);
        }
    }

    @Test
    void everyLargerRoomFitsAndNoSmallerOne() throws IOException {
        Body body = body(3);
        int least = AnnouncedFooter.storedBytes(body.files);
        for (int padding = LEAST_PADDING; padding < LEAST_PADDING + 100; padding++) {
            assertThat(body.blob(least + padding))
                    .as("%d bytes of padding", padding)
                    .isPresent();
        }
        for (int room : new int[] {0, 1, least - 1, least + 1, least + 4, Integer.MAX_VALUE}) {
            assertThat(body.blob(room)).as("a room of %d bytes", room).isEmpty();
        }
    }

    @Test
    void everyFlippedBitOfThePaddingIsDetected() throws IOException {
        Body body = body(2);
        byte[] blob = body.blob(AnnouncedFooter.storedBytes(body.files) + 26).orElseThrow();
        for (int bit = 8 * (body.bytes.length - 8); bit < 8 * (body.bytes.length + 26); bit++) {
            byte[] flipped = blob.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatExceptionOfType(CorruptBlobException.class)
                    .isThrownBy(() -> BlobVerifier.verify(new BytesSource(flipped)));
        }
    }

    @Test
    void extentsOutsideOfTheBodyAreRefused() throws IOException {
        Body body = body(5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AnnouncedFooter.finish(body.files, 20, 10_000, body.gaps()));
    }

    @Test
    void theReaderInPythonReadsIt() throws IOException {
        assumeTrue(pythonIsThere(), "python3 is not installed: apt-get install python3");
        Body body = body(300);
        Path blob = Files.write(
                directory.resolve("padded"),
                body.blob(AnnouncedFooter.storedBytes(body.files) + 100_003).orElseThrow());
        PythonReaderTest.Run verified = PythonReaderTest.run(
                Map.of(), PythonReaderTest.SCRIPTS.resolve("blob_reader.py").toString(), "verify", blob.toString());
        assertThat(verified.exitCode()).as(verified.output()).isZero();
    }

    private static boolean pythonIsThere() {
        try {
            return PythonReaderTest.run(Map.of(), "-c", "").exitCode() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
