// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.registry.TestMount;
import io.packing.registry.TestTar;
import io.packing.registry.oci.Digest;
import io.packing.registry.tar.NotATarException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Layers that inflate to a thousand times their length, or are beyond another limit. */
@Timeout(300)
class LayerBombTest {
    private static final long EIGHT_GIGABYTES = 8L << 30;
    private static final int CHUNKS = (int) (EIGHT_GIGABYTES / (64 << 20));
    private static final long MOST_ON_DISK = 512L << 20;

    @TempDir
    private Path home;

    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private TestMount mount;
    private DedupRig rig;

    @BeforeEach
    void start() throws IOException {
        mount = TestMount.start(home);
        rig = new DedupRig(mount.files());
    }

    @AfterEach
    void stop() throws IOException {
        threads.shutdownNow();
        rig.close();
        mount.close();
    }

    static Stream<byte[]> starts() {
        byte[] text = "text".repeat(1_000).getBytes(StandardCharsets.UTF_8);
        return Stream.of(
                new TestTar()
                        .file("small", text)
                        .header("zeros", '0', EIGHT_GIGABYTES)
                        .bytes(),
                // The end of an archive, and zeros behind it.
                new TestTar().file("small", text).end());
    }

    private LayerReader reader(LayerLimits limits) {
        return new LayerReader(rig.files, rig.layout, rig.rebuilder, threads, DedupRig::id, limits);
    }

    private long onDisk() throws IOException {
        try (Stream<Path> all = Files.walk(home)) {
            return all.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("starts")
    void aBombOfEightGigabytesStaysAsItWasPushed(byte[] start) throws Exception {
        byte[] bomb = Bomb.gzip(start, CHUNKS);
        assertThat(bomb.length).isLessThan(9 << 20);
        Digest digest = rig.push(bomb);
        assertThat(rig.engine(new DedupLimits(DedupLimits.DEFAULT.bytes(), true))
                        .examine(digest))
                .hasValueSatisfying(found -> assertThat(found.isShared()).isFalse());
        assertThatThrownBy(() -> reader(LayerLimits.DEFAULT).open(digest))
                .isInstanceOf(LayerLimitException.class)
                .hasMessageContaining("more than %,d bytes", 100L * bomb.length);
        for (LayerForm form : LayerForm.values()) {
            assertThat(rig.translator(DedupLimits.DEFAULT).translate(digest, form))
                    .isEmpty();
        }
        assertThat(onDisk()).isLessThan(MOST_ON_DISK);
        assertThat(rig.scratch()).isEmpty();
        assertThat(rig.pull(digest, 0)).isEqualTo(bomb);
    }

    @Test
    void anEntryThatSaysMoreThanTheLimitIsRefusedBeforeItsFirstByteIsStored() throws Exception {
        byte[] layer = TestTar.gzip(new TestTar()
                .pax("size", Long.toString(1L << 50))
                .header("huge", '0', 1)
                .raw(new byte[8 << 20])
                .end());
        Digest digest = rig.push(layer);
        assertThat(rig.engine(new DedupLimits(1 << 30, true)).examine(digest)).contains(DedupCase.TOO_LARGE);
        assertThatThrownBy(() -> reader(LayerLimits.DEFAULT).open(digest)).isInstanceOf(LayerLimitException.class);
        assertThat(rig.contents()).isEmpty();
        assertThat(rig.scratch()).isEmpty();
        assertThat(rig.pull(digest, 0)).isEqualTo(layer);
    }

    @Test
    void entriesBeyondTheLimitAreNotRead() throws Exception {
        TestTar tar = new TestTar();
        for (int i = 0; i < 20; i++) {
            tar.file("f" + i, ("content " + i).repeat(200).getBytes(StandardCharsets.UTF_8));
        }
        Digest digest = rig.push(tar.end());
        LayerLimits ten = new LayerLimits(1 << 30, 1 << 20, 100, 10);
        assertThatThrownBy(() -> reader(ten).open(digest))
                .isInstanceOf(LayerLimitException.class)
                .hasMessageContaining("more than 10 entries");
        assertThat(rig.contents()).hasSizeLessThanOrEqualTo(10);
        assertThat(rig.scratch()).isEmpty();
    }

    @Test
    void aNameThatReadersWouldHoldInMemoryIsNoTar() throws Exception {
        for (char type : new char[] {'L', 'K', 'g'}) {
            byte[] tar = new TestTar()
                    .header("name", type, 80 << 20)
                    .raw(new byte[80 << 20])
                    .file("a", new byte[10])
                    .end();
            Digest digest = rig.push(TestTar.gzip(tar));
            assertThatThrownBy(() -> reader(LayerLimits.DEFAULT).open(digest))
                    .isInstanceOf(NotATarException.class)
                    .hasMessageContaining(" of %d bytes".formatted(80 << 20));
        }
    }

    @Test
    void aSmallLayerMayInflateFreelyAndALargeOneByTheRatio() {
        LayerLimits limits = new LayerLimits(1_000_000, 10_000, 100, 10);
        assertThat(limits.tarBytes(1)).isEqualTo(10_000);
        assertThat(limits.tarBytes(1_000)).isEqualTo(100_000);
        assertThat(limits.tarBytes(1_000_000)).isEqualTo(1_000_000);
        assertThat(limits.tarBytes(Long.MAX_VALUE)).isEqualTo(1_000_000);
    }
}
