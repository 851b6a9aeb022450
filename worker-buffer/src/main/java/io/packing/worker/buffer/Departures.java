package io.packing.worker.buffer;

import java.util.HashSet;
import java.util.Set;

/**
 * The files that went while somebody listed rows without the buffer's lock, and so may have listed them. Guarded by its
 * {@link BufferState}.
 */
final class Departures {
    private final Set<Long> gone = new HashSet<>();
    private int listings;

    void begin() {
        listings++;
    }

    void end() {
        listings--;
        if (listings == 0) {
            gone.clear();
        }
    }

    /** A file is not needed any more. */
    void note(long fileId) {
        if (listings > 0) {
            gone.add(fileId);
        }
    }

    boolean have(long fileId) {
        return gone.contains(fileId);
    }
}
