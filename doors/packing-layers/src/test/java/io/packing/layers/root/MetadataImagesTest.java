// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.MountAccessOptions;
import io.packing.fuse.mount.MountSpec;
import io.packing.layers.ImageName;
import io.packing.layers.LayerRig;
import io.packing.layers.OddTar;
import io.packing.layers.OddTar.Header;
import io.packing.layers.erofs.KernelImages;
import io.packing.registry.ImageTrees;
import io.packing.registry.oci.Digest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Metadata images of pushed images: the kernel shows by them what FUSE shows, and those that cannot be made are settled. */
@Timeout(300)
@Tag("process")
class MetadataImagesTest extends RegistryFixture {
    private static final List<String> JVM = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    private static final String BIG = "0123456789abcdef".repeat(300);

    /** Pushes an image and makes its trees; returns its digest. */
    private Digest push(String repository, byte[]... layers) throws IOException, InterruptedException {
        String unused = rig.pushImage(
                repository,
                List.of(layers),
                List.of(layers).stream().map(LayerRig::digest).toList());
        Digest manifest =
                registry.manifests().byTag(repository, "v1").orElseThrow().digest();
        assertThat(new PushedTrees(registry).make(repository, manifest)).isEqualTo(ImageTrees.Result.MADE);
        return manifest;
    }

    private byte[] image(MetadataImages.Stored stored) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new MetadataImages(registry).copy(stored, bytes);
        return bytes.toByteArray();
    }

    private static byte[] lowest() {
        OddTar tar = new OddTar()
                .header(new Header("", '5').mode(0750).owner(7, 8).modified(77))
                .directory("d/")
                .file("d/hidden", BIG)
                .file("d/replaced", BIG)
                .directory("opaque/")
                .file("opaque/below", "gone")
                .file("link-target", BIG + "linked")
                .hardlink("second name", "link-target")
                .hardlink("d/third", "link-target")
                .pax("mtime", "1700000000.123456789")
                .file("ü漢 \\ \u0001:,x", BIG + "odd name")
                .pax("path", "n".repeat(255))
                .file("long", BIG + "long name")
                .header(new Header("null", '3').device(1, 3).mode(0666))
                .header(new Header("disk", '4').device(259, 70_000).mode(0600))
                .header(new Header("pipe", '6').mode(0640).owner(1L << 31, 0xffff_fffeL))
                .symlink("to", "d/../nowhere")
                .file(new Header("set", '0').mode(06755).owner(1000, 1001), BIG.getBytes(StandardCharsets.UTF_8))
                .pax("SCHILY.xattr.user.note", new byte[] {0, 1, (byte) 0xff})
                .file("noted", BIG + "noted")
                .pax("SCHILY.xattr.user.long", new byte[9_000])
                .file("noted at length", "short");
        for (int length : new int[] {0, 1, 511, 512, 2_047, 2_048, 2_049, 4_096, 300_000}) {
            tar.file("length " + length, "x".repeat(length));
        }
        String deep = "";
        for (int i = 0; i < 60; i++) {
            deep += "directory-" + i + "/";
            tar.pax("path", deep).directory("deep/");
        }
        return tar.pax("path", deep + "deep").file("deep", BIG + "deep").end();
    }

    private static byte[] highest() {
        return new OddTar()
                .file("d/.wh.hidden", "")
                .directory("d/replaced/")
                .file("d/replaced/inside", BIG + "inside")
                .file("opaque/.wh..wh..opq", "")
                .file("opaque/above", BIG + "above")
                // One of three names of the layer below becomes another file.
                .file("second name", "second")
                .end();
    }

    @Test
    void theKernelShowsAnImageAsFuseDoes() throws Exception {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        try (KernelImages kernel = KernelImages.orSkip(home)) {
            Digest manifest = push("app", lowest(), highest());
            MetadataImages.Stored stored =
                    new MetadataImages(registry).find("app", manifest).orElseThrow();
            byte[] bytes = image(stored);
            assertThat(LayerRig.digest(bytes).hex()).isEqualTo(stored.sha256());
            Path file = Files.write(home.resolve("image"), bytes);
            Object unused = new Containers(registry, rig.mount().bdt()).create("one", new ImageName("app", "v1"));
            MountSpec spec = new MountSpec(
                    home.resolve("roots"), home.resolve("state"), "roots", true, MountAccessOptions.TREES, false);
            try (FuseMount roots =
                    new RootsMount(rig.master(), LayerRig.REGISTRY, rig.options(), spec, JVM).start(rig.files())) {
                Path tree = roots.directory().resolve("one/root");
                Path joined = kernel.overlay(kernel.mount(file), tree);
                Map<String, String> shown = KernelImages.describe(joined);
                Map<String, String> byFuse = KernelImages.describe(tree);
                // The root has the time of its making there.
                assertThat(shown.remove("")).startsWith("40750 of 7:8 at 0:");
                assertThat(byFuse.remove("")).startsWith("40750 of 7:8 ");
                assertThat(shown.keySet()).isEqualTo(byFuse.keySet());
                shown.forEach((path, line) -> assertThat(line).as(path).isEqualTo(byFuse.get(path)));
                assertThat(shown)
                        .containsKeys("d/replaced/inside", "opaque/above", "null", "disk", "pipe", "to")
                        .doesNotContainKeys("d/hidden", "opaque/below");
                kernel.close();
            }
        }
    }

    @Test
    void equalTreesHaveEqualImages() throws Exception {
        MetadataImages images = new MetadataImages(registry);
        Digest one = push("one", lowest());
        Digest other = push("other", lowest(), new OddTar().file("more", "more").end());
        Digest again = push("again", lowest());
        String first = images.find("one", one).orElseThrow().sha256();
        assertThat(images.find("again", again).orElseThrow().sha256()).isEqualTo(first);
        assertThat(images.find("other", other).orElseThrow().sha256()).isNotEqualTo(first);
        // One that is found to be damaged is made again.
        images.drop(images.find("one", one).orElseThrow());
        assertThat(images.isSettled("one", one)).isFalse();
        assertThat(new PushedTrees(registry).isSettled("one", one)).isFalse();
        images.make("one", one);
        assertThat(images.find("one", one).orElseThrow().sha256()).isEqualTo(first);
    }

    @Test
    void aTreeThatTheFormatCannotHoldIsSettledWithoutAnImage() throws Exception {
        Digest manifest = push(
                "odd",
                new OddTar()
                        .pax("SCHILY.xattr.other.name", new byte[] {1})
                        .file("attribute", BIG)
                        .end());
        MetadataImages images = new MetadataImages(registry);
        assertThat(images.find("odd", manifest)).isEmpty();
        assertThat(images.isSettled("odd", manifest)).isTrue();
        assertThat(new PushedTrees(registry).isSettled("odd", manifest)).isTrue();
        assertThat(registry.files()
                        .list(registry.layout().scratch("x").parent().orElseThrow(), "", 10)
                        .orElse(List.of()))
                .isEmpty();
    }
}
