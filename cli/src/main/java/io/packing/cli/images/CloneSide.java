package io.packing.cli.images;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.cli.rig.EngineRig;
import io.packing.cli.rig.Workspace;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.MountSpec;
import io.packing.layers.ImageName;
import io.packing.layers.OpenRegistry;
import io.packing.layers.root.Containers;
import io.packing.layers.tree.LayerTrees;
import io.packing.posix.PosixMount;
import io.packing.registry.RegistryConfig;
import io.packing.registry.RegistryServer;
import io.packing.registry.access.Access;
import io.packing.registry.files.MountFiles;
import io.packing.registry.files.RegistryFiles;
import io.packing.worker.api.MountOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Ours: a registry over a mount, roots that are clones of an image's, and one mount of all containers, which is there before the first
 * image as a daemon of a machine is.
 */
final class CloneSide implements HelloSide {
    private static final FilePath BASE = new FilePath("/registry");
    private static final FilePath CONTAINERS = new FilePath("/registry/containers");

    private final EngineRig rig;
    private final EngineRig.Client client;
    private final RegistryServer server;
    private final RegistryLoad load;
    private final OpenRegistry registry;
    private final Containers containers;
    private final FuseMount mount;
    private int count;

    CloneSide(Workspace workspace, EngineRig rig) throws IOException, InterruptedException {
        this.rig = rig;
        this.client = rig.client();
        RegistryFiles files = new MountFiles(client.mount(), MountOptions.from(rig.mountOptions()));
        this.server = RegistryServer.start(RegistryConfig.local(BASE), files, Access.OPEN, new SimpleMeterRegistry());
        this.load = new RegistryLoad(server.uri());
        this.registry = new OpenRegistry(files, BASE);
        this.containers = new Containers(registry, client.mount().bdt());
        VectorResult unused =
                files.apply(OperationVector.of(new Operation.MakeDirectory(CONTAINERS, LayerTrees.DIRECTORY, true)));
        Path directory = Files.createDirectories(workspace.directory().resolve("containers"));
        MountSpec spec =
                new MountSpec(directory, workspace.directory().resolve("state"), "containers", false, true, false);
        this.mount = new PosixMount(
                        rig.masterAddress(),
                        CONTAINERS,
                        rig.mountOptions(),
                        Duration.ofSeconds(1),
                        spec,
                        List.of("-Xmx512m", "-Dpacking.log=" + directory.resolveSibling("server.log")))
                .start();
    }

    private static String repository(ImageSet.Image image) {
        return "images/" + image.name();
    }

    @Override
    public void push(ImageSet.Image image) throws IOException, InterruptedException {
        double unused = load.push(new ImageSet(List.of(image), 0));
    }

    /** Makes the first container's root, and with it whatever of the image has not been made: trees of layers, the merged tree. */
    @Override
    public void pull(ImageSet.Image image) throws IOException {
        FilePath unused = containers.create("pulled-" + count++, name(image));
    }

    private static ImageName name(ImageSet.Image image) {
        return new ImageName(repository(image), "v1");
    }

    @Override
    public Path start(ImageSet.Image image) throws IOException {
        String name = "container-" + count++;
        FilePath root = containers.create(name, name(image));
        return mount.directory().resolve(name).resolve(root.name());
    }

    @Override
    public void stop() {
        // A clone that nobody uses costs nothing.
    }

    /** All that is pushed is in the store, so that what is read from now on comes from there. */
    void settle() throws IOException, InterruptedException {
        server.awaitPushed();
        client.mount().flush();
    }

    /** Bytes that the store has given so far. */
    long storeBytesRead() throws IOException, InterruptedException {
        return rig.s3().metrics().prefix(EngineRig.PACKED).bytesOut();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        try (client;
                server;
                registry) {
            mount.close();
        }
    }
}
