// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.MountAccessOptions;
import io.packing.fuse.mount.MountSpec;
import io.packing.fuse.posix.owner.OwnerMap;
import io.packing.fuse.posix.server.PosixMount;
import io.packing.layers.LayerStoreMount;
import io.packing.layers.root.Containers;
import io.packing.layers.root.PushedImage;
import io.packing.layers.root.RootsMount;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows layers of a registry's images to container engines. */
@Command(
        name = "layers",
        description = {
            "Mounts the layers of a registry's images as an additional layer store of podman, read-only, by FUSE;"
                    + " needs root and /dev/fuse.",
            "An engine with \"DIR:ref\" among its additionallayerstores reads from DIR what its containers touch, "
                    + "and pulls no layer. Stays in the foreground until SIGTERM, and unmounts then.",
            "With --containerd it serves a snapshotter of containerd instead, by which images of the registry are there without a pull of "
                    + "their layers."
        })
final class LayersCommand implements Callable<Integer> {
    private static final String ON =
            "The directory to mount on, in one that only root may enter. Both are made if they are not there.";
    /** A container's root is changed through its mount alone. */
    private static final Duration ROOT_VALID = Duration.ofMinutes(1);

    @Command(
            name = "root",
            description = {
                "Makes a container of an image, unless there is one of this name, and mounts its root for reads and "
                        + "writes, by FUSE.",
                "The root is a clone of the image's. Use it with podman run --rootfs DIR, or unshare --mount chroot "
                        + "DIR. Stays in the foreground until SIGTERM, and unmounts then."
            })
    int root(
            @Parameters(
                            paramLabel = "[MOUNT] IMAGE DIR",
                            arity = "2..3",
                            hideParamSyntax = true,
                            description =
                                    RegistryTarget.PLACE + " " + "IMAGE: an image of the registry, as podman names it."
                                            + " DIR: the directory to mount on, in one that only root may enter. Both are made if they are not"
                                            + " there.")
                    List<String> words,
            @Option(
                            names = "--name",
                            paramLabel = "NAME",
                            required = true,
                            description = "The name of the container in the registry's mount.")
                    String name,
            @Mixin MountPlace at,
            @Mixin RegistryTarget registry,
            @Mixin Report printed)
            throws IOException, InterruptedException {
        List<String> operands = operands(registry, words, 2, "IMAGE DIR");
        String image = operands.get(0);
        Path directory = Path.of(operands.get(1));
        FilePath root;
        try (OpenedRegistry opened = new OpenedRegistry(registry.open())) {
            Containers containers = opened.containers();
            root = containers.exists(name)
                    ? containers.root(name)
                    : containers.create(name, OpenedRegistry.image(image));
        }
        MountSpec spec = at.spec(directory, "root of " + name, false, MountAccessOptions.CONTAINER);
        FuseMount mount = new PosixMount(
                        registry.masters(),
                        root,
                        registry.rawOptions(),
                        ROOT_VALID,
                        spec,
                        at.jvmOptions(spec),
                        OwnerMap.TREES)
                .start();
        return at.keep(mount, () -> {
            RootStarted started = new RootStarted(
                    name,
                    root.value(),
                    spec.directory().toString(),
                    spec.state().toString(),
                    mount.keeper());
            printed.print(started, out -> out.printf("the root of %s is at %s%n", started.name(), started.directory()));
        });
    }

    @Command(
            name = "create",
            description = {
                "Makes a container, a clone of the image's files, and mounts nothing.",
                "Its root is NAME/root below the directory of packing layers roots."
            })
    int create(
            @Parameters(
                            paramLabel = "[MOUNT] IMAGE",
                            arity = "1..2",
                            hideParamSyntax = true,
                            description =
                                    RegistryTarget.PLACE + " " + "IMAGE: an image of the registry, as podman names it.")
                    List<String> words,
            @Option(
                            names = "--name",
                            paramLabel = "NAME",
                            required = true,
                            description = "The name of the container in the registry's mount.")
                    String name,
            @Option(
                            names = "--roots",
                            paramLabel = "DIR",
                            description =
                                    "Where packing layers roots has mounted the roots here: what a start of the image reads is brought "
                                            + "from now on.")
                    @Nullable
                    Path roots,
            @Mixin RegistryTarget registry,
            @Mixin Report printed)
            throws IOException {
        String image = operands(registry, words, 1, "IMAGE").get(0);
        try (OpenedRegistry opened = new OpenedRegistry(registry.open())) {
            FilePath root = opened.containers().create(name, OpenedRegistry.image(image));
            if (roots != null && !Files.isDirectory(roots.resolve(name).resolve(root.name()))) {
                throw new IOException(
                        "the container is made, but %s has no %s/%s: give the directory of packing layers roots of this registry"
                                .formatted(roots, name, root.name()));
            }
            printed.print(new Made(name, root.value()), out -> out.printf("the root of %s is %s%n", name, root));
        }
        return ExitCodes.OK;
    }

    @Command(
            name = "roots",
            description = {
                "Mounts the roots of all containers read-only, by FUSE: what overlays are mounted over.",
                "podman run --rootfs DIR/NAME/root:O starts a container with an overlay of its own. Stays in the "
                        + "foreground until SIGTERM, and unmounts then."
            })
    int roots(
            @Parameters(
                            paramLabel = "[MOUNT] DIR",
                            arity = "1..2",
                            hideParamSyntax = true,
                            description = RegistryTarget.PLACE + " " + ON)
                    List<String> words,
            @Mixin MountPlace at,
            @Mixin RegistryTarget registry,
            @Mixin Report printed)
            throws IOException, InterruptedException {
        Path directory = Path.of(operands(registry, words, 1, "DIR").get(0));
        String text = registry.text();
        MountSpec spec = at.spec(directory, "roots of " + text, true, MountAccessOptions.TREES);
        FuseMount mount;
        try (RegistryTarget.Opened opened = registry.open()) {
            List<String> jvm = at.jvmOptions(spec, RootsMount.HEAP, RootsMount.FOR_STARTS);
            mount = new RootsMount(registry.masters(), opened.base(), registry.rawOptions(), spec, jvm)
                    .start(opened.files());
        }
        return at.keep(mount, () -> {
            Started started =
                    new Started(text, spec.directory().toString(), spec.state().toString(), mount.keeper());
            printed.print(started, out -> out.printf("roots of %s are at %s%n", started.store(), started.directory()));
        });
    }

    @Command(
            name = "push",
            description = {
                "Pushes what a container is now as an image: the image that it was made of, and a layer with the"
                        + " differences.",
                "What is written and neither closed nor synced is not in it."
            })
    int push(
            @Parameters(
                            paramLabel = "[MOUNT] NAME IMAGE",
                            arity = "2..3",
                            hideParamSyntax = true,
                            description = RegistryTarget.PLACE + " " + "NAME: the name of the container."
                                    + " IMAGE: the image that it becomes.")
                    List<String> words,
            @Option(
                            names = "--snapshot",
                            description =
                                    "Return when containers can be made of the image, which takes as long whatever was"
                                            + " changed; packing layers publish makes the layer for other clients.")
                    boolean snapshot,
            @Mixin RegistryTarget registry,
            @Mixin Report printed)
            throws IOException {
        List<String> operands = operands(registry, words, 2, "NAME IMAGE");
        String name = operands.get(0);
        String image = operands.get(1);
        try (OpenedRegistry opened = new OpenedRegistry(registry.open())) {
            if (snapshot) {
                opened.containers().snapshot(name, OpenedRegistry.image(image));
                printed.print(new Kept(name, image), out -> out.printf("%s is a snapshot of %s%n", image, name));
            } else {
                PushedImage pushed = opened.containers().push(name, OpenedRegistry.image(image), scratch());
                printed.print(pushed, out -> tell(pushed, out));
            }
        }
        return ExitCodes.OK;
    }

    private static Path scratch() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    private static void tell(PushedImage pushed, PrintWriter out) {
        out.printf("%s: a layer of %,d entries, %,d bytes%n", pushed.digest(), pushed.entries(), pushed.bytes());
    }

    @Command(
            name = "publish",
            description =
                    "Makes an image of layers of what packing layers push --snapshot has kept, so that every client can"
                            + " pull it.")
    int publish(
            @Parameters(
                            paramLabel = "[MOUNT] IMAGE",
                            arity = "1..2",
                            hideParamSyntax = true,
                            description = RegistryTarget.PLACE + " " + "IMAGE: the image that was pushed.")
                    List<String> words,
            @Mixin RegistryTarget registry,
            @Mixin Report printed)
            throws IOException {
        String image = operands(registry, words, 1, "IMAGE").get(0);
        try (OpenedRegistry opened = new OpenedRegistry(registry.open())) {
            PushedImage pushed = opened.containers()
                    .publish(OpenedRegistry.image(image), scratch())
                    .orElseThrow(() -> new IllegalArgumentException(
                            "no snapshot is kept as %s: it is published, or was pushed by others since"
                                    .formatted(image)));
            printed.print(pushed, out -> tell(pushed, out));
        }
        return ExitCodes.OK;
    }

    @Command(name = "remove", description = "Removes a container with all that it wrote; unmount its root first.")
    int remove(
            @Parameters(
                            paramLabel = "[MOUNT] NAME",
                            arity = "1..2",
                            hideParamSyntax = true,
                            description = RegistryTarget.PLACE + " " + "NAME: the name of the container.")
                    List<String> words,
            @Mixin RegistryTarget registry)
            throws IOException {
        String name = operands(registry, words, 1, "NAME").get(0);
        try (OpenedRegistry opened = new OpenedRegistry(registry.open())) {
            if (!opened.containers().remove(name)) {
                throw new IllegalArgumentException("there is no container " + name);
            }
        }
        return ExitCodes.OK;
    }

    /** Takes the registry's place from a command's words; returns the other words. */
    private static List<String> operands(RegistryTarget registry, List<String> words, int count, String labels)
            throws IOException {
        List<String> operands = registry.operands(words, count, labels);
        registry.at(Optional.empty());
        return operands;
    }

    /** A container that was made. */
    record Made(String name, String path) {}

    /** A container of which there is a snapshot. */
    record Kept(String name, String image) {}

    /** The started root, as a script reads it. */
    record RootStarted(String name, String path, String directory, String state, long keeper) {}

    // Not required: commands below this one have directories of their own.
    @Parameters(
            paramLabel = "[MOUNT] DIR",
            arity = "0..2",
            hideParamSyntax = true,
            description = RegistryTarget.PLACE + " " + ON)
    private List<String> words = List.of();

    @Mixin
    private MountPlace place = new MountPlace();

    @Mixin
    private ContainerdTarget containerd = new ContainerdTarget();

    @Mixin
    private RegistryTarget target = new RegistryTarget();

    @Mixin
    private Report report = new Report();

    /** The started mount of layers, as a script reads it. */
    record Started(String store, String directory, String state, long keeper) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (containerd.isWanted()) {
            List<String> unused = operands(target, words, 0, "no DIR beside --containerd");
            return containerd.serve(target, place, report);
        }
        Path directory = Path.of(operands(target, words, 1, "DIR").get(0));
        String text = target.text();
        MountSpec spec = place.spec(directory, "layers of " + text, true, MountAccessOptions.TREES);
        FuseMount mount;
        try (RegistryTarget.Opened opened = target.open()) {
            mount = new LayerStoreMount(
                            target.masters(), opened.base(), target.rawOptions(), spec, place.jvmOptions(spec))
                    .start(opened.files());
        }
        return place.keep(mount, () -> {
            Started started =
                    new Started(text, spec.directory().toString(), spec.state().toString(), mount.keeper());
            report.print(started, out -> {
                out.printf("layers of %s are at %s%n", started.store(), started.directory());
                out.printf("storage.conf: additionallayerstores = [\"%s:ref\"]%n", started.directory());
            });
        });
    }
}
