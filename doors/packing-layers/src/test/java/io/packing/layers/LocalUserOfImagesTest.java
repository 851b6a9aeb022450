// SPDX-License-Identifier: Apache-2.0
package io.packing.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.MountAccessOptions;
import io.packing.fuse.mount.MountSpec;
import io.packing.layers.root.Containers;
import io.packing.layers.root.RootsMount;
import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rights of an ordinary user of the machine in mounted images, and the content of a container for it. */
@Timeout(300)
@Tag("process")
class LocalUserOfImagesTest {
    @TempDir
    private Path home;

    private LayerRig rig;
    private String image = "";
    private Digest layer = Digest.Algorithm.SHA256.of(new byte[0]);

    @BeforeEach
    void start() throws IOException, InterruptedException {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        rig = new LayerRig(home);
        Path tree = Files.createDirectory(home.resolve("tree"));
        Files.setPosixFilePermissions(tree, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(tree.resolve("private"), "of this image");
        Commands.run(tree, "sh", "-c", "cp /usr/bin/id suid; chmod 4755 suid; mknod -m 666 zero c 1 5");
        Path tar = home.resolve("tree.tar");
        Commands.run(home, "tar", "--create", "--file", tar.toString(), "--directory", tree.toString(), ".");
        byte[] bytes = Files.readAllBytes(tar);
        layer = LayerRig.digest(bytes);
        image = rig.pushImage("team/app", List.of(bytes), List.of(layer));
    }

    @AfterEach
    void stop() throws IOException {
        if (rig != null) {
            rig.close();
        }
    }

    private FuseMount roots(Path directory) throws IOException, InterruptedException {
        MountSpec spec =
                new MountSpec(directory, home.resolve("r.state"), "roots", true, MountAccessOptions.TREES, false);
        return new RootsMount(rig.master(), LayerRig.REGISTRY, rig.options(), spec, LayerRig.BRIEF).start(rig.files());
    }

    private void create(String name) throws IOException {
        try (OpenRegistry registry = new OpenRegistry(rig.files(), LayerRig.REGISTRY)) {
            Containers containers = new Containers(registry, rig.mount().bdt());
            FilePath unused = containers.create(name, ImageName.parse(image).orElseThrow());
        }
    }

    /** Opens the directories above the mounts, so that only the kernel's own answer counts. */
    private void openTheWay() throws IOException {
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Runs a program as an ordinary user in a directory of root's; returns its output. */
    private static String asNobody(Path directory, String... command) throws IOException, InterruptedException {
        List<String> words =
                new ArrayList<>(List.of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"));
        words.addAll(List.of(command));
        Process process = new ProcessBuilder(words)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        int unused = process.waitFor();
        return said.strip();
    }

    private static void isClosedToNobody(Path tree) throws IOException, InterruptedException {
        assertThat(tree.resolve("private")).as("to root").hasContent("of this image");
        Path elsewhere = Path.of("/");
        assertThat(asNobody(elsewhere, "cat", tree + "/private")).endsWith("Permission denied");
        assertThat(asNobody(elsewhere, "sh", "-c", tree + "/suid -u")).endsWith("Permission denied");
        assertThat(asNobody(elsewhere, "head", "-c", "1", tree + "/zero")).endsWith("Permission denied");
        // A user who has the directory itself, by any way, has no privilege of its files either.
        assertThat(asNobody(tree, "./suid", "-u")).endsWith("Permission denied");
    }

    /** As an engine does it: a mount of its own over the tree. */
    private void worksBelowAnOverlay(Path tree) throws IOException, InterruptedException {
        Path upper = Files.createDirectories(home.resolve("upper"));
        Path work = Files.createDirectories(home.resolve("work"));
        Path merged = Files.createDirectories(home.resolve("merged"));
        for (Path each : List.of(upper, merged)) {
            Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        String options =
                "lowerdir=%s,upperdir=%s,workdir=%s".formatted(tree.toString().replace(":", "\\:"), upper, work);
        Commands.run(home, "mount", "-t", "overlay", "overlay", "-o", options, merged.toString());
        try {
            assertThat(asNobody(merged, "cat", "private")).isEqualTo("of this image");
            assertThat(asNobody(merged, "./suid", "-u")).isEqualTo("0");
            assertThat(asNobody(merged, "head", "-c", "1", "zero")).doesNotContain("denied");
        } finally {
            Commands.run(home, "umount", merged.toString());
        }
    }

    private static String optionsOf(Path directory) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/mountinfo"), StandardCharsets.ISO_8859_1).stream()
                .filter(line -> line.split(" ", -1)[4].equals(directory.toString()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void layersAreForTheEngineAlone() throws IOException, InterruptedException {
        try (FuseMount store = rig.mountLayers("layers")) {
            assertThat(optionsOf(store.directory())).contains("nosuid", "nodev").doesNotContain("allow_other");
            openTheWay();
            Path tree = rig.layer(store.directory(), image, layer).resolve("diff");
            isClosedToNobody(tree);
            worksBelowAnOverlay(tree);
        }
    }

    @Test
    void rootsAreForTheEngineAlone() throws IOException, InterruptedException {
        create("one");
        try (FuseMount roots = roots(home.resolve("roots"))) {
            assertThat(optionsOf(roots.directory())).contains("nosuid", "nodev").doesNotContain("allow_other");
            openTheWay();
            Path tree = roots.directory().resolve("one/root");
            isClosedToNobody(tree);
            worksBelowAnOverlay(tree);
        }
    }

    /** A container's root without an overlay is used by the container's users: the directory above it hides it. */
    @Test
    void aWritableRootWorksForItsContainerAndIsHidden() throws IOException, InterruptedException {
        create("one");
        try (OpenRegistry registry = new OpenRegistry(rig.files(), LayerRig.REGISTRY)) {
            Containers containers = new Containers(registry, rig.mount().bdt());
            try (FuseMount mount = rig.mount("container/root", containers.root("one"))) {
                Path root = mount.directory();
                openTheWay();
                assertThat(asNobody(Path.of("/"), "cat", root + "/private")).endsWith("Permission denied");
                assertThat(asNobody(root, "./suid", "-u"))
                        .as("in the container")
                        .isEqualTo("0");
                assertThat(asNobody(root, "head", "-c", "1", "zero")).endsWith("Permission denied");
            }
        }
    }

    @Test
    void noImageIsMountedWhereOthersMayCome() throws IOException {
        Path open = Files.createDirectory(home.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThatThrownBy(() -> roots(open.resolve("roots"))).hasMessageContaining("other users may enter " + open);
    }
}
