// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Images that are pushed and pulled.
 *
 * @param images in the order in which they are pushed
 * @param distinctFileBytes bytes of the different contents of all files in the layers
 */
public record ImageSet(List<Image> images, long distinctFileBytes) {
    private static final int WARM_UP_FILES = 64;
    private static final int WARM_UP_LARGEST = 1 << 20;

    /**
     * A blob in a file.
     *
     * @param digest with its algorithm
     */
    public record Blob(String digest, Path file, long size) {}

    /**
     * An image of one repository.
     *
     * @param gzipped whether its layers are
     */
    public record Image(String name, Blob config, List<Blob> layers, boolean gzipped) {
        public Image {
            layers = List.copyOf(layers);
        }

        /** An image of tars. */
        public Image(String name, Blob config, List<Blob> layers) {
            this(name, config, layers, false);
        }

        byte[] manifest() {
            List<String> descriptors = layers.stream()
                    .map(layer ->
                            descriptor("application/vnd.oci.image.layer.v1.tar" + (gzipped ? "+gzip" : ""), layer))
                    .toList();
            return "{\"schemaVersion\":2,\"mediaType\":\"%s\",\"config\":%s,\"layers\":[%s]}"
                    .formatted(
                            RegistryLoad.MANIFEST,
                            descriptor("application/vnd.oci.image.config.v1+json", config),
                            String.join(",", descriptors))
                    .getBytes(StandardCharsets.UTF_8);
        }

        private static String descriptor(String mediaType, Blob blob) {
            return "{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":%d}"
                    .formatted(mediaType, blob.digest(), blob.size());
        }
    }

    public ImageSet {
        images = List.copyOf(images);
    }

    /** The different layers. */
    Set<Blob> layers() {
        Set<Blob> layers = new LinkedHashSet<>();
        images.forEach(image -> layers.addAll(image.layers()));
        return layers;
    }

    /** Returns the images with gzipped layers, as stock clients push them. As many are compressed at a time as there are processors. */
    ImageSet gzip() throws IOException, InterruptedException {
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        Map<Blob, Future<Blob>> coming = new HashMap<>();
        Map<Blob, Blob> gzipped = new HashMap<>();
        try {
            for (Blob layer : layers()) {
                coming.put(layer, threads.submit(() -> gzip(layer)));
            }
            for (Map.Entry<Blob, Future<Blob>> each : coming.entrySet()) {
                gzipped.put(each.getKey(), each.getValue().get());
            }
        } catch (ExecutionException e) {
            throw new IOException("a layer cannot be compressed", e.getCause());
        } finally {
            threads.shutdownNow();
        }
        List<Image> all = new ArrayList<>();
        for (Image image : images) {
            List<Blob> layers = new ArrayList<>();
            image.layers().forEach(layer -> layers.add(Objects.requireNonNull(gzipped.get(layer))));
            all.add(new Image(image.name(), image.config(), layers, true));
        }
        return new ImageSet(all, distinctFileBytes);
    }

    /** Returns a layer compressed, beside its tar. */
    static Blob gzip(Blob layer) throws IOException, InterruptedException {
        Path tar = layer.file();
        Path directory = Objects.requireNonNull(tar.toAbsolutePath().getParent());
        HostPrograms.run(directory, List.of("gzip", "--keep", "--no-name", "--force", tar.toString()));
        return blob(tar.resolveSibling(tar.getFileName() + ".gz"));
    }

    /** A layer of all that is below a directory, the same for the same files. */
    static Blob tar(Path directory, String name, Path root) throws IOException, InterruptedException {
        Path tar = directory.resolve(name + ".tar");
        HostPrograms.run(
                directory,
                List.of(
                        "tar",
                        "--create",
                        "--sort=name",
                        "--numeric-owner",
                        "--owner=0",
                        "--group=0",
                        "--file",
                        tar.toString(),
                        "--directory",
                        root.toString(),
                        "."));
        return blob(tar);
    }

    /** A blob of a file. */
    static Blob blob(Path file) throws IOException {
        Hasher hasher = Hashing.sha256().newHasher();
        byte[] buffer = new byte[1 << 18];
        try (InputStream in = Files.newInputStream(file)) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                hasher.putBytes(buffer, 0, n);
            }
        }
        return new Blob("sha256:" + hasher.hash(), file, Files.size(file));
    }

    /** An image of layers, with a configuration of its own. */
    static Image image(Path directory, String name, List<Blob> layers) throws IOException {
        List<String> diffs = new ArrayList<>();
        layers.forEach(layer -> diffs.add('"' + layer.digest() + '"'));
        Path config = directory.resolve(name + ".json");
        Files.writeString(
                config,
                "{\"architecture\":\"amd64\",\"os\":\"linux\",\"author\":\"%s\",\"rootfs\":{\"type\":\"layers\",\"diff_ids\":[%s]}}"
                        .formatted(name, String.join(",", diffs)));
        return new Image(name, blob(config), layers);
    }

    /** An image of random files, by which both sides come up to speed before the clock runs. */
    static ImageSet warmUp(Path directory) throws IOException, InterruptedException {
        Path root = Files.createDirectories(directory.resolve("warm-up"));
        SplittableRandom random = new SplittableRandom(1);
        long all = 0;
        for (int i = 0; i < WARM_UP_FILES; i++) {
            byte[] bytes = new byte[1 + random.nextInt(WARM_UP_LARGEST)];
            random.nextBytes(bytes);
            Files.write(root.resolve("file-" + i), bytes);
            all += bytes.length;
        }
        Path tar = directory.resolve("warm-up.tar");
        HostPrograms.run(directory, List.of("tar", "--create", "--sort=name", "--file", tar.toString(), "warm-up"));
        return new ImageSet(List.of(image(directory, "warm-up", List.of(blob(tar)))), all);
    }
}
