// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import io.packing.rig.S3Process;
import io.packing.rig.Workspace;
import io.packing.storeservers.DistantWire;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The peer: docker-registry over the object store, layers that are pulled whole and unpacked by tar, and overlayfs over them, as
 * engines do it.
 */
final class OverlaySide implements HelloSide {
    /** The number of layers that Docker and containerd download at a time. */
    private static final int DOWNLOADS = 3;

    private final Path directory;
    private final URI uri;
    private RegistryLoad load;
    private final boolean shares;
    private int containers;
    private Optional<OverlayMount> mounted = Optional.empty();

    /**
     * Starts the registry. The workspace stops it after the side has been closed.
     *
     * @param shares whether a pull leaves out the layers, but for the uppermost, that another image has brought
     * @param wire between those who push and pull, and the registry; its store is near to it
     */
    OverlaySide(Workspace workspace, S3Process s3, boolean shares, DistantWire wire)
            throws IOException, InterruptedException {
        this.directory = workspace.directory();
        this.uri = wire.to(workspace.own(PeerRegistry.start(directory, s3)).uri());
        this.load = new RegistryLoad(uri);
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

    /** Brings layers as engines do: some at a time, and unpacks each as soon as those below it are unpacked. */
    @Override
    public void pull(ImageSet.Image image) throws IOException, InterruptedException {
        ExecutorService downloads = Executors.newFixedThreadPool(DOWNLOADS);
        Map<Integer, Future<Path>> coming = new TreeMap<>();
        try {
            for (int i = 0; i < image.layers().size(); i++) {
                if (!shares || !Files.exists(unpacked(image, i))) {
                    ImageSet.Blob layer = image.layers().get(i);
                    Path file = directory.resolve("pulled-%d.tar".formatted(i));
                    coming.put(i, downloads.submit(() -> download(image, layer, file)));
                }
            }
            for (Map.Entry<Integer, Future<Path>> each : coming.entrySet()) {
                unpack(each.getValue().get(), unpacked(image, each.getKey()));
            }
        } catch (ExecutionException e) {
            throw new IOException("a layer of %s did not come: %s".formatted(image.name(), e.getCause()), e);
        } finally {
            downloads.shutdownNow();
        }
    }

    private Path download(ImageSet.Image image, ImageSet.Blob layer, Path file)
            throws IOException, InterruptedException {
        // A load is confined to one thread.
        new RegistryLoad(uri).download(image, layer, file);
        return file;
    }

    private void unpack(Path tar, Path to) throws IOException, InterruptedException {
        Files.createDirectories(to);
        HostPrograms.run(
                directory,
                List.of("tar", "--extract", "--same-owner", "--file", tar.toString(), "--directory", to.toString()));
        Files.delete(tar);
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
        removeAbove(image, shares ? image.layers().size() - 1 : 0);
    }

    /** Makes a new machine of this one: it has no layers, and its next push sends all of them. */
    void renew() throws IOException, InterruptedException {
        load = new RegistryLoad(uri);
        HostPrograms.run(
                directory, List.of("rm", "-rf", directory.resolve("unpacked").toString()));
    }

    /** Deletes the unpacked layers of an image but for so many of the lowest. */
    void removeAbove(ImageSet.Image image, int lowest) throws IOException, InterruptedException {
        for (int i = lowest; i < image.layers().size(); i++) {
            HostPrograms.run(directory, List.of("rm", "-r", unpacked(image, i).toString()));
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        if (mounted.isPresent()) {
            mounted.get().discard();
        }
    }
}
