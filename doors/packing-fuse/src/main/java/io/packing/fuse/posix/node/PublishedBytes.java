// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import io.packing.bdt.LocatedFile;
import io.packing.blob.FileVersion;
import io.packing.worker.api.PackingInput;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of the small files that this server published last, by version. A program reads them back without a
 * worker. The bytes of a version never change, so the table alone decides which version is read. The
 * newest bytes take the place of the oldest ones. Thread-safe.
 */
public final class PublishedBytes {
    private final int size;
    private final Map<FileVersion, RingPlace> places = new HashMap<>();
    /** The places in the order of their writes, which is that of the ring. */
    private final Deque<RingPlace> oldest = new ArrayDeque<>();

    /** Outside of the heap: its bytes would grow old there. */
    private @Nullable ByteBuffer ring;

    private int next;

    /** A version's bytes in the ring. */
    private record RingPlace(FileVersion version, int start, int length) {}

    /** @param size bytes of all files, at most */
    PublishedBytes(int size) {
        this.size = size;
    }

    /** Keeps the bytes of a version; the buffer's position stays. */
    public synchronized void put(FileVersion version, ByteBuffer bytes) {
        int length = bytes.remaining();
        if (length == 0 || length > size || places.containsKey(version)) {
            return;
        }
        if (length > size - next) {
            drop(size);
            next = 0;
        }
        drop(next + length);
        ByteBuffer all = ring == null ? ByteBuffer.allocateDirect(size) : ring;
        ring = all;
        all.put(next, bytes, bytes.position(), length);
        RingPlace place = new RingPlace(version, next, length);
        places.put(version, place);
        oldest.add(place);
        next += length;
    }

    /** Drops what is in the ring from the place of the next bytes up to an end. */
    private void drop(int end) {
        for (RingPlace first = oldest.peek();
                first != null && first.start() >= next && first.start() < end;
                first = oldest.peek()) {
            places.remove(first.version());
            oldest.remove();
        }
    }

    /** Opens a version whose bytes are here. */
    Optional<PackingInput> open(LocatedFile file) {
        return bytes(file.status().version())
                .filter(bytes -> bytes.length == file.status().attributes().length())
                .map(bytes -> PinnedInput.of(file.status().attributes(), bytes));
    }

    private synchronized Optional<byte[]> bytes(FileVersion version) {
        RingPlace place = places.get(version);
        if (place == null || ring == null) {
            return Optional.empty();
        }
        byte[] bytes = new byte[place.length()];
        ring.get(place.start(), bytes);
        return Optional.of(bytes);
    }
}
