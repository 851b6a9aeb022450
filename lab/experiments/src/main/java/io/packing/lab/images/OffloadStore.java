// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import com.google.common.hash.Hashing;
import com.google.common.hash.HashingInputStream;
import com.google.common.io.ByteStreams;
import io.packing.registry.dedup.ClientFileList;
import io.packing.registry.dedup.ClientFiles;
import io.packing.registry.oci.Digest;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** The files of a client's layers in a directory, each once, for several pulls at a time. Thread-safe. */
final class OffloadStore implements ClientFiles {
    private final Path directory;
    private final Queue<ClientFileList.Layer> layers = new ConcurrentLinkedQueue<>();
    private final AtomicLong scratches = new AtomicLong();

    private OffloadStore(Path directory) {
        this.directory = directory;
    }

    /** Makes an empty store in a directory. */
    static OffloadStore create(Path directory) throws IOException {
        OffloadStore store = new OffloadStore(directory);
        Files.createDirectories(store.files());
        Files.createDirectories(directory.resolve("layers"));
        Files.createDirectories(directory.resolve("incoming"));
        return store;
    }

    private Path files() {
        return directory.resolve("files");
    }

    private Path file(String hex) {
        return files().resolve(hex);
    }

    /** Returns the path of a file that has no name yet. */
    Path scratch() {
        return directory.resolve("incoming").resolve(Long.toString(scratches.incrementAndGet()));
    }

    @Override
    public boolean has(String hex) {
        return Files.exists(file(hex));
    }

    @Override
    public InputStream open(String hex) throws IOException {
        return Files.newInputStream(file(hex));
    }

    @Override
    public void store(String hex, InputStream bytes, long length) throws IOException {
        String is = put(bytes, length);
        if (!is.equals(hex)) {
            throw new IOException("a file that should be %s came as %s".formatted(hex, is));
        }
    }

    /** Stores a file unless it is there, and returns its SHA-256. */
    String put(InputStream bytes, long length) throws IOException {
        Path scratch = scratch();
        HashingInputStream hashed = new HashingInputStream(Hashing.sha256(), ByteStreams.limit(bytes, length));
        long stored = Files.copy(hashed, scratch);
        if (stored < length) {
            throw new EOFException("a file of %,d bytes ended %,d early".formatted(length, length - stored));
        }
        String hex = hashed.hash().toString();
        if (has(hex)) {
            Files.delete(scratch);
        } else {
            Files.move(scratch, file(hex), StandardCopyOption.ATOMIC_MOVE);
        }
        return hex;
    }

    /** Keeps the description of a layer whose files are all here. */
    void keep(String repository, Digest layer, Path description) throws IOException {
        Files.move(description, directory.resolve("layers").resolve(layer.hex()), StandardCopyOption.ATOMIC_MOVE);
        layers.add(new ClientFileList.Layer(repository, layer));
    }

    /** Returns the list of all files here, for a registry. */
    ClientFileList held() {
        return new ClientFileList(List.copyOf(layers), List.of());
    }

    /** Returns the hash of the names of all files, which are the hashes of their bytes. */
    String names() throws IOException {
        try (Stream<Path> all = Files.list(files())) {
            return Hashing.sha256()
                    .hashString(
                            String.join(
                                    "\n",
                                    all.map(each -> each.getFileName().toString())
                                            .sorted()
                                            .toList()),
                            StandardCharsets.US_ASCII)
                    .toString();
        }
    }

    /** Returns the bytes of all files. */
    long bytes() throws IOException {
        long bytes = 0;
        try (Stream<Path> all = Files.list(files())) {
            for (Path each : all.toList()) {
                bytes += Files.size(each);
            }
        }
        return bytes;
    }
}
