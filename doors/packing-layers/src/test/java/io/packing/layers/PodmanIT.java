// SPDX-License-Identifier: Apache-2.0
package io.packing.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.MountAccessOptions;
import io.packing.fuse.mount.MountSpec;
import io.packing.layers.root.Containers;
import io.packing.layers.root.RootsMount;
import io.packing.process.LinkedProgram;
import io.packing.seed.Seed;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Stock podman over the layer store and over writable roots. Its image is made of this machine's own shell, in seconds; two podmans with
 * nothing in common stand for two machines.
 */
@Timeout(600)
@Tag("cluster")
class PodmanIT {
    private static final List<String> PROGRAMS = List.of("sh", "cat", "ls", "sleep", "sha256sum", "id");
    private static final int FILES = 400;
    private static final int FILE_BYTES = 40_000;
    private static final int KILLS = 3;

    @TempDir
    private Path home;

    private final Random random = Seed.random();
    private LayerRig rig;
    private FuseMount store;
    private Podman builder;
    private Podman runner;
    private String image = "";

    @BeforeEach
    void start() throws IOException, InterruptedException {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        Optional<String> missing = Podman.missing();
        assumeTrue(missing.isEmpty(), missing.orElse(""));
        rig = new LayerRig(home);
        store = rig.mountLayers("layers");
        builder = new Podman(home.resolve("builder"), Optional.empty());
        runner = new Podman(home.resolve("runner"), Optional.of(store.directory()));
        image = rig.registry() + "/team/app:v1";
        Path tar = home.resolve("tree.tar");
        Commands.run(home, "tar", "--create", "--file", tar.toString(), "--directory", tree().toString(), ".");
        builder.run("import", tar.toString(), image);
        push(builder, image);
    }

    @AfterEach
    void nothingIsLeft() throws IOException, InterruptedException {
        if (rig == null) {
            return;
        }
        try (LayerRig closing = rig) {
            store.close();
        }
        assertThat(mountsBelowHome()).isEmpty();
        assertThat(ProcessHandle.allProcesses()
                        .filter(process ->
                                process.info().commandLine().orElse("").contains(home.toString()))
                        .map(process -> process.info().commandLine().orElse("")))
                .isEmpty();
    }

    private List<String> mountsBelowHome() throws IOException {
        try (Stream<String> mounts = Files.lines(Path.of("/proc/self/mountinfo"), StandardCharsets.ISO_8859_1)) {
            return mounts.filter(line -> line.contains(" " + home)).toList();
        }
    }

    /** Makes a tree of a shell, some programs and many files. */
    private Path tree() throws IOException, InterruptedException {
        Path tree = Files.createDirectories(home.resolve("tree"));
        for (String name : PROGRAMS) {
            LinkedProgram.copy(name, tree);
        }
        Files.createDirectories(tree.resolve("data/empty"));
        for (int i = 0; i < FILES; i++) {
            byte[] bytes = new byte[FILE_BYTES];
            random.nextBytes(bytes);
            Files.write(tree.resolve(file(i)), bytes);
        }
        Files.createSymbolicLink(tree.resolve("data/link"), Path.of("f000"));
        Commands.run(
                tree,
                "sh",
                "-c",
                "chmod 4711 data/f001; chown 12:13 data/f002; touch -d 2001-02-03 data/f003;"
                        + " cp \"$(find . -name id -type f)\" suid; chmod 4755 suid");
        return tree;
    }

    private static String file(int i) {
        return "data/f%03d".formatted(i);
    }

    private void push(Podman podman, String what) throws IOException, InterruptedException {
        podman.run("push", "--tls-verify=false", what);
        rig.awaitPushed();
    }

    private static String pull(Podman podman, String what) throws IOException, InterruptedException {
        return podman.run("pull", "--quiet", "--tls-verify=false", what);
    }

    private static Map<String, String> withoutRoot(Map<String, String> described) {
        described.remove("");
        return described;
    }

    @Test
    void aPullIsSmallAndARunHasTheImagesFiles() throws Exception {
        pull(runner, image);
        assertThat(runner.storedBytes()).isLessThan(FILES * FILE_BYTES / 20);
        assertThat(runner.run("run", "--rm", image, "cat", "/data/link").getBytes(StandardCharsets.ISO_8859_1))
                .isEqualTo(Files.readAllBytes(home.resolve("tree/data/f000")));
        Path mounted = Path.of(runner.run("image", "mount", image).strip());
        try {
            assertThat(withoutRoot(Commands.describe(mounted)))
                    .isEqualTo(withoutRoot(Commands.describe(home.resolve("tree"))));
        } finally {
            runner.run("image", "unmount", image);
        }
    }

    /** By podman itself: a layer over layers that it never had. */
    @Test
    void whatAContainerChangedIsPushedAndRunsElsewhere() throws Exception {
        pull(runner, image);
        runner.run("run", "--name", "changed", image, "sh", "-c", "echo new > /data/new; echo over > /data/f004");
        String second = rig.registry() + "/team/app:v2";
        runner.run("commit", "--quiet", "changed", second);
        runner.run("rm", "changed");
        push(runner, second);
        pull(builder, second);
        String look = "cat /data/new /data/f004; sha256sum /data/f005";
        String seen = builder.run("run", "--rm", second, "sh", "-c", look);
        assertThat(seen).startsWith("new\nover\n");
        Podman third = new Podman(home.resolve("third"), Optional.of(store.directory()));
        pull(third, second);
        assertThat(third.run("run", "--rm", second, "sh", "-c", look)).isEqualTo(seen);
        assertThat(third.storedBytes()).isLessThan(FILES * FILE_BYTES / 20);
    }

    /** A clone as the root itself, with no image store and no overlay. */
    @Test
    void aWritableRootRunsAndWhatItChangedIsPushed() throws Exception {
        try (OpenRegistry registry = new OpenRegistry(rig.files(), LayerRig.REGISTRY)) {
            Containers containers = new Containers(registry, rig.mount().bdt());
            ImageName first = ImageName.parse(image).orElseThrow();
            try (FuseMount root = rig.mount("root", containers.create("one", first))) {
                String said = runner.run(
                        "run",
                        "--rm",
                        "--rootfs",
                        root.directory().toString(),
                        "sh",
                        "-c",
                        "cat /data/f006 | sha256sum; echo more >> /data/f006; echo new > /data/new; cat /data/new");
                assertThat(said).endsWith("-\nnew\n");
            }
            containers.push(
                    "one", ImageName.parse(rig.registry() + "/team/app:v3").orElseThrow(), home);
        }
        String third = rig.registry() + "/team/app:v3";
        byte[] changed = Files.readAllBytes(home.resolve("tree/data/f006"));
        for (Podman each : List.of(builder, runner)) {
            pull(each, third);
            byte[] seen = each.run("run", "--rm", third, "cat", "/data/new", "/data/f006")
                    .getBytes(StandardCharsets.ISO_8859_1);
            assertThat(new String(seen, 0, 4, StandardCharsets.ISO_8859_1)).isEqualTo("new\n");
            assertThat(seen).hasSize(4 + changed.length + "more\n".length()).containsSequence(changed);
        }
    }

    private String user(String... image) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("run", "--rm", "--user", "65534:65534"));
        words.addAll(List.of(image));
        words.addAll(List.of("/suid", "-u"));
        return runner.run(words.toArray(String[]::new)).strip();
    }

    /** The engine mounts an overlay over the first two, which are {@code nosuid}, and uses the third one as it is. */
    @Test
    void setUserIdProgramsOfImagesWorkInContainers() throws Exception {
        pull(runner, image);
        assertThat(user(image)).isEqualTo("0");
        try (OpenRegistry registry = new OpenRegistry(rig.files(), LayerRig.REGISTRY)) {
            Containers containers = new Containers(registry, rig.mount().bdt());
            ImageName name = ImageName.parse(image).orElseThrow();
            FilePath unused = containers.create("shared", name);
            MountSpec spec = new MountSpec(
                    home.resolve("roots"), home.resolve("r.state"), "roots", true, MountAccessOptions.TREES, false);
            try (FuseMount roots = new RootsMount(rig.master(), LayerRig.REGISTRY, rig.options(), spec, LayerRig.BRIEF)
                    .start(rig.files())) {
                assertThat(user("--rootfs", roots.directory() + "/shared/root:O"))
                        .isEqualTo("0");
            }
            try (FuseMount root = rig.mount("root", containers.create("own", name))) {
                assertThat(user("--rootfs", root.directory().toString())).isEqualTo("0");
            }
        }
    }

    @Test
    void aKilledServerIsAPauseForARunningContainer() throws Exception {
        pull(runner, image);
        List<Integer> killAt = random.ints(KILLS, 1, FILES).boxed().toList();
        // These files are unread yet, so each read asks the server.
        Process container = runner.command(
                        "run", "--rm", image, "sh", "-c", "for f in /data/f*; do sha256sum $f || echo $f fails; done")
                .redirectError(home.resolve("container.err").toFile())
                .start();
        List<String> said = new ArrayList<>();
        try (BufferedReader lines = container.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.add(line);
                if (killAt.contains(said.size())) {
                    LayerRig.server(store).destroyForcibly();
                }
            }
        }
        assertThat(container.waitFor())
                .as("%s: %s", said, Files.readString(home.resolve("container.err")))
                .isZero();
        assertThat(said)
                .hasSize(FILES)
                .isEqualTo(Commands.run(home.resolve("tree"), "sh", "-c", "sha256sum data/f*")
                        .lines()
                        .map(line -> line.replace("  data", "  /data"))
                        .toList());
        // The machine's next container finds it in order.
        assertThat(runner.run("run", "--rm", image, "ls", "/data")).contains("f000");
    }
}
