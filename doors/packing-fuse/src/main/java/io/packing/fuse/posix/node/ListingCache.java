// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.packing.bdt.BdtLookups;
import io.packing.bdt.DeniedException;
import io.packing.bdt.FileStatus;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.ListedPage;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.blob.FilePath;
import io.packing.fuse.posix.TreeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The entries of directories in read-only mounts. A starting program looks up dozens of names one after the other, most
 * of them in a few directories, and each lookup would wait for a request. The first name in a directory fetches a page
 * of its entries with the places of their bytes, so that the next ones do not wait. A name outside of it fetches the
 * rest. In the mounted directory itself names appear meanwhile, so each lookup asks. Names that a client has requested
 * before are found at once, in any directory. Thread-safe.
 */
final class ListingCache implements TreeSource.Ahead {
    private static final Duration MOST = Duration.ofMinutes(1);

    private static final int PAGE = 1_000;
    private static final int MOST_ENTRIES = 200_000;

    private final BdtLookups bdt;
    private final FilePath root;
    private final long validNanos;
    private final LongSupplier nanoTime;
    private final Cache<FilePath, Listing> directories;
    private final LookupCache found;

    /** A directory with its fetched pages. */
    private final class Listing {
        private final FilePath directory;
        private final long began = nanoTime.getAsLong();
        private final Map<String, ListedEntry> entries = new ConcurrentHashMap<>();
        // Guarded by this.
        private String last = "";
        private boolean isComplete;
        private boolean isRefused;
        private boolean wasMissed;

        Listing(FilePath directory) {
            this.directory = directory;
        }

        Optional<FileStatus> stat(FilePath path) throws IOException {
            ListedEntry known = entries.get(path.name());
            return known != null ? Optional.of(known.status()) : search(path);
        }

        /** Searches for an entry; concurrent lookups of other names in the directory wait for the page, too. */
        private synchronized Optional<FileStatus> search(FilePath path) throws IOException {
            while (!isComplete && !isRefused && !entries.containsKey(path.name())) {
                boolean large = entries.size() >= PAGE;
                if (large && !wasMissed) {
                    // A page costs as much as the requests for some names, and the directory may have a hundred.
                    wasMissed = true;
                    return bdt.stat(path);
                }
                fetch();
            }
            return isRefused
                    ? bdt.stat(path)
                    : Optional.ofNullable(entries.get(path.name())).map(ListedEntry::status);
        }

        synchronized void learn() throws IOException {
            if (entries.isEmpty() && !isComplete && !isRefused) {
                fetch();
            }
        }

        synchronized Optional<List<FileStatus>> all() throws IOException {
            while (!isComplete && !isRefused) {
                fetch();
            }
            return isRefused
                    ? Optional.empty()
                    : Optional.of(
                            entries.values().stream().map(ListedEntry::status).toList());
        }

        private void fetch() throws IOException {
            Optional<ListedPage> page;
            try {
                page = bdt.listLocated(directory, last, PAGE);
            } catch (DeniedException e) {
                // A user may have the right to look up, but not to list.
                page = Optional.empty();
            }
            isRefused = page.isEmpty() || entries.size() >= MOST_ENTRIES;
            isComplete = page.isPresent() && page.get().isLast();
            for (ListedEntry each : page.orElse(ListedPage.END).entries()) {
                last = each.status().path().name();
                entries.put(last, each);
            }
            // The listing has another weight now.
            directories.put(directory, this);
        }

        boolean counts() {
            return nanoTime.getAsLong() - began < validNanos;
        }

        int size() {
            return 1 + entries.size();
        }
    }

    /**
     * Creates the directories of a mount.
     *
     * @param root the mounted directory
     * @param valid the time for which a listing counts, see {@link #share}
     */
    ListingCache(BdtLookups bdt, FilePath root, Duration valid, LongSupplier nanoTime) {
        this.bdt = bdt;
        this.root = root;
        this.validNanos = valid.toNanos();
        this.nanoTime = nanoTime;
        this.found = new LookupCache(bdt, validNanos, nanoTime);
        this.directories = CacheBuilder.newBuilder()
                .maximumWeight(MOST_ENTRIES)
                .<FilePath, Listing>weigher((path, listing) -> listing.size())
                .concurrencyLevel(1)
                .build();
    }

    /**
     * Returns the time for which a listing counts, as a share of the time until programs see a change: the kernel
     * trusts an answer for the rest.
     */
    static Duration share(Duration whole) {
        Duration half = whole.dividedBy(2);
        return half.compareTo(MOST) < 0 ? half : MOST;
    }

    Optional<FileStatus> stat(FilePath path) throws IOException {
        Optional<FilePath> parent = path.parent();
        if (parent.isEmpty() || parent.get().equals(root) || path.isPast() || path.isRoot()) {
            return bdt.stat(path);
        }
        Optional<FoundEntry> known = found.at(path);
        return known.isPresent()
                ? known.get().entry().map(ListedEntry::status)
                : listing(parent.get()).stat(path);
    }

    @Override
    public void find(List<FilePath> paths) throws IOException {
        found.find(paths);
    }

    /** Forgets the entries at a path and below it. */
    void forget(FilePath path) {
        found.forget(path);
        directories.asMap().keySet().removeIf(path::contains);
    }

    /** Fetches the first page of a directory, unless it is fetched. A lookup of a name meanwhile waits for it. */
    @Override
    public void learn(FilePath directory) throws IOException {
        listing(directory).learn();
    }

    /**
     * Returns all entries of a directory; empty: it does not exist, may not be listed, or has more than are kept here.
     */
    Optional<List<FileStatus>> list(FilePath directory) throws IOException {
        return directory.equals(root) || directory.isPast()
                ? Optional.empty()
                : listing(directory).all();
    }

    private Listing listing(FilePath directory) {
        Listing known = directories.getIfPresent(directory);
        if (known != null && known.counts()) {
            return known;
        }
        Listing made = new Listing(directory);
        directories.put(directory, made);
        return made;
    }

    /**
     * Returns the place of a file's bytes. Bytes in a worker's buffer move soon, so it asks for their place each time.
     */
    Optional<LocatedFile> locate(FilePath path) throws IOException {
        Optional<ListedEntry> entry = found.at(path).flatMap(FoundEntry::entry).or(() -> listed(path));
        Optional<Placement> stored = entry.flatMap(ListedEntry::placement).filter(ListingCache::isStored);
        return stored.isPresent() ? Optional.of(new LocatedFile(entry.get().status(), stored.get())) : bdt.locate(path);
    }

    private Optional<ListedEntry> listed(FilePath path) {
        return path.parent()
                .map(directories::getIfPresent)
                .filter(Listing::counts)
                .map(known -> known.entries.get(path.name()));
    }

    private static boolean isStored(Placement placement) {
        return placement instanceof Placement.Packed
                || placement instanceof Placement.Withheld
                || (placement instanceof Placement.Mapped mapped
                        && mapped.pieces().stream()
                                .allMatch(piece -> isStored(piece.content().placement())));
    }
}
