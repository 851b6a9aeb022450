// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.node;

import io.packing.sim.Cause;
import java.util.Arrays;
import java.util.Set;

/**
 * The files that flash holds back from the disk (§3.4.3): those of background work below a threshold. A file's final
 * size is unknown in advance, so every such file begins here.
 */
final class WriteBuffer {
    private static final long SPILLED = -1;

    private final boolean[] causes = new boolean[Cause.values().length];
    private final long threshold;
    private long[] held = {};
    private byte[] writers = {};

    /** @param threshold size from which files go to disk; 0 buffers nothing */
    WriteBuffer(long threshold, Set<Cause> buffered) {
        this.threshold = threshold;
        for (Cause cause : buffered) {
            causes[cause.index()] = true;
        }
    }

    /** Returns whether a write that makes the file {@code end} bytes long stays in flash. */
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

    /** Ends the buffering of a file; returns its buffered bytes. */
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
