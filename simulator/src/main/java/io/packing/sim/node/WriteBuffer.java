package io.packing.sim.node;

import io.packing.sim.Cause;
import java.util.Arrays;
import java.util.Set;

/**
 * Which files flash holds back from the disk (§3.4.3): those that background work writes, as long as they are smaller than a
 * threshold. Nobody knows the size of a file in advance, so every such file begins here.
 */
final class WriteBuffer {
    private static final long SPILLED = -1;

    private final boolean[] causes = new boolean[Cause.values().length];
    private final long threshold;
    private long[] held = {};
    private byte[] writers = {};

    /** @param threshold files of this size and more go to disk; 0 buffers nothing */
    WriteBuffer(long threshold, Set<Cause> buffered) {
        this.threshold = threshold;
        for (Cause cause : buffered) {
            causes[cause.index()] = true;
        }
    }

    /** Whether a write that makes the file {@code end} bytes long stays in flash. */
    boolean takes(int file, Cause cause, long end) {
        if (threshold == 0 || !causes[cause.index()]) {
            return false;
        }
        if (file >= held.length) {
            int more = Math.max(file + 1, held.length * 2);
            held = Arrays.copyOf(held, more);
            writers = Arrays.copyOf(writers, more);
        }
        if (held[file] == SPILLED || end >= threshold) {
            return false;
        }
        held[file] = Math.max(held[file], end);
        writers[file] = (byte) cause.index();
        return true;
    }

    /** The file is not buffered any more; returns how much of it was. */
    long spill(int file) {
        if (file >= held.length || held[file] == SPILLED) {
            return 0;
        }
        long bytes = held[file];
        held[file] = SPILLED;
        return bytes;
    }

    Cause writer(int file) {
        return Cause.at(writers[file]);
    }

    void forget(int file) {
        if (file < held.length) {
            held[file] = 0;
        }
    }
}
