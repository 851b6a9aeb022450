// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.containerd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.blob.FilePath;
import io.packing.fuse.mount.KernelMountTable;
import io.packing.layers.erofs.ImageAttributes;
import io.packing.layers.erofs.ImageDirectory;
import io.packing.layers.erofs.ImageFile;
import io.packing.layers.erofs.MetadataImage;
import io.packing.registry.oci.Digest;
import io.packing.seed.Seed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Metadata images of a machine: none is mounted that does not have the bytes of its name. */
@Timeout(120)
class ImageMountsTest {
    private static final Digest CHAIN = Digest.Algorithm.SHA256.of("chain".getBytes(StandardCharsets.UTF_8));

    @TempDir
    private Path home;

    private final Random random = Seed.random();
    private final Registry registry = new Registry();
    private ImageMounts images;

    /** A registry with one image. */
    private static final class Registry implements ImageMounts.Source {
        private byte[] bytes = {};
        private Optional<String> sha256 = Optional.empty();
        private boolean away;
        private int copies;
        private int damaged;

        @Override
        public Optional<String> sha256() throws IOException {
            if (away) {
                throw new IOException("the registry is away");
            }
            return sha256;
        }

        @Override
        public void copy(OutputStream to) throws IOException {
            copies++;
            to.write(bytes);
        }

        @Override
        public void isDamaged() {
            damaged++;
        }
    }

    @BeforeEach
    void start() throws IOException, InterruptedException {
        Optional<String> whyNot = KernelRoots.whyNot(home.resolve("trial"));
        assumeTrue(whyNot.isEmpty(), whyNot.orElse(""));
        assertThat(home).as("what the trial left").isEmptyDirectory();
        images = new ImageMounts(home.resolve("metadata"));
        ImageAttributes attributes = new ImageAttributes(0755, 0, 0, Instant.EPOCH, Map.of());
        ImageDirectory root = new ImageDirectory(attributes);
        root.add("short", ImageFile.ofBytes(attributes, "in the image".getBytes(StandardCharsets.UTF_8)));
        root.add("long", ImageFile.ofPath(attributes, new FilePath("/long"), 9_000));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        MetadataImage.write(root, out);
        registry.bytes = out.toByteArray();
        registry.sha256 = Optional.of(Digest.Algorithm.SHA256.of(registry.bytes).hex());
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        if (images != null) {
            images.keepOnly(Set.of());
        }
    }

    private Path mounted() throws IOException, InterruptedException {
        Path at = images.mount(CHAIN, registry).orElseThrow();
        assertThat(at.resolve("short")).hasContent("in the image");
        assertThat(Files.size(at.resolve("long"))).isEqualTo(9_000);
        return at;
    }

    private Path file() throws IOException {
        try (Stream<Path> files = Files.list(home.resolve("metadata").resolve(CHAIN.hex()))) {
            return files.filter(each -> each.toString().endsWith(".erofs"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void anImageIsFetchedOnceAndItsMountOutlivesTheProcess() throws Exception {
        Path at = mounted();
        images = new ImageMounts(home.resolve("metadata"));
        registry.away = true;
        assertThat(mounted()).isEqualTo(at);
        // As after a restart of the machine.
        KernelMountTable.unmount(at);
        assertThat(mounted()).isEqualTo(at);
        assertThat(registry.copies).isEqualTo(1);
        assertThat(KernelMountTable.at(at).orElseThrow().readOnly()).isTrue();
    }

    @Test
    void anImageThatWasCutOrDamagedHereIsFetchedAgain() throws Exception {
        for (boolean cut : List.of(true, false)) {
            KernelMountTable.unmount(mounted());
            byte[] bytes = Files.readAllBytes(file());
            if (cut) {
                bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            } else {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            Files.write(file(), bytes);
            int before = registry.copies;
            KernelMountTable.unmount(mounted());
            assertThat(registry.copies).isEqualTo(before + 1);
            assertThat(file()).hasBinaryContent(registry.bytes);
        }
    }

    @Test
    void aDamagedImageOfTheRegistryIsNeverMounted() throws Exception {
        byte[] whole = registry.bytes;
        byte[] wrong = whole.clone();
        wrong[random.nextInt(wrong.length)] ^= (byte) (1 << random.nextInt(8));
        for (byte[] each : List.of(wrong, Arrays.copyOf(whole, random.nextInt(whole.length)), new byte[0])) {
            int before = registry.damaged;
            registry.bytes = each;
            assertThat(images.mount(CHAIN, registry)).isEmpty();
            assertThat(registry.damaged).isEqualTo(before + 1);
            assertThat(home.resolve("metadata").resolve(CHAIN.hex())).isEmptyDirectory();
        }
        registry.bytes = whole;
        Path unused = mounted();
    }

    @Test
    void bytesThatAreNoImageAreRefusedByTheKernelWithAReason() {
        registry.bytes = new byte[8_192];
        registry.sha256 = Optional.of(Digest.Algorithm.SHA256.of(registry.bytes).hex());
        assertThatIOException()
                .isThrownBy(() -> {
                    Object unused = images.mount(CHAIN, registry);
                })
                .withMessageContaining("mount ended with");
    }

    @Test
    void aChainWithoutAnImageHasNone() throws Exception {
        registry.sha256 = Optional.empty();
        assertThat(images.mount(CHAIN, registry)).isEmpty();
        registry.away = true;
        assertThatIOException().isThrownBy(() -> {
            Object unused = images.mount(CHAIN, registry);
        });
    }

    @Test
    void imagesOfRemovedChainsAreUnmountedAndDeleted() throws Exception {
        Path at = mounted();
        images.keepOnly(Set.of(CHAIN));
        assertThat(KernelMounts.isImageAt(at)).isTrue();
        images.keepOnly(Set.of());
        assertThat(KernelMounts.isImageAt(at)).isFalse();
        assertThat(home.resolve("metadata")).isEmptyDirectory();
    }
}
