// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.containerd;

import io.packing.blob.FilePath;
import io.packing.durable.OwnerOnly;
import io.packing.fuse.mount.KernelMountTable;
import io.packing.layers.erofs.ImageAttributes;
import io.packing.layers.erofs.ImageDirectory;
import io.packing.layers.erofs.ImageFile;
import io.packing.layers.erofs.MetadataImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A trial of roots by the kernel: an image of one file is mounted, and joined by an overlay with a directory that has the file's bytes.
 * Lists of file systems do not answer whether that works, since a kernel loads modules when they are asked for.
 */
public final class KernelRoots {
    private static final Path KNOWN = Path.of("/proc/filesystems");
    private static final Path LOOP = Path.of("/dev/loop-control");
    private static final String BYTES = "bytes of the lower layer\n";
    private static final String FILE = "file";

    private KernelRoots() {}

    /**
     * Tries it in a scratch directory.
     *
     * @return the reason why containers get their files by FUSE alone; empty: it works
     */
    public static Optional<String> whyNot(Path scratch) throws IOException, InterruptedException {
        Path home = OwnerOnly.directory(scratch);
        Path contents = Files.createDirectories(home.resolve("contents"));
        Path image = home.resolve("image");
        Path metadata = Files.createDirectories(home.resolve("metadata"));
        Path joined = Files.createDirectories(home.resolve("joined"));
        try {
            Files.writeString(contents.resolve(FILE), BYTES);
            write(image);
            return tried(image, metadata, contents, joined);
        } finally {
            KernelMountTable.unmount(joined);
            KernelMountTable.unmount(metadata);
            Files.deleteIfExists(image);
            Files.deleteIfExists(contents.resolve(FILE));
            for (Path each : new Path[] {contents, metadata, joined, home}) {
                Files.deleteIfExists(each);
            }
        }
    }

    private static void write(Path image) throws IOException {
        ImageAttributes attributes = new ImageAttributes(0755, 0, 0, Instant.EPOCH, Map.of());
        ImageDirectory root = new ImageDirectory(attributes);
        root.add(
                FILE,
                ImageFile.ofPath(attributes, new FilePath("/" + FILE), BYTES.getBytes(StandardCharsets.UTF_8).length));
        try (OutputStream out = Files.newOutputStream(image)) {
            MetadataImage.write(root, out);
        }
    }

    private static Optional<String> tried(Path image, Path metadata, Path contents, Path joined)
            throws IOException, InterruptedException {
        try {
            KernelMounts.image(image, metadata);
        } catch (IOException e) {
            return Optional.of(whyNoImage(e));
        }
        try {
            KernelMounts.overlay(new ChainRoot(contents, Optional.of(metadata)), joined);
        } catch (IOException e) {
            return Optional.of("overlayfs here has no data-only layers, which Linux has since 6.5 (this is %s): %s"
                    .formatted(System.getProperty("os.version"), e.getMessage()));
        }
        String read = Files.readString(joined.resolve(FILE));
        return read.equals(BYTES)
                ? Optional.empty()
                : Optional.of("overlayfs shows wrong bytes of a file in a data-only layer");
    }

    private static String whyNoImage(IOException failure) throws IOException {
        if (!Files.readString(KNOWN).contains("\terofs\n")) {
            return "the kernel has no EROFS: load its module, or take a kernel with CONFIG_EROFS_FS (%s)"
                    .formatted(failure.getMessage());
        }
        if (Files.notExists(LOOP)) {
            return "the kernel has EROFS, and no loop devices to mount an image: load the module loop (%s)"
                    .formatted(failure.getMessage());
        }
        return "an EROFS image cannot be mounted: " + failure.getMessage();
    }
}
