// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.layers.OddTar;
import io.packing.layers.OddTar.Header;
import io.packing.layers.tree.LayerException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Images with odd layers: the root that a registry makes of each is the one that umoci unpacks, or the image is refused with the
 * name of the entry and the reason.
 */
@Timeout(300)
class OddLayersTest extends ShownImagesFixture {
    private static final String BIG = "x".repeat(700);

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    private static byte[] gzip(byte[] tar) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(tar);
        }
        return out.toByteArray();
    }

    private static String text(String bytes) {
        return HexFormat.of().formatHex(bytes.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] base() {
        return new OddTar()
                .directory("etc/")
                .file("etc/a", "alpha\n")
                .file("etc/big", BIG)
                .header(new Header("tmp/", '5').mode(01777))
                .directory("home/")
                .header(new Header("home/u/", '5').mode(0700).owner(1000, 1000))
                .file("home/u/x", "x")
                .end();
    }

    private static Map<String, String> asUmoci(byte[]... layers) throws IOException, InterruptedException {
        return images.asUmoci(layers);
    }

    private static String type(Map<String, String> tree, String path) {
        return tree.getOrDefault(path, "none").substring(0, 1);
    }

    private static void refused(String why, byte[]... layers) {
        assertThatThrownBy(() -> images.root(layers))
                .isInstanceOf(LayerException.class)
                .hasMessageContaining(why);
    }

    @Test
    void anEmptyLayerChangesNothing() throws Exception {
        byte[] empty = new OddTar().end();
        Map<String, String> base = asUmoci(base());
        assertThat(asUmoci(base(), empty)).isEqualTo(base);
        assertThat(asUmoci(base(), gzip(empty))).isEqualTo(base);
        assertThat(asUmoci(gzip(base()), gzip(empty))).isEqualTo(base);
        assertThat(asUmoci(empty, base())).isEqualTo(base);
        assertThat(asUmoci(gzip(empty)).keySet()).containsExactly("");
        // As GNU tar pads it to a record.
        assertThat(asUmoci(base(), gzip(new byte[10_240]))).isEqualTo(base);
    }

    @Test
    void linksAndDirectoriesHaveNoBytesWhateverTheirHeadersSay() throws Exception {
        Map<String, String> linked = asUmoci(new OddTar()
                .file("a", BIG)
                .header(new Header("b", '1').link("a").size(700))
                .file("c", "c")
                .end());
        assertThat(linked.keySet()).containsExactly("", "a", "b", "c");
        assertThat(linked.get("b")).endsWith(" is a").contains("644");
        Map<String, String> others = asUmoci(new OddTar()
                .header(new Header("d/", '5').size(4096).mode(0755))
                .file("d/c", "c")
                .header(new Header("s", '2').size(1).link("d/c").mode(0777))
                .header(new Header("n", '3').size(1_000).device(1, 3))
                .header(new Header("p", '6').size(513))
                .pax("size", "800")
                .header(new Header("e", '5').mode(0700))
                // An old archive has directories by their slash alone.
                .header(new Header("old/", '\0').size(600).mode(0711))
                .file("z", "z")
                .end());
        assertThat(others.keySet()).containsExactly("", "d", "d/c", "e", "n", "old", "p", "s", "z");
        assertThat(type(others, "old")).isEqualTo("d");
    }

    @Test
    void aLinkIsALinkAlsoWhenItsNameEndsInASlash() throws Exception {
        Map<String, String> root = asUmoci(new OddTar()
                .file("f", BIG)
                .symlink("s/", "f")
                .hardlink("h/", "f")
                .file("r/", "regular")
                .header(new Header("p/", '6'))
                .end());
        assertThat(type(root, "s")).isEqualTo("l");
        assertThat(type(root, "h")).isEqualTo("f");
        assertThat(type(root, "r")).isEqualTo("f");
        assertThat(type(root, "p")).isEqualTo("p");
    }

    @Test
    void attributesAreBytes() throws Exception {
        byte[] capability = bytes(1, 0, 0, 2, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        Map<String, String> root = asUmoci(new OddTar()
                .pax("SCHILY.xattr.security.capability", capability)
                .file(new Header("newuidmap", '0').mode(0755), BIG.getBytes(StandardCharsets.UTF_8))
                .pax("SCHILY.xattr.user.lines", bytes('\n', '=', 0, 0xff, 0xc3, '\n'))
                .directory("d/")
                .end());
        assertThat(root.get("newuidmap")).contains("security.capability=0100000280000000000000");
        assertThat(root.get("d")).contains("user.lines=0a3d00ffc30a");
    }

    @Test
    void namesThatAreNoTextAreRefusedAndTargetsOfLinksAreBytes() throws Exception {
        refused(
                "'bad\\xff'",
                new OddTar()
                        .file(new Header(bytes('b', 'a', 'd', 0xff), '0'), bytes('1'))
                        .file(new Header(bytes('b', 'a', 'd', 0xfe), '0'), bytes('2'))
                        .end());
        refused(
                "'bad\\xfe'",
                new OddTar()
                        .pax("path", bytes('b', 'a', 'd', 0xfe))
                        .file("x", "x")
                        .end());
        refused(
                "'o\\xe9'",
                new OddTar().gnuName('L', bytes('o', 0xe9)).file("x", "x").end());
        refused(
                "'o\\xe9'",
                new OddTar()
                        .file("f", "f")
                        .header(new Header("l", '1').link(bytes('o', 0xe9)))
                        .end());
        Map<String, String> root = asUmoci(new OddTar()
                .header(new Header("l", '2').link(bytes('t', 0xe9, 't')))
                .gnuName('K', bytes('k', 0xe9))
                .symlink("k", "?")
                .pax("linkpath", bytes('p', 0xe9))
                .symlink("p", "?")
                .end());
        assertThat(root.get("l")).contains(" 74e974[");
        assertThat(root.get("k")).contains(" 6be9[");
        assertThat(root.get("p")).contains(" 70e9[");
    }

    @Test
    void idsOfLinuxAreTakenAndLargerOnesAreRefusedByName() throws Exception {
        long most = 0xffff_fffeL;
        Map<String, String> root = asUmoci(new OddTar()
                .file(new Header("a", '0').owner(1L << 31, most), bytes('a'))
                .pax("uid", "4294967294")
                .file("b", "b")
                .file(new Header("c", '0').owner(5, 6).modified(7).mode(0600).base256(), bytes('c'))
                .end());
        assertThat(root.get("a")).contains(" 2147483648:4294967294 ");
        assertThat(root.get("b")).contains(" 4294967294:0 ");
        assertThat(root.get("c")).startsWith("f 600 5:6 at 7.");
        refused(
                "'x' is of user 4294967295",
                new OddTar().header(new Header("x", '0').owner(most + 1, 0)).end());
        refused(
                "'x' is of user -1",
                new OddTar().header(new Header("x", '0').owner(-1, 0)).end());
        refused("'x'", new OddTar().pax("gid", "4294967296").file("x", "").end());
    }

    @Test
    void timesAreThoseOfTheEntries() throws Exception {
        Map<String, String> root = asUmoci(new OddTar()
                .pax("mtime", "-14245440.25")
                .file("neg", "n")
                .pax("mtime", "1700000000.123456789")
                .file("frac", "f")
                .pax("mtime", "9000000000")
                .file("far", "f")
                .file(new Header("b256neg", '0').modified(-5), bytes('n'))
                .end());
        assertThat(root.get("neg")).contains(" at -14245441.750000000 ");
        assertThat(root.get("frac")).contains(" at 1700000000.123456789 ");
        assertThat(root.get("far")).contains(" at 9000000000.0");
        assertThat(root.get("b256neg")).contains(" at -5.0");
        refused(
                "'x'",
                new OddTar().pax("mtime", "99999999999999999").file("x", "").end());
    }

    @Test
    void aTarWithoutAMarkOfItsEndIsTaken() throws Exception {
        byte[] open = new OddTar().file("a", BIG).file("b", "b").bytes();
        byte[] half =
                new OddTar().file("a", BIG).file("b", "c").raw(new byte[512]).bytes();
        for (byte[] tar : List.of(open, half)) {
            assertThat(asUmoci(tar).keySet()).containsExactly("", "a", "b");
            assertThat(asUmoci(gzip(tar)).keySet()).containsExactly("", "a", "b");
        }
        byte[] gap =
                new OddTar().file("a", "a").raw(new byte[512]).file("b", "b").end();
        refused("a block of zeros", gap);
    }

    @Test
    void linksGoToFilesThatAreThere() throws Exception {
        asUmoci(new OddTar()
                .symlink("s", "nowhere")
                .hardlink("t", "s")
                .file("f", "")
                .hardlink("g", "./f")
                .end());
        refused(
                "'a' is a link to itself",
                new OddTar().file("a", "a").hardlink("a", "./a").end());
        refused("'a'", new OddTar().file("a/b", "b").hardlink("a", "a/b").end());
        refused("'d'", new OddTar().directory("d/").hardlink("x", "d").end());
        refused(
                "'gone'",
                new OddTar().file(".wh.gone", "").hardlink("x", "gone").end());
    }

    @Test
    void aDeviceThatOverlaysTakeForAWhiteoutIsRefused() throws Exception {
        refused("'n'", new OddTar().header(new Header("n", '3').device(0, 0)).end());
        Map<String, String> root = asUmoci(new OddTar()
                .header(new Header("n", '3').device(1, 3).mode(0666))
                .header(new Header("b", '4').device(259, 70_000))
                .header(new Header("z", '4').device(0, 0))
                .end());
        assertThat(root.get("b")).contains(" 259:70000[");
        refused(
                "device 4096:0",
                new OddTar().header(new Header("n", '3').device(4096, 0)).end());
    }

    @Test
    void modesOfSymbolicLinksAreThoseOfLinux() throws Exception {
        Map<String, String> root = asUmoci(new OddTar()
                .header(new Header("s", '2').link("x").mode(0))
                .header(new Header("f", '0').mode(0107_755))
                .end());
        assertThat(root.get("s")).startsWith("l 777 ");
        assertThat(root.get("f")).startsWith("f 7755 ");
    }

    @Test
    void prefixesBelongToThePosixFormAlone() throws Exception {
        Map<String, String> root = asUmoci(new OddTar()
                .file(new Header("a", '0').prefix("usr/lib"), bytes('a'))
                .file(new Header("b", '0').magic(OddTar.GNU), bytes('b'))
                .file(new Header("c", '0').magic("\0\0\0\0\0\0\0\0").prefix("no"), bytes('c'))
                .file(new Header("n".repeat(100), '0').prefix("p".repeat(155)), bytes('n'))
                .end());
        assertThat(root.keySet()).contains("usr/lib/a", "b", "c", "p".repeat(155) + "/" + "n".repeat(100));
    }

    @Test
    void longNamesOfBothFormsAreNames() throws Exception {
        String longName = "d/" + "n".repeat(200);
        Map<String, String> root = asUmoci(new OddTar()
                .gnuName('L', longName.getBytes(StandardCharsets.UTF_8))
                .file(new Header("cut", '0').magic(OddTar.GNU), bytes('g'))
                .pax("path", "ümläut")
                .file("cut", "p")
                .pax("linkpath", "t".repeat(300))
                .symlink("s", "cut")
                // A record of no value takes back nothing of the header.
                .pax("path", "")
                .file("kept", "k")
                .end());
        assertThat(root.keySet()).containsExactly("", "d", longName, "kept", "s", "ümläut");
        assertThat(root.get("s")).contains(text("t".repeat(300)));
    }
}
