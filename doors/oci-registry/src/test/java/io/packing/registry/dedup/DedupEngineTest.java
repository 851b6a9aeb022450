// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.registry.TestMount;
import io.packing.registry.TestTar;
import io.packing.registry.files.ReadAhead;
import io.packing.registry.oci.Digest;
import io.packing.seed.Seed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Layers are split and made again to the byte, whatever is in them. */
class DedupEngineTest {
    private static final DedupLimits GZIP = new DedupLimits(1L << 30, true);

    @TempDir
    private Path home;

    private TestMount mount;
    private DedupRig rig;

    @BeforeEach
    void start() throws IOException {
        mount = TestMount.start(home);
        rig = new DedupRig(mount.files());
    }

    @AfterEach
    void stop() throws IOException {
        rig.close();
        mount.close();
    }

    static byte[] content(int size, int seed) {
        byte[] bytes = new byte[size];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    private static byte[] gzip(byte[] bytes, int level) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out) {
            {
                def.setLevel(level);
            }
        }) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    @Test
    void twoLayersShareTheFilesThatAreInBoth() throws Exception {
        byte[] shared = content(3_000_000, 1);
        byte[] one = new TestTar()
                .file("a", shared)
                .file("tiny", content(20, 2))
                .file("b", content(5_000, 3))
                .end();
        byte[] two = new TestTar()
                .header("dir/", '5', 0)
                .file("dir/elsewhere", shared)
                .file("c", content(7_000, 4))
                .end();
        Digest first = rig.push(one);
        Digest second = rig.push(two);
        assertThat(rig.engine(DedupLimits.DEFAULT).examine(first)).contains(DedupCase.TAR);
        assertThat(rig.engine(DedupLimits.DEFAULT).examine(second)).contains(DedupCase.TAR);
        assertThat(rig.contents()).hasSize(3);
        assertThat(rig.isRecipe(first)).isTrue();
        assertThat(rig.pull(first, 0)).isEqualTo(one);
        assertThat(rig.pull(second, 0)).isEqualTo(two);
        for (int from : new int[] {1, 511, 513, 1_000_000, one.length - 1, one.length}) {
            assertThat(rig.pull(first, from)).isEqualTo(Arrays.copyOfRange(one, from, one.length));
        }
        assertThat(rig.scratch()).isEmpty();
        assertThat(rig.engine(DedupLimits.DEFAULT).examine(first)).contains(DedupCase.TAR);
    }

    static Stream<TestTar> formats() {
        byte[] file = content(4_321, 5);
        byte[] sparse = new byte[512];
        sparse[504] = 1;
        return Stream.of(
                new TestTar().pax("size", "4321").header("pax-size", '0', 0).padded(file),
                new TestTar().pax("path", "x".repeat(300)).file("long", file),
                new TestTar()
                        .header("././@LongLink", 'L', 600)
                        .padded(content(600, 6))
                        .file("gnu", file),
                new TestTar()
                        .header("base-256", '0', 0, block -> {
                            Arrays.fill(block, 124, 136, (byte) 0);
                            block[124] = (byte) 0x80;
                            block[134] = (byte) (4_321 >> 8);
                            block[135] = (byte) 4_321;
                        })
                        .padded(file),
                new TestTar()
                        .header("sparse", 'S', 4_321, block -> block[482] = 1)
                        .raw(sparse)
                        .raw(new byte[512])
                        .padded(file),
                new TestTar().pax('g', "comment", "x".repeat(700)).file("after-global", file),
                new TestTar()
                        .header("../../etc/passwd", '2', 0)
                        .header("/absolute", '1', 4_321)
                        .header("dev", '3', 0)
                        .header(".wh..wh..opq", '0', 0)
                        .file("../../outside", file),
                new TestTar()
                        .header("signed-sum", '0', 4_321, block -> block[0] = (byte) 0xe9)
                        .padded(file));
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("formats")
    void everyFormatIsMadeAgainToTheByte(TestTar tar) throws Exception {
        byte[] layer = tar.end();
        Digest digest = rig.push(layer);
        assertThat(rig.engine(DedupLimits.DEFAULT).examine(digest)).contains(DedupCase.TAR);
        assertThat(rig.contents()).as("the file is shared").hasSize(1);
        assertThat(rig.pull(digest, 0)).isEqualTo(layer);
    }

    /** As file systems do. */
    private static byte[] beginsWithZeros() {
        byte[] blob = new byte[10_240];
        blob[5_000] = 1;
        return blob;
    }

    static Stream<byte[]> broken() {
        byte[] whole = new TestTar()
                .file("a", content(10_000, 8))
                .file("b", content(9_000, 9))
                .end();
        byte[] flipped = whole.clone();
        flipped[512 + 10_240 + 3] ^= 1;
        return Stream.of(
                new byte[0],
                new byte[] {0},
                beginsWithZeros(),
                "{\"config\":1}".getBytes(StandardCharsets.UTF_8),
                Arrays.copyOf(whole, 300),
                Arrays.copyOf(whole, 5_000),
                Arrays.copyOf(whole, 512 + 10_240 + 100),
                flipped,
                new TestTar()
                        .header("huge", '0', 0, block -> TestTar.put(block, 124, "77777777777\0"))
                        .end(),
                new TestTar()
                        .header("negative", '0', 0, block -> Arrays.fill(block, 124, 136, (byte) 0xff))
                        .end(),
                new TestTar().pax("size", "-5").file("a", content(1_000, 10)).end(),
                new TestTar()
                        .pax("size", "999999999999999")
                        .file("a", content(1_000, 11))
                        .end(),
                new TestTar()
                        .header("pax", 'x', 512)
                        .padded(content(512, 12))
                        .file("a", content(600, 13))
                        .end(),
                new TestTar().header("sparse", 'S', 0, block -> block[482] = 1).bytes(),
                new TestTar().record("2 ").file("a", content(1_000, 14)).end(),
                new TestTar()
                        .record("-9 size=5\n")
                        .file("a", content(1_000, 15))
                        .end(),
                new TestTar()
                        .record("9 size=50\n")
                        .file("a", content(1_000, 16))
                        .end(),
                new TestTar().file("a", content(1_000, 17)).pax("size", "5").end());
    }

    @Test
    void aTarWithoutEntriesIsATar() throws Exception {
        // A build makes it of a step that changes nothing.
        byte[] layer = new byte[1_024];
        Digest digest = rig.push(layer);
        assertThat(rig.engine(GZIP).examine(digest)).contains(DedupCase.TAR);
        assertThat(rig.contents()).isEmpty();
        assertThat(rig.pull(digest, 0)).isEqualTo(layer);
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("broken")
    void whatIsNoWholeTarStaysAsItIs(byte[] blob) throws Exception {
        Digest digest = rig.push(blob);
        assertThat(rig.engine(GZIP).examine(digest)).contains(DedupCase.NOT_A_TAR);
        assertThat(rig.isRecipe(digest)).isFalse();
        assertThat(rig.pull(digest, 0)).isEqualTo(blob);
        assertThat(rig.scratch()).isEmpty();
        assertThat(rig.engine(GZIP).known(digest)).contains(DedupCase.NOT_A_TAR);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 6, 9})
    void aGzippedLayerOfZlibIsMadeAgainToTheByte(int level) throws Exception {
        byte[] tar = new TestTar()
                .file("text", "packing ".repeat(40_000).getBytes(StandardCharsets.UTF_8))
                .file("random", content(70_000, 14))
                .end();
        byte[] layer = gzip(tar, level);
        Digest digest = rig.push(layer);
        assertThat(rig.engine(GZIP).examine(digest)).contains(DedupCase.GZIP_REBUILT);
        assertThat(rig.isRecipe(digest)).isTrue();
        assertThat(rig.pull(digest, 0)).isEqualTo(layer);
        assertThat(rig.pull(digest, 1_000)).isEqualTo(Arrays.copyOfRange(layer, 1_000, layer.length));
        assertThat(rig.contents()).hasSize(2);
    }

    static List<byte[]> gzipThatStays() throws IOException {
        byte[] text = "some words, and ".repeat(5_000).getBytes(StandardCharsets.UTF_8);
        byte[] tar = new TestTar().file("a", text).file("b", new byte[200_000]).end();
        byte[] whole = gzip(tar, Deflater.DEFAULT_COMPRESSION);
        byte[] damaged = whole.clone();
        damaged[whole.length / 2] ^= 0x40;
        ByteArrayOutputStream twice = new ByteArrayOutputStream();
        twice.write(whole);
        twice.write(whole);
        byte[] header = Arrays.copyOf(whole, 12);
        return List.of(damaged, Arrays.copyOf(whole, whole.length - 9), twice.toByteArray(), header);
    }

    @Test
    void aGzipThatInflatesBeyondTheLimitStaysAsItIs() throws Exception {
        byte[] bomb = gzip(new byte[64 << 20], 9);
        Digest digest = rig.push(bomb);
        assertThat(rig.engine(new DedupLimits(32 << 20, true)).examine(digest)).contains(DedupCase.TOO_LARGE);
        assertThat(rig.pull(digest, 0)).isEqualTo(bomb);
        assertThat(rig.contents()).isEmpty();
        assertThat(rig.scratch()).isEmpty();
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("gzipThatStays")
    void brokenGzipStaysAsItIs(byte[] blob) throws Exception {
        Digest digest = rig.push(blob);
        assertThat(rig.engine(new DedupLimits(32 << 20, true)).examine(digest)).contains(DedupCase.GZIP_KEPT);
        assertThat(rig.pull(digest, 0)).isEqualTo(blob);
        assertThat(rig.contents()).isEmpty();
        assertThat(rig.scratch()).isEmpty();
    }

    @Test
    void gzipIsLeftAloneUnlessItIsAskedFor() throws Exception {
        Digest digest =
                rig.push(gzip(new TestTar().file("a", content(5_000, 16)).end(), 6));
        assertThat(rig.engine(DedupLimits.DEFAULT).examine(digest)).contains(DedupCase.GZIP_KEPT);
    }

    @Test
    void anyCutOfRandomBlocksGivesTheBytesBack() throws Exception {
        SplittableRandom random = new SplittableRandom(Seed.value());
        for (int round = 0; round < 25; round++) {
            TestTar tar = new TestTar();
            int entries = random.nextInt(1, 30);
            for (int i = 0; i < entries; i++) {
                byte[] file = content(random.nextInt(0, 40_000), random.nextInt(20));
                switch (random.nextInt(5)) {
                    case 0 -> tar.header("dir" + i, '5', 0);
                    case 1 -> tar.pax("mtime", "1.5").file("f" + i, file);
                    case 2 ->
                        tar.header("x" + i, (char) random.nextInt(32, 127), file.length)
                                .padded(file);
                    default -> tar.file("f" + i, file);
                }
            }
            byte[] layer =
                    random.nextBoolean() ? tar.end() : tar.raw(content(700, 1)).end();
            Digest digest = rig.push(layer);
            assertThat(rig.engine(DedupLimits.DEFAULT).examine(digest)).isPresent();
            assertThat(rig.pull(digest, 0)).isEqualTo(layer);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 3L * ReadAhead.PIECE, DedupRig.MEMORY})
    void aSplitLayerReadsTheSameWithAndWithoutMemoryToReadAhead(long memory) throws Exception {
        TestTar tar = new TestTar().file("large", content(9_000_000, 1)).file("next", content(4_500_000, 2));
        for (int i = 0; i < 200; i++) {
            tar.file("small" + i, content(600 + 37 * i, 100 + i));
        }
        byte[] layer = tar.file("last", content(4_200_000, 3)).end();
        try (DedupRig other = new DedupRig(mount.files(), memory)) {
            int free = other.readAhead.free();
            Digest digest = other.push(layer);
            assertThat(other.engine(DedupLimits.DEFAULT).examine(digest)).contains(DedupCase.TAR);
            for (int from : new int[] {0, 700, 8_999_999, 14_000_000, layer.length - 1, layer.length}) {
                assertThat(other.pull(digest, from)).isEqualTo(Arrays.copyOfRange(layer, from, layer.length));
            }
            assertThat(other.readAhead.free()).isEqualTo(free);
        }
    }
}
