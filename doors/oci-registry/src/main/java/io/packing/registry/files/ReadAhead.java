package io.packing.registry.files;

import io.packing.blob.Extent;
import io.packing.worker.api.PackingInput;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/**
 * Streams of open files that hold the piece that is sent, and read the next ones meanwhile. A mount checks whole extents: a
 * stream that reads fewer bytes at a time has the same extent checked again and again. Thread-safe.
 */
public final class ReadAhead {
    /** What memory is counted in: the most that a mount checks as a whole. */
    public static final int PIECE = Extent.MAX_LENGTH;
    /** What a stream asks for at once, where what it wants lies together and there is memory. */
    static final int RUN = 2 * PIECE;
    /** Runs that come while one is sent. */
    static final int MOST_AHEAD = 3;
    /** Pieces of memory that one stream has at most. */
    private static final int MOST_HELD = (1 + MOST_AHEAD) * (RUN / PIECE);
    /** The same once half of the memory is taken: for each a piece that is sent, and those that come meanwhile. */
    private static final int FEWER_HELD = 1 + MOST_AHEAD;
    /** What needs no piece: a reader takes it with one read. */
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

    /** Memory for streams of a process, by what it may have: a quarter. */
    public static long defaultBytes() {
        return Runtime.getRuntime().maxMemory() / 4;
    }

    /** The bytes of a file, from a position on. Closing them closes the file. */
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

    /** Takes memory for so many pieces, which whoever took it releases; false: there is not enough. */
    public boolean reserve(int count) {
        return pieces.tryAcquire(count);
    }

    public void release(int count) {
        pieces.release(count);
    }

    /** Pieces for which there is memory. */
    public int free() {
        return pieces.availablePermits();
    }

    /** Memory for so many bytes, at most a run, as the limit of the buffer says. What is in it is anything. */
    public ByteBuffer take(int count) {
        return memory.take(count);
    }

    /** How much of the memory that takes. */
    public static int memory(int count) {
        return SpareMemory.memory(count);
    }

    /** Memory that nobody reads or fills any more. */
    public void give(ByteBuffer taken) {
        memory.give(taken);
    }

    /** What reads ahead. */
    public Executor threads() {
        return threads;
    }
}
