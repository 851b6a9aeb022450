// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.zip.DataFormatException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GoldenBlobTest {
    @TempDir
    private Path directory;

    static Set<String> names() {
        return GoldenBlobs.all().keySet();
    }

    /** Byte for byte, except for footers, which are compared inflated, since builds of zlib differ in their output. */
    @ParameterizedTest
    @MethodSource("names")
    void theWriterStillWritesTheGolden(String name) throws Exception {
        byte[] golden = GoldenBlobs.bytes(name);
        byte[] written = TestFiles.blob(directory, GoldenBlobs.encoder(name), filler(name));
        assertThat(body(written)).isEqualTo(body(golden));
        assertThat(inflatedFooter(written)).isEqualTo(inflatedFooter(golden));
        BlobTrailer was = trailer(golden);
        BlobTrailer is = trailer(written);
        assertThat(is)
                .isEqualTo(new BlobTrailer(
                        was.version(),
                        was.footerOffset(),
                        is.storedLength(),
                        was.inflatedLength(),
                        was.fileCount(),
                        is.footerCrc(),
                        was.gapCrc()));
    }

    @ParameterizedTest
    @MethodSource("names")
    void theReaderReadsTheGolden(String name) throws IOException {
        Path file = directory.resolve("again");
        List<PackedFile> expected;
        try (FileChannel channel = TestFiles.readWrite(file)) {
            expected = new ArrayList<>(filler(name).fill(new BlobWriter(channel, GoldenBlobs.encoder(name))));
        }
        expected.sort(Comparator.comparing(PackedFile::path)
                .thenComparingLong(packed -> packed.version().generation()));
        BytesSource source = new BytesSource(GoldenBlobs.bytes(name));
        BlobReader reader = BlobReader.open(source);
        assertThat(reader.footer()).containsExactlyElementsOf(expected);
        VerifiedBlob verified = BlobVerifier.verify(source);
        assertThat(verified.files()).isEqualTo(expected.size());
        assertThat(verified.gapBytes())
                .isEqualTo(
                        name.equals("gaps")
                                ? 63
                                : Set.of("v2/dictionary", "v4/adopted").contains(name) ? 5 : 0);
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyFlippedBitIsDetected(String name) {
        byte[] blob = GoldenBlobs.bytes(name);
        for (int bit = 0; bit < blob.length * 8; bit++) {
            blob[bit / 8] ^= (byte) (1 << bit % 8);
            assertCorrupt(blob, "bit " + bit);
            blob[bit / 8] ^= (byte) (1 << bit % 8);
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyTruncationIsDetected(String name) {
        byte[] blob = GoldenBlobs.bytes(name);
        for (int length = 0; length < blob.length; length++) {
            assertCorrupt(Arrays.copyOf(blob, length), "the first %d bytes".formatted(length));
            assertCorrupt(
                    Arrays.copyOfRange(blob, blob.length - length, blob.length), "the last %d bytes".formatted(length));
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyAppendedOrInsertedByteIsDetected(String name) {
        byte[] blob = GoldenBlobs.bytes(name);
        for (int at = 0; at <= blob.length; at++) {
            byte[] longer = new byte[blob.length + 1];
            System.arraycopy(blob, 0, longer, 0, at);
            System.arraycopy(blob, at, longer, at + 1, blob.length - at);
            assertCorrupt(longer, "a zero inserted at %d".formatted(at));
        }
    }

    private static void assertCorrupt(byte[] blob, String what) {
        assertThatThrownBy(() -> BlobVerifier.verify(new BytesSource(blob)))
                .as(what)
                .isInstanceOf(CorruptBlobException.class)
                .hasMessageContaining("blob-under-test");
    }

    private static TestFiles.Filler filler(String name) {
        TestFiles.Filler filler = GoldenBlobs.all().get(name);
        if (filler == null) {
            throw new AssertionError(name);
        }
        return filler;
    }

    private static BlobTrailer trailer(byte[] blob) throws CorruptBlobException {
        ByteBuffer end = ByteBuffer.wrap(blob, blob.length - BlobTrailer.SIZE, BlobTrailer.SIZE)
                .order(ByteOrder.LITTLE_ENDIAN);
        return BlobTrailer.parse("golden", blob.length, end);
    }

    private static byte[] body(byte[] blob) throws CorruptBlobException {
        return Arrays.copyOf(blob, (int) trailer(blob).footerOffset());
    }

    private static byte[] inflatedFooter(byte[] blob) throws CorruptBlobException, DataFormatException {
        BlobTrailer trailer = trailer(blob);
        byte[] inflated = new byte[trailer.inflatedLength()];
        Deflate.inflate(ByteBuffer.wrap(blob, (int) trailer.footerOffset(), trailer.storedLength()), inflated);
        return inflated;
    }
}
