// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.pull;

import io.packing.durable.DirectoryLock;
import io.packing.registry.dedup.ClientFileList;
import io.packing.registry.dedup.ClientFiles;
import io.packing.registry.oci.Digest;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files of pulled layers in a directory, each once: {@code files/HH/HEX}, and for each layer {@code layers/ALG-HEX/recipe} and {@code
 * layers/ALG-HEX/repository}. One process at a time has it. Confined to one thread.
 */
public final class PulledFiles implements ClientFiles, AutoCloseable {
    private static final String RECIPE = "recipe";
    private static final String REPOSITORY = "repository";
    private static final int BUFFER = 64 << 10;

    private final Path directory;
    private final DirectoryLock lock;
    private long stored;

    private PulledFiles(Path directory, DirectoryLock lock) {
        this.directory = directory;
        this.lock = lock;
    }

    /** Opens the files in a directory, which is made if it is not there. */
    public static PulledFiles open(Path directory) throws IOException {
        Files.createDirectories(directory.resolve("files"));
        PulledFiles files = new PulledFiles(directory, DirectoryLock.acquire(directory, "pull.lock"));
        Files.createDirectories(files.layers());
        // Of a pull that did not end.
        Files.deleteIfExists(files.scratch());
        Files.deleteIfExists(files.recipeScratch());
        return files;
    }

    /** Returns the path of a file that has no name yet. */
    Path scratch() {
        return directory.resolve("incoming");
    }

    /** Returns the path of a recipe before its layer is proved. */
    Path recipeScratch() {
        return directory.resolve("incoming.recipe");
    }

    private Path files(String hex) {
        return directory.resolve("files").resolve(hex.substring(0, 2));
    }

    private Path file(String hex) {
        return files(hex).resolve(hex);
    }

    private Path layers() {
        return directory.resolve("layers");
    }

    private Path layer(Digest digest) {
        return layers().resolve(digest.algorithm().text() + "-" + digest.hex());
    }

    @Override
    public boolean has(String hex) {
        return Files.exists(file(hex));
    }

    @Override
    public InputStream open(String hex) throws IOException {
        return Files.newInputStream(file(hex));
    }

    /** Bytes of files that were stored since this was opened. */
    long stored() {
        return stored;
    }

    @Override
    public void store(String hex, InputStream bytes, long length) throws IOException {
        MessageDigest hasher = Digest.Algorithm.SHA256.hasher();
        byte[] buffer = new byte[BUFFER];
        try (OutputStream out = Files.newOutputStream(scratch())) {
            for (long left = length; left > 0; ) {
                int n = bytes.read(buffer, 0, (int) Math.min(BUFFER, left));
                if (n < 0) {
                    throw new EOFException("a file of %,d bytes ended %,d early".formatted(length, left));
                }
                hasher.update(buffer, 0, n);
                out.write(buffer, 0, n);
                left -= n;
            }
        }
        String is = HexFormat.of().formatHex(hasher.digest());
        if (!is.equals(hex)) {
            throw new IOException("a file that should be %s came as %s".formatted(hex, is));
        }
        Files.createDirectories(files(hex));
        Files.move(scratch(), file(hex), StandardCopyOption.ATOMIC_MOVE);
        stored += length;
    }

    /** Takes files away whose bytes are not those of their names. */
    void dropDamaged(Iterable<String> hexes) throws IOException {
        byte[] buffer = new byte[BUFFER];
        for (String hex : hexes) {
            MessageDigest hasher = Digest.Algorithm.SHA256.hasher();
            try (InputStream in = open(hex)) {
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    hasher.update(buffer, 0, n);
                }
            } catch (NoSuchFileException e) {
                continue;
            }
            if (!HexFormat.of().formatHex(hasher.digest()).equals(hex)) {
                Files.delete(file(hex));
            }
        }
    }

    /** Returns the recipe of a layer that was pulled before. */
    Optional<Path> recipe(Digest layer) {
        Path recipe = layer(layer).resolve(RECIPE);
        return Files.exists(recipe) ? Optional.of(recipe) : Optional.empty();
    }

    /** Keeps the recipe of a layer whose files are all here. */
    void keep(Digest layer, String repository, Path recipe) throws IOException {
        Path place = Files.createDirectories(layer(layer));
        Files.writeString(place.resolve(REPOSITORY), repository, StandardCharsets.US_ASCII);
        // Last: without it the layer is not here.
        Files.move(recipe, place.resolve(RECIPE), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Returns the list of all files here, for a registry. */
    ClientFileList held() throws IOException {
        List<ClientFileList.Layer> layers = new ArrayList<>();
        try (Stream<Path> all = Files.list(layers())) {
            for (Path each : all.sorted().toList()) {
                String[] name = layers().relativize(each).toString().split("-", 2);
                Optional<Digest.Algorithm> algorithm = Digest.Algorithm.named(name[0]);
                if (name.length == 2 && algorithm.isPresent() && Files.exists(each.resolve(RECIPE))) {
                    layers.add(new ClientFileList.Layer(
                            Files.readString(each.resolve(REPOSITORY), StandardCharsets.US_ASCII),
                            new Digest(algorithm.get(), name[1])));
                }
            }
        }
        return new ClientFileList(layers, List.of());
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
