// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import java.util.HashSet;
import java.util.Set;

/**
 * The files that left during a listing of rows without the buffer's lock, which may contain them. Guarded by its {@link
 * BufferState}.
 */
final class LeftFiles {
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

    /** Notes that a file left. */
    void note(long fileId) {
        if (listings > 0) {
            gone.add(fileId);
        }
    }

    boolean have(long fileId) {
        return gone.contains(fileId);
    }
}
