// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.layers.OddTar;
import io.packing.layers.OddTar.Header;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Layers over each other: the merged root is the tree that umoci unpacks, if umoci is installed, and the one that the
 * test describes.
 */
@Timeout(300)
class StackedLayersTest extends ShownImagesFixture {
    private static Map<String, String> asUmoci(byte[]... layers) throws IOException, InterruptedException {
        return images.asUmoci(layers);
    }

    private static String type(Map<String, String> tree, String path) {
        return tree.getOrDefault(path, "none").substring(0, 1);
    }

    @Test
    void whiteoutsOfTheLowestLayerHideNothingAndAreNotShown() throws Exception {
        byte[] layer = new OddTar()
                .directory("etc/")
                .file("etc/a", "alpha")
                .file("etc/.wh.gone", "")
                .file("etc/.wh..wh..opq", "")
                .directory("top/")
                .file(".wh.bottom", "")
                .end();
        assertThat(asUmoci(layer).keySet()).containsExactly("", "etc", "etc/a", "top");
        // A layer over it does not find them either.
        assertThat(asUmoci(layer, new OddTar().file("etc/b", "b").end()).keySet())
                .containsExactly("", "etc", "etc/a", "etc/b", "top");
        assertThat(type(images.layer(layer), "bottom")).isEqualTo("c");
    }

    @Test
    void directoriesThatALayerDoesNotDescribeAreAsTheLayersBelowHaveThem() throws Exception {
        byte[] lower = new OddTar()
                .header(new Header("./", '5').mode(0711).owner(3, 4))
                .header(new Header("etc/", '5').mode(01700).owner(5, 6).modified(70))
                .pax("SCHILY.xattr.user.x", "x")
                .header(new Header("etc/d/", '5').mode(02710).modified(80))
                .file("etc/d/gone", "g")
                .file("etc/f", "f")
                .end();
        byte[] upper = new OddTar()
                .file("etc/d/new", "n")
                .file("etc/d/.wh.gone", "")
                .file("etc/f/.wh.x", "")
                .file("none/at/all/.wh.x", "")
                .file("only/.wh..wh..opq", "")
                .file("real/.wh.x", "")
                .file("real/f", "f")
                .end();
        Map<String, String> root = asUmoci(lower, upper);
        assertThat(root.keySet()).containsExactly("", "etc", "etc/d", "etc/d/new", "etc/f", "real", "real/f");
        assertThat(root.get("")).startsWith("d 711 3:4 ");
        assertThat(root.get("etc")).startsWith("d 1700 5:6 at 70.");
        assertThat(root.get("etc/d")).startsWith("d 2710 0:0 at 80.").endsWith("[user.x=78]");
        // As the lowest layer, it has these directories for its files alone.
        assertThat(asUmoci(upper).keySet()).containsExactly("", "etc", "etc/d", "etc/d/new", "real", "real/f");
    }

    @Test
    void marksBelowMarksChangeNothing() throws Exception {
        byte[] lower =
                new OddTar().file("d/x", "x").file("d/y", "y").file("e/x", "x").end();
        byte[] upper = new OddTar()
                .file("d/.wh.x", "")
                .file(".wh.d", "")
                .file(".wh.e", "")
                .file("e/.wh.x", "")
                .file("e/.wh..wh..opq", "")
                .end();
        assertThat(asUmoci(lower, upper).keySet()).containsExactly("");
    }

    @Test
    void aNameOfALinkedFileThatALaterLayerReplacesLeavesTheOtherNames() throws Exception {
        byte[] one = new OddTar()
                .file("A", "one".repeat(300))
                .hardlink("B", "A")
                .hardlink("C", "A")
                .file("keep", "k")
                .end();
        byte[] two = new OddTar().file("A", "two".repeat(300)).end();
        byte[] three = new OddTar().file(".wh.C", "").end();
        Map<String, String> root = asUmoci(one, two, three);
        assertThat(root.keySet()).containsExactly("", "A", "B", "keep");
        assertThat(root.get("A")).isNotEqualTo(root.get("B"));
        assertThat(asUmoci(one, two).get("C")).endsWith(" is B");
    }

    @Test
    void anUpperLayerChangesTypes() throws Exception {
        byte[] lower = new OddTar()
                .directory("dir/")
                .file("dir/f", "f")
                .file("file", "f")
                .symlink("lib", "usr/lib")
                .directory("usr/")
                .directory("usr/lib/")
                .file("usr/lib/l", "l")
                .symlink("env", "busybox")
                .file("busybox", "bb")
                .end();
        byte[] upper = new OddTar()
                .file("dir", "now file")
                .directory("file/")
                .file("file/x", "x")
                .directory("lib/")
                .file("lib/m", "m")
                .file("env", "real".repeat(200))
                .end();
        Map<String, String> root = asUmoci(lower, upper);
        assertThat(type(root, "dir")).isEqualTo("f");
        assertThat(root.keySet()).contains("file/x", "lib/m", "usr/lib/l");
    }
}
