// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.erofs;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Writer of an EROFS image of a tree. A file whose bytes are in a directory of contents is a hole that overlayfs redirects to
 * {@link ImageFile#contentPath}. Equal trees have equal images.
 *
 * <pre>
 * block 0       0:1024 zero, 1024:1152 superblock
 * from block 1  inodes, each with its extended attributes and its inline tail
 * behind them   blocks of directories, and of bytes that fit behind no inode
 * </pre>
 */
public final class MetadataImage {
    static final int BLOCK_BITS = 12;
    static final int BLOCK = 1 << BLOCK_BITS;

    // Superblock, 128 bytes at 1024, little-endian.
    //   0:4  magic; 4:8 CRC32C of the block from 1024; 8:12 compatible features; 12:13 bits of a block.
    //  14:16 number of the root; 16:24 inodes; 36:40 blocks; 40:44 first block of the inodes.
    //  80:84 features that a reader must know. The rest is 0.
    private static final int SUPERBLOCK_AT = 1024;
    private static final int MAGIC = 0xE0F5E1E2;
    private static final int CHECKSUM_AT = 4;
    private static final int BLOCKS_AT = 36;
    private static final int MUST_KNOW_AT = 80;
    private static final int HAS_CHECKSUM = 1;
    private static final int HAS_TIMES = 2;
    private static final int HAS_CHUNKS = 4;
    private static final int INODES_BLOCK = 1;
    private static final long MOST_BLOCKS = Integer.MAX_VALUE;

    private MetadataImage() {}

    /** Writes the image of a tree. The caller closes the stream. */
    public static void write(ImageDirectory root, OutputStream to) throws IOException {
        ErofsLayout layout = new ErofsLayout(root);
        long blocks = INODES_BLOCK + (layout.length() + BLOCK - 1) / BLOCK;
        for (ErofsInode inode : layout.inodes()) {
            if (inode.blocks() > 0) {
                inode.at(checkedBlock(blocks));
                blocks += inode.blocks();
            }
        }
        OutputStream out = new BufferedOutputStream(to, 1 << 16);
        out.write(new byte[SUPERBLOCK_AT]);
        out.write(superblock(layout, checkedBlock(blocks)));
        long written = 0;
        for (ErofsInode inode : layout.inodes()) {
            pad(out, inode.position - written);
            out.write(inode.encode());
            written = inode.position + inode.length();
        }
        pad(out, -written & (BLOCK - 1));
        for (ErofsInode inode : layout.inodes()) {
            if (inode.blocks() > 0) {
                byte[] data = inode.data();
                int length = Math.min(data.length, inode.blocks() * BLOCK);
                out.write(data, 0, length);
                pad(out, -length & (BLOCK - 1));
            }
        }
        out.flush();
    }

    private static int checkedBlock(long block) {
        if (block > MOST_BLOCKS) {
            throw new IllegalArgumentException("an image of %,d blocks, at most %,d".formatted(block, MOST_BLOCKS));
        }
        return (int) block;
    }

    private static void pad(OutputStream out, long zeros) throws IOException {
        out.write(new byte[(int) zeros]);
    }

    /** Returns block 0 from the superblock on. */
    private static byte[] superblock(ErofsLayout layout, int blocks) {
        ByteBuffer out = ByteBuffer.allocate(BLOCK - SUPERBLOCK_AT).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(MAGIC)
                .putInt(0)
                .putInt(HAS_CHECKSUM | HAS_TIMES)
                .put((byte) BLOCK_BITS)
                .put((byte) 0)
                .putShort((short) layout.inodes().get(0).nid())
                .putLong(layout.inodes().size())
                .putInt(BLOCKS_AT, blocks)
                .putInt(BLOCKS_AT + Integer.BYTES, INODES_BLOCK)
                .putInt(MUST_KNOW_AT, HAS_CHUNKS);
        CRC32C checksum = new CRC32C();
        checksum.update(out.array());
        // The kernel does not invert the sum at its end.
        return out.putInt(CHECKSUM_AT, ~(int) checksum.getValue()).array();
    }
}
