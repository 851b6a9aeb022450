// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import io.packing.rig.S3Process;
import io.packing.rig.Workspace;
import io.packing.storeservers.DistantWire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The peer: docker-registry over the object store, layers that are pulled whole and unpacked by tar, and overlayfs over them, as
 * engines do it.
 */
final class OverlaySide implements HelloSide {
    private final Path directory;
    private final PeerRegistry registry;
    private final RegistryLoad load;
    private final boolean shares;
    private int containers;
    private Optional<OverlayMount> mounted = Optional.empty();

    /**
     * Starts the registry.
     *
     * @param shares whether a pull leaves out the layers, but for the uppermost, that another image has brought
     * @param wire between those who push and pull, and the registry; its store is near to it
     */
    OverlaySide(Workspace workspace, S3Process s3, boolean shares, DistantWire wire)
            throws IOException, InterruptedException {
        this.directory = workspace.directory();
        this.registry = PeerRegistry.start(directory, s3);
        this.load = new RegistryLoad(wire.to(registry.uri()));
        this.shares = shares;
    }

    @Override
    public void build(ImageSet.Image image) {
        // Its layers are tars already, so that their packing is not counted.
    }

    @Override
    public void settle() {
        // Nothing does.
    }

    @Override
    public void push(ImageSet.Image image) throws IOException, InterruptedException {
        double unused = load.push(new ImageSet(List.of(image), 0));
    }

    private Path unpacked(ImageSet.Image image, int layer) {
        return shares
                ? directory
                        .resolve("unpacked")
                        .resolve(image.layers().get(layer).digest().replace(':', '-'))
                : directory.resolve("unpacked").resolve(image.name()).resolve(Integer.toString(layer));
    }

    @Override
    public void pull(ImageSet.Image image) throws IOException, InterruptedException {
        for (int i = 0; i < image.layers().size(); i++) {
            if (shares && Files.exists(unpacked(image, i))) {
                continue;
            }
            Path tar = directory.resolve("pulled.tar");
            load.download(image, image.layers().get(i), tar);
            Path to = Files.createDirectories(unpacked(image, i));
            HostPrograms.run(
                    directory,
                    List.of(
                            "tar",
                            "--extract",
                            "--same-owner",
                            "--file",
                            tar.toString(),
                            "--directory",
                            to.toString()));
            Files.delete(tar);
        }
    }

    @Override
    public Path start(ImageSet.Image image) throws IOException, InterruptedException {
        List<Path> lower = new ArrayList<>();
        for (int i = image.layers().size() - 1; i >= 0; i--) {
            lower.add(unpacked(image, i));
        }
        OverlayMount mount = OverlayMount.of(directory.resolve("container-" + containers++), lower);
        mounted = Optional.of(mount);
        return mount.root();
    }

    @Override
    public void stop() throws IOException, InterruptedException {
        if (mounted.isPresent()) {
            mounted.get().unmount();
            mounted = Optional.empty();
        }
    }

    @Override
    public void remove(ImageSet.Image image) throws IOException, InterruptedException {
        int uppermost = image.layers().size() - 1;
        for (int i = shares ? uppermost : 0; i <= uppermost; i++) {
            HostPrograms.run(directory, List.of("rm", "-r", unpacked(image, i).toString()));
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        try (registry) {
            stop();
        }
    }
}
