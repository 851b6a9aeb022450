// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.fuse.posix.TreeSource;
import io.packing.layers.Commands;
import io.packing.layers.CountedMount;
import io.packing.layers.ImageName;
import io.packing.layers.LayerRig;
import io.packing.layers.OpenRegistry;
import io.packing.layers.root.Containers;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.Layout;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Machines that start containers of an image with a program and a library, over a real registry. */
abstract class StartsFixture {
    static final int PROGRAM = 900_000;
    static final int LIBRARY = 3_000_000;
    static final ImageName IMAGE = new ImageName("team/app", "v1");

    final AtomicLong nanos = new AtomicLong(1);
    final Random random = Seed.random();
    final byte[] program = new byte[PROGRAM];
    final byte[] library = new byte[LIBRARY];

    @TempDir
    Path home;

    LayerRig rig;
    OpenRegistry registry;
    Containers containers;
    final List<Machine> machines = new ArrayList<>();

    /** A machine that starts containers: a client of the mount with a cold cache. */
    final class Machine {
        final List<FilePath> learnt = new ArrayList<>();
        final List<FilePath> found = new ArrayList<>();
        final CountedMount counted;
        final ContainerStarts starts;

        Machine() throws IOException {
            this(Map.of());
        }

        Machine(Map<String, String> options) throws IOException {
            counted = new CountedMount(rig, options);
            starts = new ContainerStarts(
                    counted.mount(),
                    counted.files(),
                    registry.layout(),
                    new TreeSource.Ahead() {
                        @Override
                        public void learn(FilePath directory) {
                            learnt.add(directory);
                        }

                        @Override
                        public void find(List<FilePath> paths) {
                            found.addAll(paths);
                        }
                    },
                    new ContainerStarts.Threads(Runnable::run, Runnable::run, Runnable::run),
                    OpenRegistry::id,
                    nanos::get);
            machines.add(this);
        }

        /** As the kernel does for a program; returns the requests to the store. */
        int read(FilePath path, byte[] expected) throws IOException {
            int before = counted.gets();
            assertThat(FileBytes.all(counted.mount().open(path), LIBRARY)).isEqualTo(expected);
            starts.read(path, 0, expected.length);
            return counted.gets() - before;
        }

        void endStart() throws IOException {
            nanos.addAndGet(StartRecording.QUIET.toNanos());
            starts.step();
            rig.mount().flush();
        }
    }

    @BeforeEach
    final void start() throws Exception {
        random.nextBytes(program);
        random.nextBytes(library);
        rig = new LayerRig(home);
        registry = new OpenRegistry(rig.files(), LayerRig.REGISTRY);
        containers = new Containers(registry, rig.mount().bdt());
        Path tree = Files.createDirectories(home.resolve("tree"));
        Files.write(tree.resolve("program"), program);
        Files.write(tree.resolve("a library"), library);
        Path tar = home.resolve("layer.tar");
        Commands.run(home, "tar", "--create", "--file", tar.toString(), "--directory", tree.toString(), ".");
        byte[] layer = Files.readAllBytes(tar);
        String unused = rig.pushImage(IMAGE.repository(), List.of(layer), List.of(LayerRig.digest(layer)));
        rig.mount().flush();
    }

    @AfterEach
    final void stop() throws IOException {
        for (Machine each : machines) {
            each.counted.close();
        }
        registry.close();
        rig.close();
    }

    final FilePath container(String name, ImageName image) throws IOException {
        return containers.create(name, image);
    }

    final FilePath kept() throws IOException {
        return registry.layout()
                .manifest(
                        IMAGE.repository(),
                        registry.manifests()
                                .byTag(IMAGE.repository(), IMAGE.reference())
                                .orElseThrow()
                                .digest())
                .child(Layout.START);
    }

    final List<FileStatus> entries(FilePath directory) throws IOException {
        return registry.files().list(directory, "", 100).orElse(List.of());
    }

    final void startOnce(String name, ImageName image) throws IOException {
        Machine first = new Machine();
        FilePath root = container(name, image);
        first.starts.lookedUp(root);
        first.read(root.child("program"), program);
        first.read(root.child("a library"), library);
        first.starts.step();
        first.endStart();
    }
}
