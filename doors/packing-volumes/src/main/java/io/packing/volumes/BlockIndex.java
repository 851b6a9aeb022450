// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * A bounded index of blocks by hashes of their bytes: 16 bytes of memory for a block. A hash is a hint, since users of the index compare the
 * bytes. A set of eight places forgets its oldest block for a new one. Thread-safe.
 */
final class BlockIndex {
    /** The length of a block, and the multiple that its offset is. */
    static final int BLOCK = 4 << 10;

    /** The block was seen, and the map does not have it yet. */
    static final long UNMAPPED = 0;

    private static final int WAYS = 8;
    private static final int FILE_SHIFT = 48;
    private static final long NUMBER_MASK = (1L << FILE_SHIFT) - 1;

    private final long[] hashes;
    private final long[] places;
    /** The way of each set that is replaced next. */
    private final byte[] next;

    /** @param blocks that it knows at most, rounded up to a multiple of eight */
    BlockIndex(int blocks) {
        int sets = Math.max(1, (blocks + WAYS - 1) / WAYS);
        this.hashes = new long[sets * WAYS];
        this.places = new long[sets * WAYS];
        this.next = new byte[sets];
        Arrays.fill(places, -1);
    }

    /** Returns a hash of the remaining bytes. Two checksums cost little: processors have instructions for them. */
    static long hash(ByteBuffer block) {
        CRC32C first = new CRC32C();
        first.update(block.duplicate());
        CRC32 second = new CRC32();
        second.update(block.duplicate());
        return first.getValue() << Integer.SIZE | second.getValue();
    }

    /**
     * Returns the place of a block.
     *
     * @param file 0: the volume itself; else the number of a file that it may share with, from 1 on
     * @param offset a multiple of a block
     */
    static long place(int file, long offset) {
        return ((long) file << FILE_SHIFT) + offset / BLOCK + 1;
    }

    /** Returns the file of a place that is not {@link #UNMAPPED}. */
    static int file(long place) {
        return (int) ((place - 1) >>> FILE_SHIFT);
    }

    /** Returns the offset of a place that is not {@link #UNMAPPED}. */
    static long offset(long place) {
        return ((place - 1) & NUMBER_MASK) * BLOCK;
    }

    /** Returns the place of a block with a hash; below 0: it knows none. */
    synchronized long find(long hash) {
        int at = at(hash);
        return at < 0 ? -1 : places[at];
    }

    /** Remembers the place of a block, instead of another one with the hash. */
    synchronized void put(long hash, long place) {
        int at = at(hash);
        if (at < 0) {
            int set = set(hash);
            at = set * WAYS + next[set];
            next[set] = (byte) ((next[set] + 1) % WAYS);
        }
        hashes[at] = hash;
        places[at] = place;
    }

    private int at(long hash) {
        int first = set(hash) * WAYS;
        for (int i = first; i < first + WAYS; i++) {
            if (places[i] >= 0 && hashes[i] == hash) {
                return i;
            }
        }
        return -1;
    }

    private int set(long hash) {
        return (int) Math.floorMod(hash ^ hash >>> Integer.SIZE, (long) next.length);
    }
}
