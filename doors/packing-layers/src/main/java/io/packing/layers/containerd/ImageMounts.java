// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.containerd;

import io.packing.durable.DurableDirectory;
import io.packing.durable.OwnerOnly;
import io.packing.fuse.mount.KernelMountTable;
import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The metadata images of this machine, a directory for each chain with the image, under its SHA-256, and its mount. An image is
 * compared with its name before each mount: the kernel trusts what it mounts. Mounts outlive this process. Confined to one thread.
 */
final class ImageMounts {
    private static final Logger LOG = LoggerFactory.getLogger(ImageMounts.class);
    private static final String SUFFIX = ".erofs";
    private static final String NAME = "[0-9a-f]{64}\\.erofs";
    private static final String PART = "part";
    private static final String TREE = "tree";

    private final Path directory;

    /** @param directory of images of one form */
    ImageMounts(Path directory) {
        this.directory = directory;
    }

    /** The bytes of an image from elsewhere. */
    interface Source {
        /** Returns the SHA-256 of the image in hexadecimal digits; empty: there is none. */
        Optional<String> sha256() throws IOException;

        /** Writes the bytes, which may be damaged. */
        void copy(OutputStream to) throws IOException;

        /** Receives that the bytes differ from their hash. */
        void isDamaged() throws IOException;
    }

    private Path of(Digest chain) {
        return directory.resolve(chain.hex());
    }

    /**
     * Mounts the image of a chain, unless it is mounted; returns its directory. Empty: there is no such image, or it is damaged.
     *
     * @throws IOException when the kernel refuses the mount, or the source does not answer
     */
    Optional<Path> mount(Digest chain, Source source) throws IOException, InterruptedException {
        Path at = of(chain).resolve(TREE);
        if (KernelMounts.isImageAt(at)) {
            return Optional.of(at);
        }
        Optional<Path> image = sound(chain);
        if (image.isEmpty()) {
            image = fetch(chain, source);
        }
        if (image.isEmpty()) {
            return Optional.empty();
        }
        Path unused = OwnerOnly.directory(at);
        KernelMounts.image(image.get(), at);
        return Optional.of(at);
    }

    /** Returns the image that this machine has; a damaged one is deleted. */
    private Optional<Path> sound(Digest chain) throws IOException {
        for (Path file : files(of(chain))) {
            String name = file.getFileName().toString();
            if (name.matches(NAME)) {
                if (sum(file).equals(name.substring(0, name.length() - SUFFIX.length()))) {
                    return Optional.of(file);
                }
                LOG.warn("{} does not have the bytes of its name any more: it is deleted, and fetched again", file);
                Files.delete(file);
            }
        }
        return Optional.empty();
    }

    private Optional<Path> fetch(Digest chain, Source source) throws IOException {
        Optional<String> expected = source.sha256();
        if (expected.isEmpty()) {
            return Optional.empty();
        }
        Path home = DurableDirectory.create(of(chain));
        Path part = home.resolve(PART);
        MessageDigest hasher = Digest.Algorithm.SHA256.hasher();
        try (FileChannel channel = OwnerOnly.open(
                part, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            // Summed on its way: a second pass took a young process longer than the rest of the start.
            source.copy(new DigestOutputStream(Channels.newOutputStream(channel), hasher));
        }
        if (!Digest.Algorithm.SHA256.of(hasher).hex().equals(expected.get())) {
            Files.delete(part);
            source.isDamaged();
            return Optional.empty();
        }
        // Not synced: a file that a power loss damages differs from its name.
        Path image = home.resolve(expected.get() + SUFFIX);
        return Optional.of(Files.move(part, image, StandardCopyOption.ATOMIC_MOVE));
    }

    private static String sum(Path file) throws IOException {
        MessageDigest hasher = Digest.Algorithm.SHA256.hasher();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), hasher)) {
            long unused = in.transferTo(OutputStream.nullOutputStream());
        }
        return Digest.Algorithm.SHA256.of(hasher).hex();
    }

    private static List<Path> files(Path home) throws IOException {
        List<Path> files = new ArrayList<>();
        if (Files.isDirectory(home)) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(home)) {
                entries.forEach(files::add);
            }
        }
        return files;
    }

    /** Unmounts and deletes the images of all other chains. Containers that have such a mount below their overlay keep it. */
    void keepOnly(Set<Digest> chains) throws IOException, InterruptedException {
        Set<String> kept = Set.copyOf(chains.stream().map(Digest::hex).toList());
        for (Path home : files(directory)) {
            if (!kept.contains(home.getFileName().toString())) {
                KernelMountTable.unmount(home.resolve(TREE));
                for (Path each : files(home)) {
                    Files.delete(each);
                }
                Files.delete(home);
            }
        }
    }
}
