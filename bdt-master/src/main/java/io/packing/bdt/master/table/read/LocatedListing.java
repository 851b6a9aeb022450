// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.AccessMode;
import io.packing.bdt.DeniedException;
import io.packing.bdt.FileStatus;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.ListedPage;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.bdt.master.table.row.Inode;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lists directories, and looks up paths, with the places of files. */
public final class LocatedListing {
    private static final Logger LOG = LoggerFactory.getLogger(LocatedListing.class);

    private static final int MOST_ENTRIES = 1_000;
    /** A file of 4 TB has a million; a page ends behind the file with which it has so many. */
    private static final int MOST_EXTENTS = 10_000;

    private final Namespace namespace;
    private final Permissions permissions;
    /** Why files are listed as lost. */
    private final List<String> lost = new ArrayList<>();

    /**
     * An answer that may have lost files in it.
     *
     * @param lost a reason for each of these files
     */
    public record Answer<T>(T told, List<String> lost) {
        /** Tells the log of what is lost; not before the answer is known to be of one state of the table. */
        @Override
        public T told() {
            lost.forEach(why -> LOG.warn("told as lost: {}", why));
            return told;
        }
    }

    public LocatedListing(Namespace namespace, Permissions permissions) {
        this.namespace = namespace;
        this.permissions = permissions;
    }

    /** A page; empty: there is no such directory. */
    public Answer<Optional<ListedPage>> page(FilePath directory, String startAfter, int limit) throws IOException {
        if (limit <= 0) {
            throw new IllegalArgumentException("a page of %d entries".formatted(limit));
        }
        Target target = permissions.reach(namespace, directory);
        target.need(AccessMode.READ | AccessMode.SEARCH);
        int most = Math.min(limit, MOST_ENTRIES);
        Optional<List<PastEntries.Named>> named = namespace.entries(directory, target.found(), startAfter, most);
        if (named.isEmpty()) {
            return new Answer<>(Optional.empty(), List.of());
        }
        List<ListedEntry> page = new ArrayList<>();
        int extents = 0;
        for (PastEntries.Named each : named.get()) {
            FilePath path = directory.child(each.name());
            if (each.inode().isDirectory()) {
                page.add(new ListedEntry(
                        namespace.placements().status(path, each.inode(), each.shown()), Optional.empty()));
                continue;
            }
            permissions.need(path, each.inode().attributes(), AccessMode.READ);
            LocatedFile file = located(path, each.inode(), each.shown());
            page.add(new ListedEntry(file.status(), Optional.of(file.placement())));
            extents += count(file.placement());
            if (extents >= MOST_EXTENTS) {
                break;
            }
        }
        boolean isWhole = page.size() == named.get().size();
        return new Answer<>(Optional.of(new ListedPage(page, isWhole && page.size() < most)), lost);
    }

    /** Finds the entries at the first paths, up to the one with which there are so many extents. */
    public Answer<List<FoundEntry>> find(List<FilePath> paths) throws IOException {
        FoundEntry.checkCount(paths.size());
        Namespace all = namespace.ofOneQuestion();
        List<FoundEntry> found = new ArrayList<>(paths.size());
        int extents = 0;
        for (FilePath path : paths) {
            FoundEntry each = find(all, path);
            found.add(each);
            extents += each.entry()
                    .flatMap(ListedEntry::placement)
                    .map(LocatedListing::count)
                    .orElse(0);
            if (extents >= MOST_EXTENTS) {
                break;
            }
        }
        return new Answer<>(found, lost);
    }

    private FoundEntry find(Namespace in, FilePath path) throws IOException {
        Target target;
        try {
            target = permissions.reach(in, path);
        } catch (DeniedException e) {
            return FoundEntry.of(e);
        }
        ResolvedPath found = target.file();
        if (found.inode().isEmpty()) {
            return FoundEntry.NOTHING;
        }
        Inode inode = found.inode().get();
        if (inode.isDirectory() || !isReadable(path, inode)) {
            FileStatus status = namespace.placements().status(path, inode, found.shown());
            return FoundEntry.of(new ListedEntry(status, Optional.empty()));
        }
        LocatedFile file = located(path, inode, found.shown());
        return FoundEntry.of(new ListedEntry(file.status(), Optional.of(file.placement())));
    }

    /** Returns whether the caller may read a file. A caller that may only look it up does not learn where its bytes are. */
    private boolean isReadable(FilePath path, Inode inode) {
        try {
            permissions.need(path, inode.attributes(), AccessMode.READ);
            return true;
        } catch (DeniedException e) {
            return false;
        }
    }

    /** Locates a file. One that the table cannot locate has no bytes that a reader could read. */
    private LocatedFile located(FilePath path, Inode inode, Inheritance shown) throws IOException {
        try {
            LocatedFile file = namespace.placements().located(path, inode, shown);
            return permissions.isChecked() ? VersionBytes.needed(file) : file;
        } catch (ContradictionException e) {
            lost.add(e.getMessage());
            FileStatus status = namespace.placements().status(path, inode, FileStatus.State.LOST, shown);
            return new LocatedFile(status, new Placement.Lost(""));
        }
    }

    private static int count(Placement placement) {
        if (placement instanceof Placement.Packed packed) {
            return packed.extents().size();
        }
        return placement instanceof Placement.Mapped mapped
                ? mapped.pieces().stream()
                        .mapToInt(piece -> 1 + count(piece.content().placement()))
                        .sum()
                : 0;
    }
}
