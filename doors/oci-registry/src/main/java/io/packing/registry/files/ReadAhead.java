// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.files;

import io.packing.blob.Extent;
import io.packing.worker.api.PackingInput;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/**
 * Streams of open files that hold the piece that is sent, and read the next ones meanwhile. A mount checks whole
 * extents: for a stream that reads fewer bytes at a time it checks an extent again and again. Thread-safe.
 */
public final class ReadAhead {
    /** The unit of memory: the most bytes that a mount checks as a whole. */
    public static final int PIECE = Extent.MAX_LENGTH;
    /** The bytes that a stream requests at once, where they lie together and memory is free. */
    static final int RUN = 2 * PIECE;
    /** Runs that come while one is sent. */
    static final int MOST_AHEAD = 3;
    /** Pieces of memory that one stream has at most. */
    private static final int MOST_HELD = (1 + MOST_AHEAD) * (RUN / PIECE);
    /** The pieces of a stream once half of the memory is taken: one that is sent, and those that come meanwhile. */
    private static final int FEWER_HELD = 1 + MOST_AHEAD;
    /** The most bytes that need no piece: a reader takes them with one read. */
    private static final int SMALL = 256 << 10;

    private final Executor threads;
    private final int allPieces;
    private final Semaphore pieces;
    private final SpareMemory memory = new SpareMemory(RUN);

    /**
     * Streams that share threads and memory.
     *
     * @param threads that read ahead
     * @param bytes memory of all streams; those for which none is left read without pieces
     */
    public ReadAhead(Executor threads, long bytes) {
        this.threads = threads;
        this.allPieces = (int) Math.min(Integer.MAX_VALUE, bytes / PIECE);
        this.pieces = new Semaphore(allPieces);
    }

    /** Returns the memory for streams of a process: a quarter of its heap. */
    public static long defaultBytes() {
        return Runtime.getRuntime().maxMemory() / 4;
    }

    /** Opens the bytes of a file, from a position on. Closing them closes the file. */
    public InputStream open(PackingInput file, long from) {
        long left = file.attributes().length() - from;
        if (left <= SMALL) {
            return new FileBytes(file, from);
        }
        int most = free() > allPieces / 2 ? MOST_HELD : FEWER_HELD;
        for (int held = (int) Math.min(most, (left + PIECE - 1) / PIECE); held > 0; held--) {
            if (reserve(held)) {
                int reserved = held;
                return new PieceBytes(file, from, held, this, () -> release(reserved));
            }
        }
        return new FileBytes(file, from);
    }

    /** Takes memory for so many pieces, which the caller releases; returns false if it is short. */
    public boolean reserve(int count) {
        return pieces.tryAcquire(count);
    }

    public void release(int count) {
        pieces.release(count);
    }

    /** Returns the number of pieces that fit into free memory. */
    public int free() {
        return pieces.availablePermits();
    }

    /**
     * Takes memory for so many bytes, at most a run, which is the limit of the buffer. The buffer has arbitrary bytes.
     */
    public ByteBuffer take(int count) {
        return memory.take(count);
    }

    /** Returns the bytes of memory that a buffer takes. */
    public static int memory(int count) {
        return SpareMemory.memory(count);
    }

    /** Takes back memory that is in use no more. */
    public void give(ByteBuffer taken) {
        memory.give(taken);
    }

    /** Returns the threads that read ahead. */
    public Executor threads() {
        return threads;
    }
}
