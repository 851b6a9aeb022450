// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.RareAttributes;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.fuse.Mode;
import io.packing.fuse.posix.owner.OwnerMap;
import io.packing.fuse.posix.owner.Owners;
import io.packing.layers.erofs.ImageAttributes;
import io.packing.layers.erofs.ImageDirectory;
import io.packing.layers.erofs.ImageFile;
import io.packing.layers.erofs.ImageNode;
import io.packing.layers.erofs.MetadataImage;
import io.packing.layers.tree.ExtendedAttributes;
import io.packing.layers.tree.LayerException;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.Tree;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * A merged tree of a registry as a metadata image. Short files are in the image. Each other file leads to its own path in a directory
 * that shows the tree, so that overlayfs joins the two. Confined to one thread.
 */
final class TreeImage {
    /** Longer files are not in the image: at 2 KB, an image takes half a kilobyte for each inode of a distribution. */
    static final int MOST_INLINE_BYTES = 2 << 10;

    /** The nodes of an image are in memory until it is written. */
    private static final int MOST_ENTRIES = 500_000;

    /** The bytes of short files and targets in an image; further files are not in it. */
    private static final long MOST_HELD_BYTES = 64L << 20;

    private static final int MOST_TARGET_BYTES = 4_095;

    private final RegistryFiles files;
    private final Tree trees;
    private final FilePath root;
    private final Owners users = Owners.users(OwnerMap.TREES, () -> 0);
    private final Owners groups = Owners.groups(OwnerMap.TREES, () -> 0);
    /** The files that have several names. */
    private final Map<Linked, ImageNode> linked = new HashMap<>();

    private int entries;
    private long held;

    /** The identity of a file with several names. */
    private record Linked(long id, long cloneId) {}

    private TreeImage(RegistryFiles files, Tree trees, FilePath root) {
        this.files = files;
        this.trees = trees;
        this.root = root;
    }

    /**
     * Writes the image of a tree. The caller closes the stream.
     *
     * @throws LayerException when the tree cannot be an image, with the reason
     */
    static void write(RegistryFiles files, Tree trees, FilePath root, OutputStream to) throws IOException {
        TreeImage reading = new TreeImage(files, trees, root);
        FileStatus status = files.stat(root).orElseThrow(() -> new IOException(root + " is gone"));
        try {
            MetadataImage.write(reading.directory(status), to);
        } catch (IllegalArgumentException e) {
            // The format is narrower than the table: names of attributes, lengths of paths.
            throw new LayerException(String.valueOf(e.getMessage()));
        }
    }

    private ImageDirectory directory(FileStatus status) throws IOException {
        ImageDirectory directory = new ImageDirectory(attributes(status));
        trees.each(status.path(), entry -> {
            entries++;
            if (entries > MOST_ENTRIES) {
                throw LayerException.overLimit("more than %,d entries".formatted(MOST_ENTRIES));
            }
            directory.add(entry.path().name(), entry.isDirectory() ? directory(entry) : linkedFile(entry));
        });
        return directory;
    }

    private ImageNode linkedFile(FileStatus status) throws IOException {
        if (!status.extras().isLinked()) {
            return file(status);
        }
        Linked identity = new Linked(status.version().id(), status.cloneId());
        ImageNode first = linked.get(identity);
        if (first == null) {
            first = file(status);
            linked.put(identity, first);
        }
        return first;
    }

    private ImageFile file(FileStatus status) throws IOException {
        ImageAttributes has = attributes(status);
        int type = status.attributes().mode() & FileAttributes.TYPE;
        return switch (type) {
            case Mode.SYMLINK -> ImageFile.ofLink(has, bytes(status));
            case Mode.FIFO -> ImageFile.ofFifo(has);
            case Mode.SOCKET -> ImageFile.ofSocket(has);
            case Mode.CHARACTER_DEVICE -> {
                int device = device(status);
                yield ImageFile.ofCharacterDevice(has, major(device), minor(device));
            }
            case Mode.BLOCK_DEVICE -> {
                int device = device(status);
                yield ImageFile.ofBlockDevice(has, major(device), minor(device));
            }
            default -> regular(status, has);
        };
    }

    private ImageFile regular(FileStatus status, ImageAttributes has) throws IOException {
        long length = status.attributes().length();
        // A lost file keeps its name, and its readers get an error as elsewhere.
        boolean isInline = length <= MOST_INLINE_BYTES
                && held + length <= MOST_HELD_BYTES
                && (length == 0 || status.state() != FileStatus.State.LOST);
        if (isInline) {
            held += length;
            return ImageFile.ofBytes(has, length == 0 ? new byte[0] : bytes(status));
        }
        return ImageFile.ofPath(
                has, new FilePath(status.path().value().substring(root.value().length())), length);
    }

    private byte[] bytes(FileStatus status) throws IOException {
        return FileBytes.all(files.open(status.path()), MOST_TARGET_BYTES);
    }

    /** Returns the number of a device as the kernel packs it. */
    private int device(FileStatus status) throws IOException {
        String text = new String(bytes(status), StandardCharsets.US_ASCII);
        return text.isEmpty() ? 0 : Integer.parseUnsignedInt(text);
    }

    private static int major(int device) {
        return (device >>> 8) & 0xfff;
    }

    private static int minor(int device) {
        return (device & 0xff) | ((device >>> 12) & 0xfff00);
    }

    private ImageAttributes attributes(FileStatus status) throws IOException {
        FileAttributes has = status.attributes();
        Map<String, ExtendedValue> extended = status.extras().hasExtended()
                ? ExtendedAttributes.own(files.extended(status.path()).orElse(Map.of()))
                : Map.of();
        // The time of a tree's root is that of its making. Equal trees are to have equal images, and a container shows
        // its upper directory's.
        boolean isRoot = status.path().equals(root);
        return new ImageAttributes(
                has.permissions(),
                Integer.toUnsignedLong(users.number(has.owner())),
                Integer.toUnsignedLong(groups.number(has.group())),
                isRoot
                        ? Instant.EPOCH
                        : RareAttributes.time(has.mtimeMillis(), status.extras().nanos()),
                extended);
    }
}
