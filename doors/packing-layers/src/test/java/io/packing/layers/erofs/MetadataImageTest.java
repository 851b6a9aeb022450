// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.erofs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.ExtendedValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Images before a kernel reads them; {@link MountedImagesTest} has the rest. */
class MetadataImageTest {
    static final ImageAttributes PLAIN = new ImageAttributes(0755, 0, 0, Instant.EPOCH, Map.of());
    static final String HEX = "0123456789abcdef".repeat(4);

    private static byte[] image(ImageDirectory root) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        MetadataImage.write(root, out);
        return out.toByteArray();
    }

    private static ImageDirectory tree(List<String> names) {
        ImageDirectory root = new ImageDirectory(PLAIN);
        for (String name : names) {
            root.add(name, ImageFile.ofContent(PLAIN, HEX, name.length()));
        }
        return root;
    }

    @Test
    void equalTreesHaveEqualImages() throws IOException {
        byte[] one = image(tree(List.of("a", "b", "c")));
        assertThat(image(tree(List.of("c", "a", "b")))).isEqualTo(one);
        assertThat(image(tree(List.of("c", "a", "bb")))).isNotEqualTo(one);
        assertThat(one.length % MetadataImage.BLOCK).isZero();
    }

    @Test
    void anInodeOfAContentTakesTwoHundredBytes() throws IOException {
        ImageDirectory root = new ImageDirectory(PLAIN);
        int files = 10_000;
        for (int i = 0; i < files; i++) {
            root.add("file-%06d".formatted(i), ImageFile.ofContent(PLAIN, HEX, 600));
        }
        assertThat(image(root).length / files).isBetween(200, 260);
    }

    @Test
    void noNameLeavesTheDirectory() {
        ImageDirectory root = new ImageDirectory(PLAIN);
        for (String name : List.of("", ".", "..", "a/b", "a\0b", "x".repeat(256), "\ud800")) {
            assertThatThrownBy(() -> root.add(name, ImageFile.ofFifo(PLAIN)))
                    .as(name)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        root.add("a", ImageFile.ofFifo(PLAIN));
        assertThatThrownBy(() -> root.add("a", ImageFile.ofFifo(PLAIN))).hasMessageContaining("two files");
    }

    @Test
    void anImageCannotRedirectItsFilesToOthersContents() {
        for (String name : List.of("trusted.overlay.redirect", "trusted.overlay.metacopy", "trusted.overlay.opaque")) {
            assertThatThrownBy(() -> new ImageAttributes(
                            0644, 0, 0, Instant.EPOCH, Map.of(name, new ExtendedValue(new byte[] {'/'}))))
                    .hasMessageContaining("overlayfs's own");
        }
        for (String hex : List.of("../../../etc/shadow", "", HEX.substring(1), HEX.toUpperCase(Locale.ROOT))) {
            assertThatThrownBy(() -> ImageFile.ofContent(PLAIN, hex, 1)).hasMessageContaining("no content");
        }
        assertThatThrownBy(() -> ImageFile.ofCharacterDevice(PLAIN, 0, 0)).hasMessageContaining("whiteout");
    }

    @Test
    void attributesThatTheFormatCannotHoldAreRefused() {
        for (String name :
                List.of("user.", "other.x", "system.x", "system.posix_acl_access2", "user." + "x".repeat(256))) {
            assertThatThrownBy(() -> ExtendedEntries.encode(Map.of(name, new ExtendedValue(new byte[1]))))
                    .as(name)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> ExtendedEntries.encode(Map.of("user.x", new ExtendedValue(new byte[1 << 16]))))
                .hasMessageContaining("too long");
    }

    @Test
    void aDirectoryHasOneName() {
        ImageDirectory root = new ImageDirectory(PLAIN);
        ImageDirectory twice = new ImageDirectory(PLAIN);
        root.add("a", twice);
        root.add("b", twice);
        assertThatThrownBy(() -> image(root)).hasMessageContaining("two names");
        ImageDirectory loop = new ImageDirectory(PLAIN);
        loop.add("self", loop);
        assertThatThrownBy(() -> image(loop)).hasMessageContaining("two names");
    }

    @Test
    void bytesOfACallerAreCopied() throws IOException {
        byte[] bytes = {1, 2, 3};
        ImageDirectory root = new ImageDirectory(PLAIN);
        root.add("a", ImageFile.ofBytes(PLAIN, bytes));
        byte[] before = image(root);
        Arrays.fill(bytes, (byte) 9);
        assertThat(image(root)).isEqualTo(before);
    }
}
