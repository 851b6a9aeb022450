// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lookups of several entries by one request for each, for masters of versions that have no request for all. */
public final class OneByOne {
    private OneByOne() {}

    /** Returns the entry at a path or, without one, its nearest ancestor, as {@link BdtLookups#nearest} does. */
    public static FileStatus nearest(BdtLookups table, FilePath path) throws IOException {
        for (FilePath at = path; ; at = at.parent().orElseThrow()) {
            Optional<FileStatus> there = table.stat(at);
            if (there.isPresent()) {
                return there.get();
            }
        }
    }

    /** Returns a page of a directory's entries with their places, as {@link BdtLookups#listLocated} does. */
    public static Optional<ListedPage> listLocated(BdtLookups table, FilePath directory, String startAfter, int limit)
            throws IOException {
        Optional<List<FileStatus>> page = table.list(directory, startAfter, limit);
        if (page.isEmpty()) {
            return Optional.empty();
        }
        List<ListedEntry> entries = new ArrayList<>();
        for (FileStatus status : page.get()) {
            Optional<LocatedFile> file = status.isDirectory() ? Optional.empty() : table.locate(status.path());
            if (status.isDirectory() || file.isPresent()) {
                entries.add(new ListedEntry(
                        file.map(LocatedFile::status).orElse(status), file.map(LocatedFile::placement)));
            }
        }
        // All files of a page may go meanwhile, and that is not the end.
        return entries.isEmpty() && !page.get().isEmpty()
                ? listLocated(
                        table,
                        directory,
                        page.get().get(page.get().size() - 1).path().name(),
                        limit)
                : Optional.of(new ListedPage(entries, false));
    }

    /** Looks paths up, as {@link BdtLookups#find} does. */
    public static List<FoundEntry> find(BdtLookups table, List<FilePath> paths) throws IOException {
        FoundEntry.checkCount(paths.size());
        List<FoundEntry> found = new ArrayList<>(paths.size());
        for (FilePath path : paths) {
            found.add(find(table, path));
        }
        return found;
    }

    private static FoundEntry find(BdtLookups table, FilePath path) throws IOException {
        Optional<FileStatus> status;
        try {
            status = table.stat(path);
        } catch (DeniedException e) {
            return FoundEntry.of(e);
        }
        if (status.isPresent() && !status.get().isDirectory()) {
            try {
                Optional<LocatedFile> file = table.locate(path);
                if (file.isPresent()) {
                    return FoundEntry.of(new ListedEntry(
                            file.get().status(), Optional.of(file.get().placement())));
                }
                // It went meanwhile, or a directory took its place.
                status = table.stat(path).filter(FileStatus::isDirectory);
            } catch (DeniedException e) {
                return FoundEntry.of(new ListedEntry(status.get(), Optional.empty()));
            }
        }
        return status.map(there -> FoundEntry.of(new ListedEntry(there, Optional.empty())))
                .orElse(FoundEntry.NOTHING);
    }
}
