// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.worker.api.PackingInput;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory for small open files whose bytes go when another client replaces the file: a worker drops them from its
 * buffer. A blob keeps its bytes until its collection. Thread-safe.
 */
public final class PinnedBytes {
    static final int MOST_OF_A_FILE = 256 << 10;
    private static final long MOST = 32L << 20;

    private final boolean readsBlobs;
    private final AtomicLong pinned = new AtomicLong();

    /**
     * @param readsBlobs true if this process reads blobs itself; otherwise workers give bytes only while the file
     *     exists
     */
    PinnedBytes(boolean readsBlobs) {
        this.readsBlobs = readsBlobs;
    }

    /** Returns whether the bytes of an open file may go with its name. */
    public boolean isNeededFor(LocatedFile file) {
        boolean stays = file.placement() instanceof Placement.Packed && readsBlobs;
        return !stays && file.status().attributes().length() <= MOST_OF_A_FILE;
    }

    /**
     * Reads an open file into memory; empty: memory is full, or the file has no bytes to lose.
     *
     * @throws java.io.FileNotFoundException if the version is gone
     */
    public Optional<PackingInput> pin(PackingInput input) throws IOException {
        long length = input.attributes().length();
        if (input instanceof PinnedInput || length == 0 || length > MOST_OF_A_FILE) {
            return Optional.empty();
        }
        if (pinned.addAndGet(length) > MOST) {
            pinned.addAndGet(-length);
            return Optional.empty();
        }
        try {
            return Optional.of(PinnedInput.read(input, () -> pinned.addAndGet(-length)));
        } catch (IOException | RuntimeException e) {
            pinned.addAndGet(-length);
            throw e;
        }
    }
}
