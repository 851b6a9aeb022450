// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The files of a buffer that were deleted, and whose bytes stay until the store knows of it: a recovery of the table that does not know
 * takes the deletion back, and the file needs its bytes again. Guarded by its {@link BufferState}.
 */
final class DeletedFiles {
    /** The position of a deletion that came before the next heartbeat, whose reply tells the position. */
    private static final long UNKNOWN = Long.MAX_VALUE;

    /** The log position that is at or after the deletion, by file id, oldest first. */
    private final Map<Long, Long> positions = new LinkedHashMap<>();

    private long bytes;

    /** Adds a file. */
    void add(BufferedFile file) {
        if (positions.putIfAbsent(file.id(), UNKNOWN) == null) {
            bytes += file.storedBytes();
        }
    }

    /** Removes a file that left the buffer, or that the master wants again; returns whether it was here. */
    boolean remove(BufferedFile file) {
        boolean removed = positions.remove(file.id()) != null;
        if (removed) {
            bytes -= file.storedBytes();
        }
        return removed;
    }

    boolean contains(long fileId) {
        return positions.containsKey(fileId);
    }

    long bytes() {
        return bytes;
    }

    /**
     * Learns the state of the log; returns the ids of the files whose deletions the store knows.
     *
     * @param position at or after all deletions that were added
     * @param journalled the position up to which the store has all changes of names
     */
    List<Long> known(long position, long journalled) {
        List<Long> known = new ArrayList<>();
        Iterator<Map.Entry<Long, Long>> oldest = positions.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<Long, Long> each = oldest.next();
            if (each.getValue() == UNKNOWN) {
                each.setValue(position);
            }
            if (each.getValue() <= journalled) {
                known.add(each.getKey());
            }
        }
        return known;
    }
}
