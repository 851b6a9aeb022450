package io.packing.posix;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The names of a directory at a time: for as long as the kernel may trust a name, a name that is not among them needs no request. A
 * kernel lets one create after the other look up its name in a directory, so each of these requests is one that all wait for.
 * Thread-safe.
 */
final class KnownNames {
    private static final int PAGE = 1_000;
    private static final int MOST_PAGES = 32;
    /** A listing costs as much as the requests for a part of its names. */
    private static final int LEAST_MISSES = 2;

    private static final int NAMES_A_MISS = 32;

    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final long at;
    private volatile boolean complete;
    private int misses;

    /** @param at when it begins to be true, in nanoseconds of the process's clock */
    KnownNames(long at, boolean complete) {
        this.at = at;
        this.complete = complete;
    }

    /** A name is there from now on. */
    void add(String name) {
        names.add(name);
    }

    /** Whether the name is not there, as far as what was known then still counts. */
    boolean lacks(String name, long now, long validNanos) {
        return complete && now - at < validNanos && !names.contains(name);
    }

    /** Counts a name that had to be asked for in vain; returns whether a listing is cheaper by now. */
    synchronized boolean isListingDue() {
        misses++;
        return misses >= LEAST_MISSES + names.size() / NAMES_A_MISS;
    }

    /** Takes the names that the table has; those that are made meanwhile must be added, too. */
    void take(Bdt bdt, FilePath directory) throws IOException {
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
