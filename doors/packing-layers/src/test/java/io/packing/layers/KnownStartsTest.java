// SPDX-License-Identifier: Apache-2.0
package io.packing.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.MountAccessOptions;
import io.packing.fuse.mount.MountSpec;
import io.packing.layers.root.Containers;
import io.packing.layers.root.RootsMount;
import io.packing.process.Await;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two machines with roots of containers, whose servers are processes: the second one reads before it is asked to. */
@Timeout(300)
class KnownStartsTest {
    private static final int PROGRAM = 3_000_000;
    private static final ImageName IMAGE = new ImageName("team/app", "v1");

    @TempDir
    private Path home;

    private FuseMount roots(LayerRig rig, String name) throws IOException, InterruptedException {
        Path directory = Files.createDirectories(home.resolve(name));
        MountSpec spec =
                new MountSpec(directory, home.resolve(name + ".state"), "roots", true, MountAccessOptions.TREES, false);
        return new RootsMount(rig.master(), LayerRig.REGISTRY, rig.options(), spec, LayerRig.BRIEF).start(rig.files());
    }

    /** Bytes that the server of a mount has read so far, from wherever. */
    private static long readBytes(FuseMount mount) throws IOException {
        Path file = Path.of("/proc", Long.toString(LayerRig.server(mount).pid()), "io");
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("rchar: "))
                .mapToLong(line -> Long.parseLong(line.substring("rchar: ".length())))
                .sum();
    }

    @Test
    void aRootThatIsOnlyLookedUpBringsWhatItsStartReads() throws Exception {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        byte[] program = new byte[PROGRAM];
        Seed.random().nextBytes(program);
        Path tree = Files.createDirectories(home.resolve("tree"));
        Files.write(tree.resolve("program"), program);
        Path tar = home.resolve("layer.tar");
        Commands.run(home, "tar", "--create", "--file", tar.toString(), "--directory", tree.toString(), ".");
        byte[] layer = Files.readAllBytes(tar);
        try (LayerRig rig = new LayerRig(home);
                OpenRegistry registry = new OpenRegistry(rig.files(), LayerRig.REGISTRY)) {
            String unused = rig.pushImage(IMAGE.repository(), List.of(layer), List.of(LayerRig.digest(layer)));
            rig.mount().flush();
            Containers containers = new Containers(registry, rig.mount().bdt());
            String first = containers.create("one", IMAGE).name();
            try (FuseMount machine = roots(rig, "first")) {
                assertThat(machine.directory().resolve("one").resolve(first).resolve("program"))
                        .hasBinaryContent(program);
                Await.until("the start of the image is known", () -> containers.knowsStart(IMAGE));
            }
            rig.mount().flush();
            String second = containers.create("two", IMAGE).name();
            try (FuseMount machine = roots(rig, "second")) {
                long before = readBytes(machine);
                Path root = machine.directory().resolve("two").resolve(second);
                assertThat(root).isDirectory();
                Await.until("the bytes of the start have come", () -> readBytes(machine) - before >= PROGRAM);
                assertThat(root.resolve("program")).hasBinaryContent(program);
            }
        }
    }
}
