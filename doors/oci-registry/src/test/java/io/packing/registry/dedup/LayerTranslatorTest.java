// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStream;
import io.packing.bdt.VectorResult;
import io.packing.registry.TestMount;
import io.packing.registry.TestTar;
import io.packing.registry.dedup.LayerTranslator.Translated;
import io.packing.registry.files.VectorBuilder;
import io.packing.registry.oci.Digest;
import io.packing.seed.Seed;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compressed layers have another form, which has their tar and shares its files. */
class LayerTranslatorTest {
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

    /** Returns bytes that can be compressed: half of them are zeros. */
    private static byte[] content(int size, int seed) {
        byte[] bytes = new byte[size];
        byte[] half = new byte[size / 2];
        new SplittableRandom(seed).nextBytes(half);
        System.arraycopy(half, 0, bytes, 0, half.length);
        return bytes;
    }

    private Translated translate(Digest layer, LayerForm form) throws IOException {
        return rig.translator(DedupLimits.DEFAULT).translate(layer, form).orElseThrow();
    }

    private byte[] pull(Digest blob) throws IOException {
        assertThat(rig.blobs.mount(DedupRig.REPOSITORY, blob)).isTrue();
        return rig.pull(blob, 0);
    }

    private static byte[] tarIn(byte[] blob, LayerForm form) throws IOException {
        return form == LayerForm.TAR ? blob : new ZstdInputStream(new ByteArrayInputStream(blob)).readAllBytes();
    }

    @ParameterizedTest
    @EnumSource(LayerForm.class)
    void anotherFormHasTheSameTarAndSharesItsFiles(LayerForm form) throws Exception {
        byte[] shared = content(2_500_000, 1);
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
        Translated first = translate(rig.push(TestTar.gzip(one)), form);
        int files = rig.contents().size();
        Translated second = translate(rig.push(Zstd.compress(two)), form);
        assertThat(rig.contents()).as("one file more").hasSize(files + 1);
        assertThat(first.tar()).isEqualTo(Digest.Algorithm.SHA256.of(one));
        byte[] pulled = pull(first.blob());
        assertThat(Digest.Algorithm.SHA256.of(pulled)).isEqualTo(first.blob());
        assertThat(tarIn(pulled, form)).isEqualTo(one);
        assertThat(tarIn(pull(second.blob()), form)).isEqualTo(two);
        for (int from : new int[] {1, 511, 1_000_000, pulled.length - 1, pulled.length}) {
            assertThat(rig.pull(first.blob(), from)).isEqualTo(Arrays.copyOfRange(pulled, from, pulled.length));
        }
        assertThat(rig.isRecipe(first.blob())).isTrue();
        assertThat(rig.engine(DedupLimits.DEFAULT).examine(first.blob())).contains(DedupCase.TRANSLATED);
        assertThat(rig.scratch()).isEmpty();
    }

    @Test
    void aTranslationIsMadeOnceAndAgainWhenItWasCollected() throws Exception {
        Digest layer =
                rig.push(TestTar.gzip(new TestTar().file("a", content(9_000, 1)).end()));
        Translated made = translate(layer, LayerForm.ZSTD);
        LayerTranslator unread = rig.translator(
                digest -> {
                    throw new AssertionError("it is known");
                },
                DedupLimits.DEFAULT);
        assertThat(unread.translate(layer, LayerForm.ZSTD).orElseThrow().blob()).isEqualTo(made.blob());
        assertThat(rig.files.apply(
                        new VectorBuilder().delete(rig.layout.blob(made.blob())).build()))
                .isInstanceOf(VectorResult.Applied.class);
        assertThat(translate(layer, LayerForm.ZSTD).blob()).isEqualTo(made.blob());
        assertThat(rig.isRecipe(made.blob())).isTrue();
    }

    @Test
    void aTarThatWasPushedUncompressedAlreadyIsTheTranslation() throws Exception {
        byte[] tar = new TestTar().file("a", content(9_000, 1)).end();
        Digest whole = rig.push(tar);
        assertThat(translate(rig.push(TestTar.gzip(tar)), LayerForm.TAR).blob()).isEqualTo(whole);
        assertThat(rig.pull(whole, 0)).isEqualTo(tar);
        assertThat(rig.scratch()).isEmpty();
    }

    @Test
    void aTarWithoutEntriesHasOtherFormsOfThoseBytes() throws Exception {
        byte[] tar = new byte[1_024];
        Digest layer = rig.push(TestTar.gzip(tar));
        for (LayerForm form : LayerForm.values()) {
            assertThat(rig.translator(DedupLimits.DEFAULT)
                            .translate(layer, form)
                            .orElseThrow()
                            .tar())
                    .isEqualTo(Digest.Algorithm.SHA256.of(tar));
        }
    }

    @Test
    void whatIsNoCompressedTarHasNoOtherForm() throws Exception {
        byte[] tar = new TestTar().file("a", content(90_000, 1)).end();
        byte[] zipped = TestTar.gzip(tar);
        byte[] damaged = zipped.clone();
        damaged[damaged.length - 6] ^= 1;
        byte[] frame = Zstd.compress(tar);
        byte[][] all = {
            tar,
            new byte[0],
            {0x1f},
            TestTar.gzip(content(5_000, 2)),
            Arrays.copyOf(zipped, zipped.length / 2),
            damaged,
            Arrays.copyOf(frame, frame.length / 2),
            TestTar.gzip(Arrays.copyOf(tar, 50_000)),
            TestTar.gzip(new byte[0]),
        };
        for (LayerForm form : LayerForm.values()) {
            for (byte[] each : all) {
                Digest layer = Digest.Algorithm.SHA256.of(each);
                if (rig.blobs.find(layer).isEmpty()) {
                    layer = rig.push(each);
                }
                assertThat(rig.translator(DedupLimits.DEFAULT).translate(layer, form))
                        .isEmpty();
                assertThat(rig.translator(DedupLimits.DEFAULT).translate(layer, form))
                        .as("known from before")
                        .isEmpty();
                assertThat(rig.pull(layer, 0)).isEqualTo(each);
            }
        }
        assertThat(rig.scratch()).isEmpty();
    }

    @Test
    void aBombIsNotInflatedBeyondTheLimit() throws Exception {
        byte[] bomb =
                TestTar.gzip(new TestTar().file("zeros", new byte[20_000_000]).end());
        Digest layer = rig.push(bomb);
        LayerTranslator limited = rig.translator(new DedupLimits(1_000_000, false));
        for (LayerForm form : LayerForm.values()) {
            assertThat(limited.translate(layer, form)).isEmpty();
        }
        assertThat(rig.scratch()).isEmpty();
    }

    @Test
    void aLayerThatIsGoneIsAnError() {
        Digest none = Digest.Algorithm.SHA256.of(new byte[] {1});
        assertThatThrownBy(() -> translate(none, LayerForm.ZSTD)).isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void anyTarComesThrough() throws Exception {
        SplittableRandom random = new SplittableRandom(Seed.value());
        for (int round = 0; round < 10; round++) {
            TestTar tar = new TestTar();
            for (int file = 0; file < 40; file++) {
                int size = random.nextInt(10) == 0 ? random.nextInt(3_000_000) : random.nextInt(4_000);
                tar.file("f" + file, content(size, random.nextInt(30)));
            }
            byte[] bytes = tar.end();
            for (LayerForm form : LayerForm.values()) {
                Digest layer = Digest.Algorithm.SHA256.of(TestTar.gzip(bytes));
                if (rig.blobs.find(layer).isEmpty()) {
                    layer = rig.push(TestTar.gzip(bytes));
                }
                assertThat(tarIn(pull(translate(layer, form).blob()), form))
                        .as("round %d", round)
                        .isEqualTo(bytes);
            }
        }
    }
}
