// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.seed.Seed;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlobRoundTripTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whateverIsWrittenIsReadBack(long seed) throws IOException {
        Random random = new Random(seed);
        Map<FilePath, byte[]> contents = new LinkedHashMap<>();
        List<PackedFile> written = new ArrayList<>();
        byte[] blob = TestFiles.blob(directory, seed % 2 == 0 ? Codec.NONE : Codec.DEFLATE, writer -> {
            int files = random.nextInt(300);
            for (int i = 0; i < files; i++) {
                FilePath path = randomPath(random, i);
                byte[] content = randomContent(random);
                contents.put(path, content);
                List<Extent> extents =
                        writer.append(0, Channels.newChannel(new ByteArrayInputStream(content)), content.length);
                written.add(new PackedFile(
                        new FileVersion(1 + i * 3L, random.nextInt(1000)),
                        path,
                        new FileAttributes(
                                content.length, random.nextLong(), "u" + random.nextInt(3), "", random.nextInt(4096)),
                        extents));
            }
            Collections.shuffle(written, random);
            return written;
        });

        BlobReader reader = BlobReader.open(new BytesSource(blob));
        written.sort((a, b) -> a.path().compareTo(b.path()));
        assertThat(reader.footer()).as("seed %d", seed).containsExactlyElementsOf(written);
        for (Map.Entry<FilePath, byte[]> entry : contents.entrySet()) {
            PackedFile file = reader.footer().find(entry.getKey()).orElseThrow();
            assertThat(read(reader, file)).as("seed %d, %s", seed, file.path()).isEqualTo(entry.getValue());
        }
        VerifiedBlob verified = BlobVerifier.verify(new BytesSource(blob));
        assertThat(verified.length()).isEqualTo(blob.length);
        assertThat(verified.gapBytes()).isZero();
        assertThat(verified.fileBytes())
                .isEqualTo(contents.values().stream().mapToLong(c -> c.length).sum());
    }

    @Test
    void aWorkersSegmentBecomesABlobByAppendingAFooter() throws IOException {
        Random random = Seed.random();
        Path segment = directory.resolve("segment");
        List<PackedFile> files = new ArrayList<>();
        try (FileChannel channel = TestFiles.readWrite(segment)) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            body.write(BlobHeader.bytes().array());
            for (int i = 1; i <= 1000; i++) {
                body.write(TestFiles.random(random, 90));
                byte[] content = TestFiles.random(random, 1 + random.nextInt(9000));
                Extent extent =
                        new ExtentCodec.Stored(Codec.NONE, ByteBuffer.wrap(content)).at(0, content.length, body.size());
                body.write(content);
                if (i % 10 != 0) {
                    files.add(TestFiles.file(i, "/d/" + i, List.of(extent)));
                }
            }
            channel.write(ByteBuffer.wrap(body.toByteArray()));
            FinishedBlob finished = FooterWriter.finish(channel, files);
            assertThat(finished.footerOffset()).isEqualTo(body.size());
            assertThat(finished.length()).isEqualTo(channel.size());
            assertThat(finished.files()).isEqualTo(900);

            FileRangeSource source = new FileRangeSource("segment", channel);
            VerifiedBlob verified = BlobVerifier.verify(source);
            assertThat(verified.extents()).isEqualTo(900);
            assertThat(verified.gapBytes()).isEqualTo(finished.footerOffset() - 16 - finished.storedBytes());
            BlobReader byName = BlobReader.open(source, finished.footerOffset());
            assertThat(byName.footer().fileCount()).isEqualTo(900);
        }
    }

    @Test
    void openingCostsOneReadAndASecondOnlyForALargeFooter() throws IOException {
        byte[] small = TestFiles.blob(directory, Codec.NONE, w -> List.of(TestFiles.add(w, 1, "/a", new byte[10])));
        BytesSource smallSource = new BytesSource(small);
        BlobReader.open(smallSource);
        assertThat(smallSource.reads()).isEqualTo(1);

        Random random = Seed.random();
        byte[] large = TestFiles.blob(directory, Codec.NONE, w -> {
            List<PackedFile> files = new ArrayList<>();
            for (int i = 1; i < 8000; i++) {
                files.add(TestFiles.add(w, i, "/" + Long.toHexString(random.nextLong()), TestFiles.random(random, 8)));
            }
            return files;
        });
        BytesSource byTail = new BytesSource(large);
        Footer footer = BlobReader.open(byTail).footer();
        assertThat(byTail.reads()).isEqualTo(2);
        BytesSource byOffset = new BytesSource(large);
        BlobReader.open(byOffset, footer.footerOffset());
        assertThat(byOffset.reads()).isEqualTo(1);
    }

    @Test
    void aWrongFooterOffsetIsCorrupt() throws IOException {
        byte[] blob = TestFiles.blob(directory, Codec.NONE, w -> List.of(TestFiles.add(w, 1, "/a", new byte[100])));
        for (long offset : new long[] {-1, 0, 16, 17, 115, 117, blob.length - 40, blob.length, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> BlobReader.open(new BytesSource(blob), offset))
                    .as("offset %d", offset)
                    .isInstanceOf(CorruptBlobException.class)
                    .hasMessageContaining("blob-under-test");
        }
        assertThat(BlobReader.open(new BytesSource(blob), 116).footer().fileCount())
                .isEqualTo(1);
    }

    @Test
    void theNewestVersionOfAPathIsFound() throws IOException {
        byte[] blob = TestFiles.blob(
                directory,
                Codec.NONE,
                w -> List.of(
                        TestFiles.add(w, 9, "/a", new byte[] {9}),
                        TestFiles.add(w, 2, "/a", new byte[] {2}),
                        TestFiles.add(w, 1, "/b", new byte[] {1})));
        Footer footer = BlobReader.open(new BytesSource(blob)).footer();
        assertThat(footer.find(new FilePath("/a")).orElseThrow().version().id()).isEqualTo(9);
        assertThat(footer.find(new FilePath("/aa"))).isEmpty();
        assertThat(footer.find(new FilePath("/b"))).isPresent();
    }

    @Test
    void whatShrinksIsDeflatedAndWhatDoesNotIsKept() throws IOException {
        byte[] text = "all work and no play ".repeat(500).getBytes(StandardCharsets.US_ASCII);
        byte[] noise = TestFiles.random(Seed.random(), 5000);
        byte[] blob = TestFiles.blob(
                directory,
                Codec.DEFLATE,
                w -> List.of(
                        TestFiles.add(w, 1, "/text", text),
                        TestFiles.add(w, 2, "/noise", noise),
                        TestFiles.add(w, 3, "/one", new byte[1])));
        BlobReader reader = BlobReader.open(new BytesSource(blob));
        Extent packed = only(reader, "/text");
        assertThat(packed.codec()).isEqualTo(Codec.DEFLATE);
        assertThat(packed.storedLength()).isLessThan(200);
        assertThat(only(reader, "/noise").codec()).isEqualTo(Codec.NONE);
        assertThat(only(reader, "/one").codec()).isEqualTo(Codec.NONE);
        assertThat(read(reader, reader.footer().find(new FilePath("/text")).orElseThrow()))
                .isEqualTo(text);
    }

    @Test
    void filesThatDoNotMakeABlobAreRefusedBeforeAnythingIsWritten() throws IOException {
        Path path = directory.resolve("bad");
        try (FileChannel channel = TestFiles.readWrite(path)) {
            BlobWriter writer = new BlobWriter(channel, Codec.NONE);
            Extent extent = writer.append(0, ByteBuffer.allocate(100));
            Extent outside = new Extent(0, 100, 17, 100, Codec.NONE, 0);
            List<List<PackedFile>> bad = List.of(
                    List.of(TestFiles.file(1, "/a", List.of(extent)), TestFiles.file(2, "/b", List.of(extent))),
                    List.of(TestFiles.file(1, "/a", List.of(outside))),
                    List.of(TestFiles.file(1, "/a", List.of(extent)), TestFiles.file(1, "/b", List.of())),
                    List.of(TestFiles.file(1, "/", List.of(extent))));
            for (List<PackedFile> files : bad) {
                assertThatThrownBy(() -> writer.finish(files)).isInstanceOf(IllegalArgumentException.class);
                assertThat(channel.size()).isEqualTo(116);
            }
            writer.finish(List.of(TestFiles.file(1, "/a", List.of(extent))));
        }
        assertThat(BlobVerifier.verify(new BytesSource(Files.readAllBytes(path)))
                        .files())
                .isEqualTo(1);
    }

    @Test
    void aCopiedExtentKeepsItsStoredBytes() throws IOException {
        byte[] text = "to be or not ".repeat(100).getBytes(StandardCharsets.US_ASCII);
        byte[] first = TestFiles.blob(directory, Codec.DEFLATE, w -> List.of(TestFiles.add(w, 1, "/a", text)));
        Extent extent = only(BlobReader.open(new BytesSource(first)), "/a");
        ByteBuffer stored = new BytesSource(first).read(extent.blobOffset(), extent.storedLength());
        byte[] second = TestFiles.blob(directory, Codec.NONE, w -> {
            w.append(0, ByteBuffer.allocate(10));
            return List.of(TestFiles.file(1, "/a", List.of(w.copy(extent, stored.slice()))));
        });
        BlobReader reader = BlobReader.open(new BytesSource(second));
        assertThat(only(reader, "/a").blobOffset()).isEqualTo(26);
        assertThat(read(reader, reader.footer().iterator().next())).isEqualTo(text);
        assertThat(BlobVerifier.verify(new BytesSource(second)).gapBytes()).isEqualTo(10);
    }

    private static Extent only(BlobReader reader, String path) {
        return reader.footer().find(new FilePath(path)).orElseThrow().extents().get(0);
    }

    private static byte[] read(BlobReader reader, PackedFile file) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Extent extent : file.extents()) {
            assertThat(extent.fileOffset()).isEqualTo(out.size());
            ByteBuffer bytes = reader.readExtent(extent);
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            out.writeBytes(copy);
        }
        return out.toByteArray();
    }

    private static FilePath randomPath(Random random, int i) {
        List<String> alphabet = List.of("a", "b", "é", "日本", "\uD83D\uDE00", "\uFFEE", " ", "%", ".x", "long-name-");
        StringBuilder path = new StringBuilder();
        for (int depth = random.nextInt(4); depth >= 0; depth--) {
            path.append('/');
            for (int n = random.nextInt(4); n >= 0; n--) {
                path.append(alphabet.get(random.nextInt(alphabet.size())));
            }
        }
        return new FilePath(path.append('#').append(i).toString());
    }

    private static byte[] randomContent(Random random) {
        int length = random.nextInt(20) == 0 ? 0 : random.nextInt(100) == 0 ? 5_000_000 : 1 + random.nextInt(5000);
        byte[] content = TestFiles.random(random, length);
        if (random.nextBoolean()) {
            for (int i = 0; i < length; i++) {
                content[i] &= 3;
            }
        }
        return content;
    }
}
