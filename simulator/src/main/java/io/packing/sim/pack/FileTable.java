// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import java.util.Arrays;

/** The files of a run, by number, with the place of their bytes. */
final class FileTable {
    /** The state of a file that was chosen for a blob which is not pushed yet. */
    static final int SEALED = -2;

    /** The memory of a file in bytes, with arrays half grown. */
    static final int MEMORY_PER_FILE = 3 * (8 + 4 + 4 + 4 + 8 + 8) / 2;

    private static final int UNPACKED = -1;
    /** The state of a file that was deleted before it was chosen for a blob. */
    private static final int GONE = -3;

    private long[] sizes = {};
    private int[] owners = {};
    private int[] directories = {};
    private int[] blobs = {};
    private long[] offsets = {};
    private long[] closed = {};
    private int count;

    /** Adds a file that is written through a worker. */
    int add(long size, int owner, int directory) {
        if (count == sizes.length) {
            int more = Math.max(1024, count + (count >> 1));
            sizes = Arrays.copyOf(sizes, more);
            owners = Arrays.copyOf(owners, more);
            directories = Arrays.copyOf(directories, more);
            blobs = Arrays.copyOf(blobs, more);
            offsets = Arrays.copyOf(offsets, more);
            closed = Arrays.copyOf(closed, more);
        }
        sizes[count] = size;
        owners[count] = owner;
        directories[count] = directory;
        blobs[count] = UNPACKED;
        return count++;
    }

    int count() {
        return count;
    }

    long size(int file) {
        return sizes[file];
    }

    int owner(int file) {
        return owners[file];
    }

    int directory(int file) {
        return directories[file];
    }

    void close(int file, long time) {
        closed[file] = time;
    }

    long closedAt(int file) {
        return closed[file];
    }

    /** Records that a file is durable: at an offset of a blob, or as an object (with its own number and 0). */
    void place(int file, int blob, long offset) {
        blobs[file] = blob;
        offsets[file] = offset;
    }

    /** Deletes a file; returns whether that saves its push. */
    boolean delete(int file) {
        if (blobs[file] != UNPACKED) {
            return false;
        }
        blobs[file] = GONE;
        return true;
    }

    boolean gone(int file) {
        return blobs[file] == GONE;
    }

    boolean durable(int file) {
        return blobs[file] >= 0;
    }

    int blob(int file) {
        return blobs[file];
    }

    long offset(int file) {
        return offsets[file];
    }
}
