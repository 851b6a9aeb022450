package io.packing.cli.images;

import io.packing.cli.rig.S3Process;
import io.packing.cli.rig.Workspace;
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
    private int containers;
    private Optional<Path> mounted = Optional.empty();

    OverlaySide(Workspace workspace, S3Process s3) throws IOException, InterruptedException {
        this.directory = workspace.directory();
        this.registry = PeerRegistry.start(directory, s3);
        this.load = new RegistryLoad(registry.uri());
    }

    @Override
    public void push(ImageSet.Image image) throws IOException, InterruptedException {
        double unused = load.push(new ImageSet(List.of(image), 0));
    }

    private Path unpacked(ImageSet.Image image, int layer) {
        return directory.resolve("unpacked").resolve(image.name()).resolve(Integer.toString(layer));
    }

    @Override
    public void pull(ImageSet.Image image) throws IOException, InterruptedException {
        for (int i = 0; i < image.layers().size(); i++) {
            Path tar = directory.resolve("pulled.tar");
            load.download(image, image.layers().get(i), tar);
            Path to = Files.createDirectories(unpacked(image, i));
            Programs.run(
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
        List<String> lower = new ArrayList<>();
        for (int i = image.layers().size() - 1; i >= 0; i--) {
            lower.add(unpacked(image, i).toString());
        }
        Path container = directory.resolve("container-" + containers++);
        Path upper = Files.createDirectories(container.resolve("upper"));
        Path work = Files.createDirectories(container.resolve("work"));
        Path root = Files.createDirectories(container.resolve("root"));
        String options = "lowerdir=%s,upperdir=%s,workdir=%s".formatted(String.join(":", lower), upper, work);
        Programs.run(directory, List.of("mount", "-t", "overlay", "overlay", "-o", options, root.toString()));
        mounted = Optional.of(root);
        return root;
    }

    @Override
    public void stop() throws IOException, InterruptedException {
        if (mounted.isPresent()) {
            Programs.run(directory, List.of("umount", mounted.get().toString()));
            mounted = Optional.empty();
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        try (registry) {
            stop();
        }
    }
}
