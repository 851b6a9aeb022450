// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.seed.Seed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlobVerifierTest {
    private static final int GAP = 10_000_000;
    private static final int FILE = 9_000_000;

    @TempDir
    private Path directory;

    /** Gaps and files are larger than a read, and extents lie across the ends of reads. */
    @Test
    void aBlobOfManyReadsIsVerifiedWithFewOfThem() throws IOException {
        byte[] blob = large();
        BytesSource source = new BytesSource(blob);
        VerifiedBlob verified = BlobVerifier.verify(source);
        assertThat(verified)
                .isEqualTo(new VerifiedBlob(
                        blob.length, 16 + 2L * GAP + 2L * FILE + 10, 3, 7, 2L * FILE + 10, 2L * FILE + 10, 2L * GAP));
        assertThat(source.reads()).isLessThan(2 + 2 * blob.length / (8 << 20));
    }

    @Test
    void aFlippedBitIsFoundWhereverItIs() throws IOException {
        byte[] blob = large();
        Random random = Seed.random();
        for (int i = 0; i < 10; i++) {
            int at = random.nextInt(blob.length);
            blob[at] ^= 4;
            assertThatThrownBy(() -> BlobVerifier.verify(new BytesSource(blob)))
                    .as("byte %d", at)
                    .isInstanceOf(CorruptBlobException.class)
                    .hasMessageContaining("blob-under-test");
            blob[at] ^= 4;
        }
    }

    @Test
    void anExtentWhoseChecksumIsOfOtherBytesIsFound() throws IOException {
        Extent elsewhere = new ExtentCodec.Stored(Codec.NONE, ByteBuffer.wrap(new byte[] {1, 2, 3})).at(0, 3, 16);
        byte[] blob = TestFiles.blob(
                directory,
                Codec.NONE,
                w -> List.of(TestFiles.file(1, "/a", List.of(w.copy(elsewhere, ByteBuffer.allocate(3))))));
        assertThatThrownBy(() -> BlobVerifier.verify(new BytesSource(blob)))
                .isInstanceOf(CorruptBlobException.class)
                .hasMessageContaining("extent at 16+3 has crc");
    }

    private byte[] large() throws IOException {
        return TestFiles.blob(directory, Codec.NONE, writer -> {
            Random random = Seed.random();
            gap(writer, random);
            PackedFile first = TestFiles.file(1, "/a", append(writer, random, FILE));
            gap(writer, random);
            PackedFile second = TestFiles.file(2, "/b", append(writer, random, 10));
            PackedFile third = TestFiles.file(3, "/c", append(writer, random, FILE));
            return List.of(third, first, second);
        });
    }

    private static void gap(BlobWriter writer, Random random) throws IOException {
        assertThat(append(writer, random, GAP)).hasSize(3);
    }

    private static List<Extent> append(BlobWriter writer, Random random, int length) throws IOException {
        byte[] content = TestFiles.random(random, length);
        return writer.append(0, Channels.newChannel(new ByteArrayInputStream(content)), length);
    }
}
