// SPDX-License-Identifier: Apache-2.0
package io.packing.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.luben.zstd.Zstd;
import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.KernelMountTable;
import io.packing.registry.RegistryUpkeep;
import io.packing.registry.dedup.LayerForm;
import io.packing.registry.gc.GcOptions;
import io.packing.registry.gc.GcReport;
import io.packing.registry.oci.Digest;
import io.packing.registry.translate.ImageTranslator;
import io.packing.seed.Seed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Layers that were pushed to a registry, as the kernel shows them. */
@Timeout(300)
class LayerStoreTest {
    @TempDir
    private Path home;

    private final Random random = Seed.random();
    private LayerRig rig;
    private FuseMount store;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        rig = new LayerRig(home);
        store = rig.mountLayers("layers");
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        if (rig != null) {
            try (LayerRig closing = rig) {
                store.close();
                assertThat(KernelMountTable.typeAt(home.resolve("layers"))).isEmpty();
            }
        }
    }

    private byte[] random(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Makes a tree with an entry of each kind. */
    private Path tree() throws IOException, InterruptedException {
        Path tree = Files.createDirectories(home.resolve("tree"));
        Files.createDirectories(tree.resolve("usr/bin"));
        Files.createDirectories(tree.resolve("usr/share/empty"));
        Files.write(tree.resolve("usr/bin/large"), random(9_000_000));
        Files.write(tree.resolve("usr/bin/middle"), random(70_000));
        Files.write(tree.resolve("usr/bin/edge"), random(512));
        Files.createFile(tree.resolve("usr/share/nothing"));
        for (int i = 0; i < 300; i++) {
            Files.write(tree.resolve("usr/share/f" + i), random(random.nextInt(1, 511)));
        }
        Files.write(tree.resolve("usr/share/" + "n".repeat(200)), random(1_000));
        Files.writeString(tree.resolve("ümläut"), "name");
        Files.createSymbolicLink(tree.resolve("bin"), Path.of("usr/bin"));
        Files.createSymbolicLink(tree.resolve("usr/bin/away"), Path.of("/etc/../nowhere"));
        Files.createLink(tree.resolve("usr/share/linked"), tree.resolve("usr/bin/middle"));
        Files.createLink(tree.resolve("usr/share/z-linked"), tree.resolve("usr/share/f7"));
        Commands.run(
                tree,
                "sh",
                "-c",
                "mkfifo pipe; mknod null c 1 3; mknod big b 259 70000; chmod 4755 usr/bin/edge; chmod 1777 usr/share;"
                        + " chown 1000:70000 usr/bin/large; chown 0:4000000 usr/share/empty; chmod 000 usr/share/f1;"
                        + " touch -d '2001-02-03 04:05:06' usr/bin/middle bin usr/bin usr/share/f2 usr");
        return tree;
    }

    private byte[] tar(Path tree, String... more) throws IOException, InterruptedException {
        Path tar = home.resolve("made.tar");
        List<String> command = new ArrayList<>(List.of("tar", "--create", "--file", tar.toString()));
        command.addAll(List.of(more));
        command.addAll(List.of("--directory", tree.toString(), "."));
        Commands.run(home, command.toArray(String[]::new));
        return Files.readAllBytes(tar);
    }

    private Path unpacked(byte[] tar) throws IOException, InterruptedException {
        Path directory = Files.createDirectories(home.resolve("unpacked"));
        Path file = Files.write(home.resolve("unpack.tar"), tar);
        Commands.run(
                directory,
                "tar",
                "--extract",
                "--same-owner",
                "--preserve-permissions",
                "--numeric-owner",
                "--file",
                file.toString());
        return directory;
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    @Test
    void aSplitLayerLooksAsTarUnpacksIt() throws Exception {
        byte[] layer = tar(tree(), "--format=gnu");
        Digest digest = LayerRig.digest(layer);
        String image = rig.pushImage("team/app", List.of(layer), List.of(digest));
        assertThat(rig.files().stat(rig.layout().recipe(digest)))
                .as("it is split")
                .isPresent();

        Path shown = rig.layer(home.resolve("layers"), image, digest);
        assertThat(Commands.describe(shown.resolve("diff"))).isEqualTo(Commands.describe(unpacked(layer)));
        assertThat(Files.readString(shown.resolve("info")))
                .contains("\"diff-digest\":\"" + digest + '"')
                .contains("\"diff-size\":" + layer.length);
    }

    @Test
    void namesOfOneFileAreOneFile() throws Exception {
        for (String format : List.of("gnu", "pax")) {
            byte[] tar = tar(tree(), "--format=" + format);
            byte[] layer = format.equals("pax") ? gzip(tar) : tar;
            String image = rig.pushImage("app-" + format, List.of(layer), List.of(LayerRig.digest(tar)));
            Path diff = rig.layer(home.resolve("layers"), image, LayerRig.digest(layer))
                    .resolve("diff");
            for (List<String> names :
                    List.of(List.of("bin/middle", "share/linked"), List.of("share/f7", "share/z-linked"))) {
                Path one = diff.resolve("usr").resolve(names.get(0));
                Path other = diff.resolve("usr").resolve(names.get(1));
                assertThat(Files.isSameFile(one, other))
                        .as("%s %s", format, names)
                        .isTrue();
                assertThat(Files.getAttribute(one, "unix:nlink")).isEqualTo(2);
            }
            assertThat(Files.getAttribute(diff.resolve("usr/bin/large"), "unix:nlink"))
                    .isEqualTo(1);
            Commands.run(home, "rm", "-r", "tree");
        }
    }

    @Test
    void aGzippedLayerLooksAsTarUnpacksIt() throws Exception {
        byte[] tar = tar(tree(), "--format=pax");
        byte[] layer = gzip(tar);
        Digest digest = LayerRig.digest(layer);
        String image = rig.pushImage("app", List.of(layer), List.of(LayerRig.digest(tar)));

        Path shown = rig.layer(home.resolve("layers"), image, digest);
        assertThat(Commands.describe(shown.resolve("diff"))).isEqualTo(Commands.describe(unpacked(tar)));
        assertThat(Files.readString(shown.resolve("info")))
                .contains("\"diff-digest\":\"" + LayerRig.digest(tar) + '"')
                .contains("\"compressed-diff-digest\":\"" + digest + '"')
                .contains("\"compression\":2");
        assertThat(Files.readAllBytes(shown.resolve("blob"))).isEqualTo(layer);
        assertThat(rig.files().list(new FilePath("/registry/scratch"), "", 10).orElseThrow())
                .as("nothing is left on its way")
                .isEmpty();
    }

    @Test
    void aLayerOfZstdLooksAsTarUnpacksItAlsoWhenTheRegistryMadeIt() throws Exception {
        byte[] tar = tar(tree(), "--format=pax");
        byte[] layer = Zstd.compress(tar);
        String image = rig.pushImage("app", List.of(layer), List.of(LayerRig.digest(tar)));
        Map<String, String> unpacked = Commands.describe(unpacked(tar));
        Path shown = rig.layer(home.resolve("layers"), image, LayerRig.digest(layer));
        assertThat(Commands.describe(shown.resolve("diff"))).isEqualTo(unpacked);
        assertThat(Files.readString(shown.resolve("info"))).contains("\"compression\":4");

        try (RegistryUpkeep upkeep = new RegistryUpkeep(rig.files(), new FilePath("/registry"))) {
            assertThat(upkeep.translate(LayerForm.ZSTD)).containsEntry(ImageTranslator.Result.TRANSLATED, 1L);
            GcReport report = upkeep.collect(
                    () -> Long.MAX_VALUE / 2, new GcOptions(Duration.ZERO, false, Optional.of(LayerForm.ZSTD)));
            assertThat(report.retagged()).isEqualTo(1);
        }
        Digest translated = rig.onlyLayer("app", "v1");
        assertThat(translated).isNotEqualTo(LayerRig.digest(layer));
        Path again = rig.layer(home.resolve("layers"), image, translated);
        assertThat(Commands.describe(again.resolve("diff"))).isEqualTo(unpacked);
        assertThat(Files.readString(again.resolve("info")))
                .contains("\"diff-digest\":\"" + LayerRig.digest(tar) + '"')
                .contains("\"compression\":4");
    }

    @Test
    void whatIsNoLayerOfTheImageIsNotThereUntilItIsPushed() throws Exception {
        byte[] layer = tar(tree());
        Digest digest = LayerRig.digest(layer);
        Path before = rig.layer(home.resolve("layers"), rig.registry() + "/late:v1", digest);
        assertThat(before).doesNotExist();
        assertThat(home.resolve("layers").resolve("no base64")).doesNotExist();
        String image = rig.pushImage("late", List.of(layer), List.of(digest));
        assertThat(before.resolve("diff/usr/bin/edge")).exists();
        assertThat(rig.layer(home.resolve("layers"), rig.registry() + "/other:v1", digest))
                .as("a layer of another repository")
                .doesNotExist();
        assertThat(rig.layer(home.resolve("layers"), image, LayerRig.digest(new byte[1])))
                .doesNotExist();
        assertThat(before.resolve("use")).doesNotExist();
    }

    @Test
    void whiteoutsHideWhatLowerLayersHave() throws Exception {
        Path lower = Files.createDirectories(home.resolve("lower"));
        for (String name : List.of("a/gone", "a/kept", "opaque/gone", "again/gone", "tree/gone")) {
            Files.createDirectories(lower.resolve(name).getParent());
            Files.writeString(lower.resolve(name), name);
        }
        Path upper = Files.createDirectories(home.resolve("upper"));
        for (String name :
                List.of("a/.wh.gone", "opaque/.wh..wh..opq", "opaque/new", "again/new", ".wh.again", ".wh.tree")) {
            Files.createDirectories(upper.resolve(name).getParent());
            Files.writeString(upper.resolve(name), "");
        }
        byte[] base = tar(lower);
        byte[] top = tar(upper);
        String image = rig.pushImage("app", List.of(base, top), List.of(LayerRig.digest(base), LayerRig.digest(top)));
        Path layers = home.resolve("layers");
        Path merged = Files.createDirectories(home.resolve("merged"));
        String lowers = rig.layer(layers, image, LayerRig.digest(top)) + "/diff:"
                + rig.layer(layers, image, LayerRig.digest(base)) + "/diff";
        // Escaped, as a layer's name has a colon.
        String option = "lowerdir=" + lowers.replace("sha256:", "sha256\\:");
        Commands.run(home, "mount", "-t", "overlay", "overlay", "-o", option, merged.toString());
        try {
            Map<String, String> shown = new TreeMap<>(Commands.describe(merged));
            assertThat(shown.keySet())
                    .containsExactlyInAnyOrder("", "a", "a/kept", "opaque", "opaque/new", "again", "again/new");
        } finally {
            Commands.run(home, "umount", merged.toString());
        }
    }
}
