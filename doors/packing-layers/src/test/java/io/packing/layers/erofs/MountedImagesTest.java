// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.erofs;

import static io.packing.layers.erofs.MetadataImageTest.HEX;
import static io.packing.layers.erofs.MetadataImageTest.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.ExtendedValue;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Images as the kernel's EROFS shows them, and with their bytes as overlayfs does. */
@Timeout(120)
class MountedImagesTest {
    /** More than 16 bits count. */
    private static final int MOST_NAMES = 66_000;

    @TempDir
    private Path home;

    private KernelImages images;

    @BeforeEach
    void start() throws IOException {
        images = KernelImages.orSkip(home);
    }

    @AfterEach
    void stop() throws Exception {
        if (images != null) {
            images.close();
        }
    }

    @Test
    void aRandomTreeIsShownAsItIsOnADisk() throws Exception {
        long seed = Seed.value();
        for (int i = 0; i < 3; i++) {
            Path disk = home.resolve("disk" + i);
            ImageDirectory root = new RandomTree(new Random(seed + i), images.contents()).make(disk, 8 << i, 2);
            Path shown = images.overlay(images.mount(images.write(root, "image" + i)));
            assertThat(KernelImages.describe(shown)).as("seed %d", seed + i).isEqualTo(KernelImages.describe(disk));
            images.close();
        }
    }

    @Test
    void eachEntryOfALongDirectoryIsFound() throws Exception {
        ImageDirectory root = new ImageDirectory(PLAIN);
        ImageDirectory directory = new ImageDirectory(PLAIN);
        root.add("long", directory);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < MOST_NAMES; i++) {
            names.add(("!-.az~".charAt(i % 6) + "%d".formatted(i)).repeat(1 + i % 40));
        }
        names.add("x".repeat(255));
        names.add("é".repeat(127));
        for (String name : names) {
            directory.add(name, ImageFile.ofContent(PLAIN, HEX, name.length()));
        }
        Path shown = images.mount(images.write(root, "image")).resolve("long");
        try (Stream<Path> listed = Files.list(shown)) {
            List<String> found =
                    listed.map(each -> each.getFileName().toString()).sorted().toList();
            assertThat(found).isEqualTo(names.stream().sorted().toList());
        }
        for (String name : names) {
            assertThat(Files.size(shown.resolve(name))).isEqualTo(name.length());
        }
        assertThat(Files.exists(shown.resolve("absent"))).isFalse();
    }

    @Test
    void bytesAndAttributesAtTheBordersOfBlocksAreWhole() throws Exception {
        ImageDirectory root = new ImageDirectory(PLAIN);
        int[] lengths = {0, 1, 3_000, 4_031, 4_032, 4_033, 4_095, 4_096, 4_097, 8_191, 8_192, 65_536};
        byte[] bytes = new byte[65_536];
        Seed.random().nextBytes(bytes);
        for (int values : new int[] {0, 1, 1_000, 4_000, 60_000}) {
            ImageAttributes attributes = values == 0
                    ? PLAIN
                    : new ImageAttributes(
                            0644,
                            1,
                            2,
                            Instant.EPOCH,
                            Map.of("user.v", new ExtendedValue(Arrays.copyOf(bytes, values))));
            for (int length : lengths) {
                root.add(values + "-" + length, ImageFile.ofBytes(attributes, Arrays.copyOf(bytes, length)));
            }
        }
        Path shown = images.mount(images.write(root, "image"));
        for (int values : new int[] {0, 1, 1_000, 4_000, 60_000}) {
            for (int length : lengths) {
                Path file = shown.resolve(values + "-" + length);
                assertThat(Files.readAllBytes(file)).as(file.toString()).isEqualTo(Arrays.copyOf(bytes, length));
                if (values > 0) {
                    UserDefinedFileAttributeView view =
                            Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
                    ByteBuffer value = ByteBuffer.allocate(view.size("v"));
                    assertThat(view.read("v", value)).isEqualTo(values);
                    assertThat(value.array()).as(file.toString()).isEqualTo(Arrays.copyOf(bytes, values));
                }
            }
        }
    }

    @Test
    void timesAndOwnersHaveTheirWholeRange() throws Exception {
        ImageDirectory root = new ImageDirectory(PLAIN);
        Instant early = Instant.parse("1901-01-01T00:00:00.000000001Z");
        Instant late = Instant.parse("2260-12-31T23:59:59.999999999Z");
        root.add("early", ImageFile.ofFifo(new ImageAttributes(07777, 0xFFFF_FFFEL, 0, early, Map.of())));
        root.add("late", ImageFile.ofSocket(new ImageAttributes(0, 0, 0xFFFF_FFFEL, late, Map.of())));
        Path shown = images.mount(images.write(root, "image"));
        assertThat(Files.getLastModifiedTime(shown.resolve("early")).toInstant())
                .isEqualTo(early);
        assertThat(Files.getLastModifiedTime(shown.resolve("late")).toInstant()).isEqualTo(late);
        assertThat(Files.getAttribute(shown.resolve("early"), "unix:mode")).isEqualTo(0017777);
        assertThat(Files.getAttribute(shown.resolve("early"), "unix:uid")).isEqualTo(-2);
        assertThat(Files.getAttribute(shown.resolve("late"), "unix:gid")).isEqualTo(-2);
    }

    @Test
    void aDirectoryCountsItsDirectories() throws Exception {
        ImageDirectory root = new ImageDirectory(PLAIN);
        ImageDirectory child = new ImageDirectory(PLAIN);
        root.add("a", child);
        root.add("b", new ImageDirectory(PLAIN));
        child.add("file", ImageFile.ofFifo(PLAIN));
        Path shown = images.mount(images.write(root, "image"));
        assertThat(Files.getAttribute(shown, "unix:nlink")).isEqualTo(4);
        assertThat(Files.getAttribute(shown.resolve("a"), "unix:nlink")).isEqualTo(2);
        assertThat(Files.getAttribute(shown.resolve("a/.."), "unix:ino"))
                .isEqualTo(Files.getAttribute(shown, "unix:ino"));
    }

    @Test
    void aContentHasItsLengthHoweverLarge() throws Exception {
        ImageDirectory root = new ImageDirectory(PLAIN);
        List<Long> lengths = List.of(1L, 4_096L, 4_097L, (1L << 31) + 5, 1L << 43, (1L << 43) + 1);
        for (long length : lengths) {
            root.add("f" + length, ImageFile.ofContent(PLAIN, HEX, length));
        }
        Path shown = images.mount(images.write(root, "image"));
        for (long length : lengths) {
            assertThat(Files.size(shown.resolve("f" + length))).isEqualTo(length);
        }
    }

    @Test
    void aContentThatArrivesAfterTheMountIsRead() throws Exception {
        ImageDirectory root = new ImageDirectory(PLAIN);
        root.add("a", ImageFile.ofContent(PLAIN, HEX, 4));
        Path shown = images.overlay(images.mount(images.write(root, "image")));
        assertThat(Files.size(shown.resolve("a"))).isEqualTo(4);
        assertThatThrownBy(() -> Files.readAllBytes(shown.resolve("a"))).isInstanceOf(NoSuchFileException.class);
        Path content = Path.of(images.contents() + ImageFile.contentPath(HEX));
        Files.createDirectories(content.getParent());
        Files.write(content, new byte[] {1, 2, 3, 4});
        assertThat(Files.readAllBytes(shown.resolve("a"))).containsExactly(1, 2, 3, 4);
    }

    @Test
    void aFlippedBitOfTheSuperblockIsRefused() throws Exception {
        ImageDirectory root = new ImageDirectory(PLAIN);
        Path image = images.write(root, "image");
        byte[] good = Files.readAllBytes(image);
        Random random = Seed.random();
        for (int i = 0; i < 20; i++) {
            byte[] bad = good.clone();
            int bit = (1_024 << 3) + random.nextInt(128 << 3);
            bad[bit >> 3] ^= (byte) (1 << (bit & 7));
            Path file = Files.write(home.resolve("bad"), bad);
            assertThatThrownBy(() -> images.mount(file)).as("bit %d", bit).isInstanceOf(IOException.class);
        }
        assertThat(images.mount(image)).isEmptyDirectory();
    }
}
