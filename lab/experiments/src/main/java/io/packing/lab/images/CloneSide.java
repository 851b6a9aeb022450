// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.MountAccessOptions;
import io.packing.fuse.mount.MountSpec;
import io.packing.fuse.posix.owner.OwnerMap;
import io.packing.fuse.posix.server.PosixMount;
import io.packing.layers.ImageName;
import io.packing.layers.OpenRegistry;
import io.packing.layers.root.Containers;
import io.packing.layers.root.PushedTrees;
import io.packing.layers.root.RootsMount;
import io.packing.registry.RegistryOptions;
import io.packing.registry.RegistryServer;
import io.packing.registry.access.Access;
import io.packing.registry.files.MountFiles;
import io.packing.registry.files.RegistryFiles;
import io.packing.rig.EngineRig;
import io.packing.rig.Workspace;
import io.packing.storeservers.DistantWire;
import io.packing.worker.api.MountOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Ours: a registry over a mount, containers that are clones of an image's tree, and one read-only mount of all their roots, which is there
 * before the first image as a daemon of a machine is. A root that is run gets an overlay of its own, as {@code podman run --rootfs DIR:O}
 * does it.
 */
final class CloneSide implements HelloSide {
    private static final FilePath BASE = new FilePath("/registry");
    private static final int START_TRIES = 100;
    private static final long START_PAUSE_MILLIS = 250;

    private final Workspace workspace;
    private final EngineRig rig;
    private final Path directory;
    private final boolean stock;
    private final EngineRig.Client client;
    private final RegistryServer server;
    private final RegistryLoad load;
    private final OpenRegistry registry;
    private final Containers containers;
    private final RegistryFiles files;
    private FuseMount roots;
    private final FuseMount builds;
    /** The roots on another machine; present after their first use. */
    private Optional<FuseMount> elsewhere = Optional.empty();

    private boolean isElsewhere;
    /** The images that others stand on, by their layers. */
    private final Map<List<ImageSet.Blob>, ImageName> bases = new HashMap<>();

    private Optional<Path> pulled = Optional.empty();
    private String container = "";
    private long written;
    private Optional<OverlayMount> mounted = Optional.empty();
    private int count;

    /**
     * Starts all of it. The workspace stops its servers, and unmounts, after the side has been closed.
     *
     * @param rig whose master and store are behind the wire
     * @param stock whether images are pushed as layers, by a client that knows nothing of ours; if not, as containers
     * @param wire between those who push layers and the registry
     */
    CloneSide(Workspace workspace, EngineRig rig, boolean stock, DistantWire wire)
            throws IOException, InterruptedException {
        this.workspace = workspace;
        this.rig = rig;
        this.directory = workspace.directory();
        this.stock = stock;
        this.client = workspace.own(rig.client());
        this.files = new MountFiles(client.mount(), MountOptions.from(rig.mountOptions()));
        this.registry = workspace.own(new OpenRegistry(files, BASE));
        this.server = workspace.own(RegistryServer.start(
                RegistryOptions.local(BASE),
                files,
                Optional.of(new PushedTrees(registry)),
                Access.OPEN,
                new SimpleMeterRegistry()));
        this.load = new RegistryLoad(wire.to(server.uri()));
        this.containers = new Containers(registry, client.mount().bdt());
        this.roots = roots("roots");
        this.builds = workspace.own(new PosixMount(
                        rig.masterAddress(),
                        registry.layout().containers(),
                        rig.mountOptions(),
                        Duration.ofSeconds(1),
                        spec("builds", false, MountAccessOptions.CONTAINER),
                        List.of("-Xmx512m", "-XX:+UseSerialGC", log("builds")),
                        OwnerMap.TREES)
                .start());
    }

    private FuseMount roots(String name) throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(RootsMount.HEAP);
        options.addAll(RootsMount.FOR_STARTS);
        options.addAll(List.of("-XX:+UseSerialGC", log(name)));
        FuseMount mount = workspace.own(new RootsMount(
                        rig.masterAddress(),
                        BASE,
                        rig.mountOptions(),
                        spec(name, true, MountAccessOptions.TREES),
                        options)
                .start(files));
        // A daemon of a machine has been there for a while.
        Path rehearsed = state(name).resolve(RootsMount.REHEARSED);
        for (int i = 0; i < START_TRIES && !Files.exists(rehearsed); i++) {
            Thread.sleep(START_PAUSE_MILLIS);
        }
        return mount;
    }

    /** From now on containers start on another machine, or on this one again: each has memory, and a mount, of its own. */
    void go(boolean away) throws IOException, InterruptedException {
        if (away && elsewhere.isEmpty()) {
            elsewhere = Optional.of(roots("elsewhere"));
        }
        isElsewhere = away;
    }

    /** Waits until what the first container of an image has read is kept with the image; returns whether it is. */
    boolean awaitStart(ImageSet.Image image) throws IOException, InterruptedException {
        for (int i = 0; i < START_TRIES; i++) {
            if (containers.knowsStart(name(image))) {
                settle();
                return true;
            }
            Thread.sleep(START_PAUSE_MILLIS);
        }
        return false;
    }

    private MountSpec spec(String name, boolean readOnly, MountAccessOptions access) throws IOException {
        Path at = Files.createDirectories(directory.resolve(name));
        return new MountSpec(at, state(name), name, readOnly, access, false);
    }

    private Path state(String name) {
        return directory.resolve(name + ".state");
    }

    private String log(String name) {
        return "-Dpacking.log=" + directory.resolve(name + ".log");
    }

    private static ImageName name(ImageSet.Image image) {
        return new ImageName("images/" + image.name(), "v1");
    }

    private static String buildOf(ImageSet.Image image) {
        return "build-" + image.name();
    }

    /** Makes a container of the image's lowest layer, and installs in it the files of the upper layers. */
    @Override
    public void build(ImageSet.Image image) throws IOException, InterruptedException {
        if (stock) {
            return;
        }
        ImageName base = base(
                ImageSet.image(directory, "base-" + bases.size(), image.layers().subList(0, 1)));
        FilePath root = containers.create(buildOf(image), base);
        Path at = builds.directory().resolve(buildOf(image)).resolve(root.name());
        for (ImageSet.Blob layer : image.layers().subList(1, image.layers().size())) {
            Path unpacked = Files.createDirectories(directory.resolve("unpacked-" + count++));
            HostPrograms.run(directory, List.of("tar", "-xf", layer.file().toString(), "-C", unpacked.toString()));
            HostPrograms.run(directory, List.of("cp", "-a", unpacked + "/.", at.toString()));
            HostPrograms.run(directory, List.of("rm", "-r", unpacked.toString()));
        }
    }

    /**
     * Makes a container that has the files of an image, and writes a file to it. The layers come into the store by a client that knows
     * layers only: as many files over the kernel's door would take minutes.
     *
     * @param below the image of the lowest layers, which is pushed, too
     */
    void build(ImageSet.Image image, ImageSet.Image below) throws IOException, InterruptedException {
        ImageName unused = base(below);
        ImageName built = base(new ImageSet.Image(buildOf(image), image.config(), image.layers(), image.gzipped()));
        FilePath root = containers.create(buildOf(image), built);
        Path at = builds.directory().resolve(buildOf(image)).resolve(root.name());
        Files.writeString(at.resolve("built"), "by a developer\n");
    }

    /** Returns the name of an image of layers, which is pushed when a build asks for it for the first time. */
    private ImageName base(ImageSet.Image below) throws IOException, InterruptedException {
        ImageName known = bases.get(below.layers());
        if (known != null) {
            return known;
        }
        double unused = load.push(new ImageSet(List.of(below), 0));
        server.awaitPushed();
        bases.put(below.layers(), name(below));
        return name(below);
    }

    /** Makes a container of a base that a build has pushed, as {@link #pull} does of an image. */
    void pullBase(ImageSet.Image below) throws IOException, InterruptedException {
        pull(below.name(), base(below));
    }

    /** From now on containers start on a new machine, with memory and a mount of its own; the one before is gone. */
    void renew() throws IOException, InterruptedException {
        roots.close();
        roots = roots("roots-" + count++);
    }

    @Override
    public void push(ImageSet.Image image) throws IOException, InterruptedException {
        if (stock) {
            double unused = load.push(new ImageSet(List.of(image), 0));
        } else {
            containers.snapshot(buildOf(image), name(image));
        }
    }

    /** Waits until the trees of pushed layers are made, and all bytes are in the store: later reads fetch them there. */
    @Override
    public void settle() throws IOException, InterruptedException {
        server.awaitPushed();
        client.mount().flush();
    }

    @Override
    public void pull(ImageSet.Image image) throws IOException {
        pull(image.name(), name(image));
    }

    private void pull(String name, ImageName of) throws IOException {
        container = "run-%d-%s".formatted(count++, name);
        FilePath root = containers.create(container, of);
        FuseMount machine = isElsewhere ? elsewhere.orElseThrow() : roots;
        Path at = machine.directory().resolve(container).resolve(root.name());
        // Now the server of the roots knows what is about to start.
        if (!Files.isDirectory(at)) {
            throw new IOException("there is no root at " + at);
        }
        pulled = Optional.of(at);
    }

    /** The root that was pulled last, read-only. */
    Path pulledRoot() {
        return pulled.orElseThrow();
    }

    @Override
    public Path start(ImageSet.Image image) throws IOException, InterruptedException {
        OverlayMount mount = OverlayMount.of(directory.resolve("container-" + count++), List.of(pulledRoot()));
        mounted = Optional.of(mount);
        return mount.root();
    }

    @Override
    public void stop() throws IOException, InterruptedException {
        if (mounted.isPresent()) {
            written = HostPrograms.bytesBelow(mounted.get().directory().resolve("upper"));
            mounted.get().unmount();
            mounted = Optional.empty();
        }
    }

    /** Bytes of the files that were written in the root that was taken away last, or copied up. */
    long writtenBytes() {
        return written;
    }

    @Override
    public void remove(ImageSet.Image image) throws IOException {
        if (!containers.remove(container)) {
            throw new IOException("there is no container " + container);
        }
    }

    /** Makes an image of layers of what was pushed as a container, for clients that know layers only. */
    void publish(ImageSet.Image image) throws IOException {
        if (!stock && containers.publish(name(image), directory).isEmpty()) {
            throw new IOException("nothing was pushed as " + name(image));
        }
    }

    /** Bytes that the store has given so far. */
    long storeBytesRead() throws IOException, InterruptedException {
        return rig.s3().metrics().prefix(EngineRig.PACKED).bytesOut();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        if (mounted.isPresent()) {
            mounted.get().discard();
        }
    }
}
