// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import io.packing.bdt.BdtLookups;
import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The names of a directory at a time. As long as the kernel may trust a name, a missing one needs no request. A kernel
 * looks up the names of creates in a directory one after the other, so each of these requests would delay them all.
 * Thread-safe.
 */
public final class NameCache {
    private static final int PAGE = 1_000;
    private static final int MOST_PAGES = 32;
    /** The fewest vain lookups before a listing, which costs as much as the requests for a part of its names. */
    private static final int LEAST_MISSES = 2;

    private static final int NAMES_A_MISS = 32;

    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final long at;
    private volatile boolean complete;
    private int misses;

    /** @param at the time from which it counts, in nanoseconds of the process's clock */
    public NameCache(long at, boolean complete) {
        this.at = at;
        this.complete = complete;
    }

    /** Adds a new name. */
    void add(String name) {
        names.add(name);
    }

    /** Returns whether the name does not exist, and this knowledge still counts. */
    public boolean lacks(String name, long now, long validNanos) {
        return complete && now - at < validNanos && !names.contains(name);
    }

    /** Counts a vain request; returns true if a listing is cheaper by now. */
    public synchronized boolean isListingDue() {
        misses++;
        return misses >= LEAST_MISSES + names.size() / NAMES_A_MISS;
    }

    /** Takes the names that the table has; the caller must add those that are made meanwhile. */
    public void take(BdtLookups bdt, FilePath directory) throws IOException {
        String after = "";
        for (int pages = 0; pages < MOST_PAGES; pages++) {
            Optional<List<FileStatus>> page = bdt.list(directory, after, PAGE);
            if (page.isEmpty()) {
                return;
            }
            for (FileStatus status : page.get()) {
                after = status.path().name();
                names.add(after);
            }
            if (page.get().size() < PAGE) {
                complete = true;
                return;
            }
        }
    }
}
