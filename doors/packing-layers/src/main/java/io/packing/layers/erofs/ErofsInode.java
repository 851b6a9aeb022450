// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.erofs;

import io.packing.fuse.Mode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A node with its place in an image. Behind the inode stand its extended attributes, then the map of chunks or the inline tail.
 * Confined to one thread.
 */
final class ErofsInode {
    // Extended form, 64 bytes, little-endian.
    //  0:2  form: bit 0 extended, bits 1 to 3 layout of the data; 2:4 units of extended attributes.
    //  4:6  mode;  8:16 size;  16:20 first block, device number, or form of chunks;  20:24 inode number.
    // 24:28 owner; 28:32 group; 32:40 seconds of the time; 40:44 nanoseconds; 44:48 links. The rest is 0.
    static final int SIZE = 64;
    /** The number of an inode is its position in units of so many bytes. */
    static final int SLOT = 32;

    private static final int EXTENDED_FORM = 1;
    private static final int PLAIN = 0;
    private static final int INLINE_TAIL = 2;
    private static final int CHUNKS = 4;
    /** The largest chunk is so many bits larger than a block. */
    private static final int MOST_CHUNK_BITS = 31;
    /** A chunk or a first block that is not there. */
    static final int NO_BLOCK = -1;

    final ImageNode node;
    final byte[] extended;
    /** The entries of a directory; null for others. */
    final @Nullable DirectoryBlocks directory;
    /** From the start of the metadata. */
    final long position;
    /** From 1, in the order of positions. */
    final int number;

    private final int dataLength;
    private int links;
    private int firstBlock = NO_BLOCK;

    ErofsInode(ImageNode node, @Nullable DirectoryBlocks directory, long end, int number) {
        this.node = node;
        this.directory = directory;
        this.extended = ExtendedEntries.encode(node.extended());
        this.number = number;
        this.dataLength = directory != null
                ? directory.length()
                : file().map(f -> f.bytes().length).orElse(0);
        this.position = place(end);
    }

    private Optional<ImageFile> file() {
        return node instanceof ImageFile file ? Optional.of(file) : Optional.empty();
    }

    /** Returns the first place behind others where the inode and what follows it are in one block, if a block has room. */
    private long place(long end) {
        long at = (end + SLOT - 1) / SLOT * SLOT;
        int room = MetadataImage.BLOCK - (int) (at % MetadataImage.BLOCK);
        return length() > room ? at + room : at;
    }

    long nid() {
        return position / SLOT;
    }

    boolean isDirectory() {
        return directory != null;
    }

    private boolean isContent() {
        return file().map(ImageFile::isContent).orElse(false);
    }

    private int withoutTail() {
        return SIZE + extended.length + (isContent() ? Integer.BYTES : 0);
    }

    private int tail() {
        return dataLength % MetadataImage.BLOCK;
    }

    private boolean hasInlineTail() {
        return tail() > 0 && withoutTail() + tail() <= MetadataImage.BLOCK;
    }

    /** Returns the bytes of the inode with what follows it. */
    int length() {
        return withoutTail() + (hasInlineTail() ? tail() : 0);
    }

    /** Returns how many blocks of data the inode has elsewhere. */
    int blocks() {
        int whole = dataLength / MetadataImage.BLOCK;
        return tail() > 0 && !hasInlineTail() ? whole + 1 : whole;
    }

    /** Gives the inode the blocks of its data. */
    void at(int block) {
        firstBlock = block;
    }

    /** Counts one name more. */
    void link() {
        links++;
    }

    /** Returns all data of a directory or of a file in the image. */
    byte[] data() {
        return directory != null
                ? directory.encode()
                : file().map(ImageFile::bytes).orElse(new byte[0]);
    }

    /** Returns the inode with what follows it. */
    byte[] encode() {
        ImageAttributes has = node.attributes();
        Instant modified = has.modified();
        long seconds = modified.getEpochSecond();
        int nanos = modified.getNano();
        long size =
                directory != null ? dataLength : file().map(ImageFile::length).orElse(0L);
        ByteBuffer out = ByteBuffer.allocate(length()).order(ByteOrder.LITTLE_ENDIAN);
        int layout = isContent() ? CHUNKS : hasInlineTail() ? INLINE_TAIL : PLAIN;
        out.putShort((short) (EXTENDED_FORM | (layout << 1)))
                .putShort((short) ExtendedEntries.units(extended.length))
                .putShort((short) (node.type() | has.permissions()))
                .putShort((short) 0)
                .putLong(size)
                .putInt(union(size))
                .putInt(number)
                .putInt((int) has.uid())
                .putInt((int) has.gid())
                .putLong(seconds)
                .putInt(nanos)
                .putInt(links)
                .position(SIZE);
        out.put(extended);
        if (isContent()) {
            out.putInt(NO_BLOCK);
        }
        if (hasInlineTail()) {
            out.put(data(), dataLength - tail(), tail());
        }
        return out.array();
    }

    private int union(long size) {
        if (isContent()) {
            // One hole for the whole file.
            int bits = Long.SIZE - Long.numberOfLeadingZeros(size - 1) - MetadataImage.BLOCK_BITS;
            return Math.max(0, Math.min(MOST_CHUNK_BITS, bits));
        }
        int type = node.type();
        return type == Mode.BLOCK_DEVICE || type == Mode.CHARACTER_DEVICE
                ? file().map(ImageFile::device).orElse(0)
                : firstBlock;
    }
}
