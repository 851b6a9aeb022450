// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.layers.OddTar;
import io.packing.layers.OddTar.Header;
import io.packing.layers.tree.LayerException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Layers that are damaged, or that a tree cannot show: their images have no tree, and the reason names the entry. */
@Timeout(300)
class RefusedLayersTest extends ShownImagesFixture {
    private static final String BIG = "x".repeat(700);

    private static byte[] bytes(char only) {
        return new byte[] {(byte) only};
    }

    private static void refused(String why, byte[]... layers) {
        assertThatThrownBy(() -> images.root(layers))
                .isInstanceOf(LayerException.class)
                .hasMessageContaining(why);
    }

    @Test
    void aLinkToAFileOfALowerLayerIsRefusedWithItsName() {
        refused(
                "'B' is a link to 'A', which is no file of this layer",
                new OddTar().file("A", "a").end(),
                new OddTar().hardlink("B", "A").end());
    }

    @Test
    void whatIsDamagedIsRefused() {
        List<byte[]> damaged = new ArrayList<>();
        for (String record : List.of(
                "-5 path=x\n",
                "2 ",
                "3 \n",
                "0 \n",
                "9999 path=x\n",
                "10 path:xx\n",
                "10 path=xx0",
                "12 path=a\0b\n",
                "11 size=-50\n",
                "5 =x\n")) {
            damaged.add(new OddTar()
                    .file(new Header("pax", 'x'), record.getBytes(StandardCharsets.UTF_8))
                    .file("f", BIG)
                    .end());
        }
        damaged.add(new OddTar().pax("path", "x").bytes());
        damaged.add(new OddTar().header(new Header("f", '0').size(-1)).end());
        damaged.add(new OddTar().header(new Header("f", '0').size(1_000)).bytes());
        for (byte[] layer : damaged) {
            assertThatThrownBy(() -> images.root(layer))
                    .as(new String(layer, StandardCharsets.ISO_8859_1).replaceAll("\\s+|\0+", " "))
                    .isInstanceOf(LayerException.class);
        }
    }

    @Test
    void whatATreeCannotShowIsRefusedByName() {
        refused("'n'", new OddTar().file(new Header("n", 'M'), bytes('n')).end());
        refused("'v'", new OddTar().header(new Header("v", 'V')).end());
        refused(
                "'path'",
                new OddTar()
                        .pax('g', new TreeMap<>(Map.of("path", bytes('x'))))
                        .file("g", "g")
                        .end());
        refused(
                "'" + "n".repeat(200),
                new OddTar().pax("path", "n".repeat(256)).file("x", "").end());
        refused(
                "user.large",
                new OddTar()
                        .pax("SCHILY.xattr.user.large", new byte[70_000])
                        .file("x", "")
                        .end());
        refused("does not lead out", new OddTar().file("../x", "").end());
        refused("'l'", new OddTar().symlink("l", "").end());
        refused("'l/x'", new OddTar().symlink("l", "d").file("l/x", "").end());
    }

    @Test
    void attributesOfOverlaysAreRefused() {
        for (String name : List.of("opaque", "redirect", "packing.implied")) {
            refused(
                    "trusted.overlay." + name,
                    new OddTar()
                            .pax("SCHILY.xattr.trusted.overlay." + name, "y")
                            .directory("d/")
                            .end());
        }
    }
}
