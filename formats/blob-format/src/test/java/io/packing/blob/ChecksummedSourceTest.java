// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.seed.Seed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChecksummedSourceTest {
    private final byte[] bytes = new byte[20_000_000];

    @TempDir
    private Path directory;

    @BeforeEach
    void fill() {
        Seed.random().nextBytes(bytes);
    }

    private static int crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    @Test
    void whatWasNotReadIsReadForTheChecksum() throws IOException {
        BytesSource source = new BytesSource(bytes);
        assertThat(new ChecksummedSource(source).crc32c()).isEqualTo(crc(bytes));
        assertThat(source.reads()).isLessThanOrEqualTo(bytes.length / source.sequentialReadBytes() + 1);
    }

    @Test
    void readsThatOverlapOrRepeatOrSkipCountOnce() throws IOException {
        ChecksummedSource source = new ChecksummedSource(new BytesSource(bytes));
        for (long[] read : new long[][] {{19_000_000, 1_000_000}, {0, 16}, {0, 10}, {8, 900}, {2_000, 10}, {900, 16}}) {
            assertThat(source.read(read[0], (int) read[1]).get()).isEqualTo(bytes[(int) read[0]]);
        }
        ByteBuffer into = ByteBuffer.allocate(300).position(100);
        source.read(916, into);
        assertThat(into.hasRemaining()).isFalse();
        assertThat(into.get(100)).isEqualTo(bytes[916]);
        assertThat(source.crc32c()).isEqualTo(crc(bytes));
        assertThat(source.crc32c()).isEqualTo(crc(bytes));
    }

    @Test
    void aVerifiedBlobIsNotReadAgainButForItsFooter() throws IOException {
        byte[] blob = TestFiles.blob(
                directory,
                Codec.NONE,
                writer -> List.of(TestFiles.file(
                        1,
                        "/a",
                        writer.append(0, Channels.newChannel(new ByteArrayInputStream(bytes)), bytes.length))));
        BytesSource source = new BytesSource(blob);
        ChecksummedSource checksummed = new ChecksummedSource(source);
        BlobVerifier.verify(checksummed);
        int reads = source.reads();
        assertThat(checksummed.crc32c()).isEqualTo(crc(blob));
        assertThat(source.reads()).isEqualTo(reads + 1);
    }
}
