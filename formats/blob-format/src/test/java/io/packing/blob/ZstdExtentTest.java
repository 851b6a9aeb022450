// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZstdExtentTest {
    private static final byte[] TEXT = "to be or not to be, ".repeat(20).getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private Path directory;

    @Test
    void filesCompressedWithATrainedDictionaryAreReadAsTheyWere() throws IOException {
        Random random = Seed.random();
        List<byte[]> contents = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            contents.add(line(random));
        }
        contents.add(TestFiles.random(random, 3_000));
        contents.add("all the same ".repeat(40_000).getBytes(StandardCharsets.US_ASCII));
        Dictionary dictionary =
                Dictionary.train(contents.subList(0, 400), 4_096).orElseThrow();
        byte[] plain = blob(Optional.empty(), contents);
        byte[] trained = blob(Optional.of(dictionary), contents);

        BlobReader reader = BlobReader.open(new BytesSource(trained));
        assertThat(reader.dictionary()).contains(dictionary);
        List<Codec> codecs = new ArrayList<>();
        for (PackedFile file : reader.footer()) {
            Extent extent = file.extents().get(0);
            codecs.add(extent.codec());
            ByteBuffer expected =
                    ByteBuffer.wrap(contents.get((int) file.version().id() - 1));
            assertThat(reader.readExtent(extent)).isEqualTo(expected);
        }
        assertThat(codecs.subList(0, 500)).containsOnly(Codec.ZSTD_DICTIONARY);
        assertThat(codecs.subList(500, 502)).containsExactly(Codec.NONE, Codec.ZSTD);
        assertThat(BlobVerifier.verify(new BytesSource(trained)).files()).isEqualTo(502);
        assertThat(reader.footer().storedBytes() + dictionary.sectionBytes())
                .isLessThan(BlobReader.open(new BytesSource(plain)).footer().storedBytes());
        assertThat(plain[8]).isEqualTo((byte) 2);
    }

    @Test
    void aBlobThatNeedsNoZstandardIsOfVersionOne() throws IOException {
        byte[] noise = TestFiles.random(Seed.random(), 1_000);
        byte[] blob = blob(Optional.empty(), List.of(noise));
        assertThat(blob[8]).isEqualTo((byte) 1);
        assertThat(BlobVerifier.verify(new BytesSource(blob)).files()).isEqualTo(1);
    }

    @Test
    void samplesWithNothingInCommonMakeNoDictionary() {
        assertThat(Dictionary.train(List.of(new byte[1], new byte[2]), 1_000)).isEmpty();
        assertThat(Dictionary.train(List.of(), 1_000)).isEmpty();
    }

    @Test
    void aFrameThatHoldsMoreOrLessThanTheExtentIsRefused() {
        byte[] bomb = Zstd.compress(new byte[Extent.MAX_LENGTH], 3);
        assertRefused(Codec.ZSTD, bomb, 100, "the frame says 4194304 bytes");
        // The header states a wrong size, too: the library stops at the extent's length.
        ByteBuffer.wrap(bomb).order(ByteOrder.LITTLE_ENDIAN).putInt(sizeAt(bomb), 1_000);
        assertRefused(Codec.ZSTD, bomb, 1_000, "does not inflate to 1000 bytes");
        assertRefused(Codec.ZSTD, Zstd.compress(TEXT, 3), TEXT.length + 1, "the frame says 400 bytes");
    }

    @Test
    void whatIsNotExactlyOnePlainFrameIsRefused() {
        byte[] frame = Zstd.compress(TEXT, 3);
        assertRefused(Codec.ZSTD, join(frame, frame), TEXT.length, "bytes follow the frame");
        assertRefused(Codec.ZSTD, join(frame, new byte[1]), TEXT.length, "1 bytes follow the frame");
        byte[] skippable = {0x50, 0x2A, 0x4D, 0x18, 0, 0, 0, 0};
        assertRefused(Codec.ZSTD, join(skippable, frame), TEXT.length, "does not start as a frame");
        assertRefused(Codec.ZSTD, TEXT, TEXT.length, "does not start as a frame");
        for (int length = 1; length < frame.length; length++) {
            assertRefused(Codec.ZSTD, Arrays.copyOf(frame, length), TEXT.length, "does not inflate");
        }
        try (ZstdCompressCtx context = new ZstdCompressCtx()) {
            context.setChecksum(true);
            assertRefused(Codec.ZSTD, context.compress(TEXT), TEXT.length, "has a checksum");
            context.setChecksum(false);
            context.setContentSize(false);
            assertRefused(Codec.ZSTD, context.compress(TEXT), TEXT.length, "does not say how many bytes");
        }
    }

    @Test
    void aFrameOfAnotherDictionaryIsRefused() {
        Dictionary golden = GoldenBlobs.dictionary();
        byte[] other = golden.bytes().clone();
        other[4]++;
        byte[] text = GoldenBlobs.JSON.getBytes(StandardCharsets.US_ASCII);
        byte[] frame = Zstd.compressUsingDict(text, golden.bytes(), 3);
        assertRefused(Codec.ZSTD, frame, text.length, "the frame names dictionary 1472933958, want 0");
        assertRefused(Codec.ZSTD_DICTIONARY, frame, text.length, "the blob has no dictionary");
        Extent extent = extent(Codec.ZSTD_DICTIONARY, frame, text.length);
        ByteBuffer stored = ByteBuffer.wrap(frame);
        assertThatThrownBy(
                        () -> ExtentCodec.decode("b", extent, stored, Decoding.with(Optional.of(Dictionary.of(other)))))
                .isInstanceOf(CorruptBlobException.class)
                .hasMessageContaining("the frame names dictionary 1472933958, want 1472933959");
        // The number is right and the other bytes are wrong: in a blob, the checksum of the dictionary finds that.
        byte[] damaged = golden.bytes().clone();
        Arrays.fill(damaged, 8, 200, (byte) 0xFF);
        assertThatThrownBy(() ->
                        ExtentCodec.decode("b", extent, stored, Decoding.with(Optional.of(Dictionary.of(damaged)))))
                .isInstanceOf(CorruptBlobException.class);
    }

    @Test
    void bytesThatAreNoDictionaryAreRefused() {
        for (byte[] bad : List.of(new byte[7], new byte[8], new byte[Dictionary.MAX_LENGTH + 1])) {
            assertThatThrownBy(() -> Dictionary.of(bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aDamagedOrMissingDictionaryIsReportedWhenAnExtentNeedsIt() throws IOException {
        byte[] blob = GoldenBlobs.bytes("v2/dictionary");
        for (int at : new int[] {16, 20, 24, 28, 35, 300}) {
            byte[] damaged = blob.clone();
            damaged[at] ^= 1;
            BlobReader reader = BlobReader.open(new BytesSource(damaged));
            Extent needs = extent(reader, "/trained");
            assertThatThrownBy(() -> reader.readExtent(needs))
                    .isInstanceOf(CorruptBlobException.class)
                    .hasMessageContaining("dictionary");
            Extent plain = extent(reader, "/frame");
            assertThat(reader.readExtent(plain).remaining()).isEqualTo(31);
        }
        byte[] without = GoldenBlobs.bytes("one-file");
        assertThatThrownBy(() -> Dictionary.read(new BytesSource(without), 29))
                .isInstanceOf(CorruptBlobException.class)
                .hasMessageContaining("no sound dictionary");
    }

    private byte[] blob(Optional<Dictionary> dictionary, List<byte[]> contents) throws IOException {
        try (ZstdEncoder encoder = new ZstdEncoder(dictionary)) {
            return TestFiles.blob(directory, encoder, writer -> {
                List<PackedFile> files = new ArrayList<>();
                for (int i = 0; i < contents.size(); i++) {
                    files.add(TestFiles.add(writer, i + 1L, "/%04d".formatted(i), contents.get(i)));
                }
                return files;
            });
        }
    }

    private static byte[] line(Random random) {
        return "{\"user\":\"%x\",\"event\":\"%s\",\"worker\":\"worker-%d\",\"bytes\":%d}"
                .formatted(random.nextInt(), random.nextBoolean() ? "created" : "packed", random.nextInt(9), 8_192)
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns the offset of the content size of four bytes in a frame without a dictionary. */
    private static int sizeAt(byte[] frame) {
        assertThat(frame[4] >>> 6 & 3).isEqualTo(2);
        return (frame[4] & 1 << 5) != 0 ? 5 : 6;
    }

    private static Extent extent(BlobReader reader, String path) {
        return reader.footer().find(new FilePath(path)).orElseThrow().extents().get(0);
    }

    private static Extent extent(Codec codec, byte[] stored, int length) {
        return new ExtentCodec.Stored(codec, ByteBuffer.wrap(stored)).at(0, length, 16);
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private static void assertRefused(Codec codec, byte[] stored, int length, String fault) {
        Extent extent = extent(codec, stored, length);
        assertThatThrownBy(() -> ExtentCodec.decode("blob-under-test", extent, ByteBuffer.wrap(stored)))
                .isInstanceOf(CorruptBlobException.class)
                .hasMessageContaining("blob-under-test")
                .hasMessageContaining(fault);
    }
}
