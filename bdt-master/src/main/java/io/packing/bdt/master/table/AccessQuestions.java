package io.packing.bdt.master.table;

import io.packing.bdt.AccessMode;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Quota;
import io.packing.bdt.QuotaExceededException;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Answers what somebody may do to something, from one state of a table. */
record AccessQuestions(Namespace names, Permissions permissions) {
    private static final int MOST_LISTED = 10_000;

    /** Whether something is at a path; it may be used so. */
    boolean access(FilePath path, int rights) throws IOException {
        permissions.need(names, path, rights);
        return names.find(path).inode().isPresent();
    }

    /**
     * Whether a version is there; it may be read, either as what is at a path, of which it is a content, or as the file that it is.
     *
     * @param path by which it was opened; files are renamed since
     */
    boolean mayRead(FilePath path, FileVersion version) throws IOException {
        if (!permissions.isChecked()) {
            return names.place(version).isPresent();
        }
        return part(path, version).isPresent()
                || new ReadableFiles(names, permissions).pathOf(version).isPresent();
    }

    /**
     * A version as a path shows it.
     *
     * @param content that the file has bytes of; empty: the version is the file itself
     */
    private record Part(Inode file, Shown shown, Optional<Content> content) {}

    /** Returns exactly this version, and none that has only its id, if the file at a path is it or has bytes of it, and may be read. */
    private Optional<Part> part(FilePath path, FileVersion version) throws IOException {
        permissions.search(names, path);
        Namespace.Found found = names.findFile(path);
        Optional<Inode> there = found.inode().filter(inode -> !inode.isDirectory());
        if (there.isEmpty()) {
            return Optional.empty();
        }
        boolean mayHave = there.get().place() instanceof Inode.Mapped mapped
                && mapped.map().references().stream().anyMatch(each -> each.content() == version.id());
        Optional<Content> content = mayHave ? names.content(version) : Optional.empty();
        if (content.isEmpty() && !there.get().version().equals(version)) {
            return Optional.empty();
        }
        permissions.need(path, there.get().attributes(), AccessMode.READ);
        return Optional.of(new Part(there.get(), found.shown(), content));
    }

    /** What is at a path, and its extended attributes as far as whoever asks may know them. */
    Optional<Extended> extended(FilePath path) throws IOException {
        permissions.search(names, path);
        Namespace.Found found = names.findFile(path);
        Optional<Inode> there = found.inode();
        if (there.isEmpty()) {
            return Optional.empty();
        }
        FileStatus status = names.placements().status(path, there.get(), found.shown());
        return Optional.of(new Extended(status, permissions.privileges().readable(path, there.get())));
    }

    Optional<LocatedFile> locate(FilePath path) throws IOException {
        permissions.search(names, path);
        Optional<LocatedFile> file = names.locate(path);
        if (file.isPresent()) {
            permissions.need(path, file.get().status().attributes(), AccessMode.READ);
        }
        return file;
    }

    /** Returns where a version is that was opened by a path. The answer names no other path, and nothing else of a file that shares the bytes. */
    Optional<LocatedFile> locate(FileVersion version, FilePath openedAs) throws IOException {
        Optional<Part> part = permissions.isChecked() ? part(openedAs, version) : Optional.empty();
        if (part.isEmpty()) {
            return locate(version);
        }
        Optional<Content> content = part.get().content();
        return Optional.of(
                content.isPresent()
                        ? names.placements().located(openedAs, content.get())
                        : names.placements()
                                .located(openedAs, part.get().file(), part.get().shown()));
    }

    /** Returns where a file version is by now. Of one that the caller may not read it answers as of one that is not there. */
    Optional<LocatedFile> locate(FileVersion version) throws IOException {
        boolean isTold = !permissions.isChecked()
                || new ReadableFiles(names, permissions).pathOf(version).isPresent();
        return isTold ? names.locate(version) : Optional.empty();
    }

    /** A page of a directory's entries; it may be listed. Empty: there is no such directory. */
    Optional<List<FileStatus>> list(FilePath directory, String startAfter, int limit) throws IOException {
        if (limit <= 0) {
            throw new IllegalArgumentException("a page of %d entries".formatted(limit));
        }
        permissions.need(names, directory, AccessMode.READ | AccessMode.SEARCH);
        return names.list(directory, startAfter, Math.min(limit, MOST_LISTED));
    }

    /** Refuses unless a tree may be deleted; what whoever asks may do who was found to be allowed that. */
    Permissions havingLookedAt(FilePath path) throws IOException {
        permissions.search(names, path);
        Optional<Inode> top = names.find(path).inode().filter(Inode::isDirectory);
        if (top.isEmpty()) {
            return permissions;
        }
        permissions.removeTree(names, path, top.get(), Long.MAX_VALUE);
        return permissions.havingLookedAt(top.get());
    }

    /** The quota of a directory; empty: there is no such directory, or it has none. */
    Optional<Quota> quota(Rows rows, FilePath path) throws IOException {
        permissions.search(names, path);
        Namespace.Found found = names.find(path);
        // What a clone or a snapshot shows has the id of another directory.
        Optional<Inode> there = found.isPresent() ? found.inode().filter(Inode::isDirectory) : Optional.empty();
        if (there.isPresent()) {
            // How much is in it is what a listing would tell.
            permissions.need(names, path, AccessMode.READ | AccessMode.SEARCH);
        }
        Optional<QuotaRow> row = there.isEmpty()
                ? Optional.empty()
                : QuotaRow.of(rows, there.get().id());
        return row.map(QuotaRow::told);
    }

    /**
     * What is nearest to a path at which something is about to be made.
     *
     * @throws QuotaExceededException when a directory may have no name more
     */
    FileStatus nearestToCreate(Rows rows, FilePath path) throws IOException {
        FileStatus nearest = names.nearest(path);
        if (!nearest.path().equals(path) && nearest.isDirectory() && !nearest.isInherited() && QuotaWays.any(rows)) {
            QuotaWays ways = new QuotaWays(rows, names);
            long directory = nearest.version().id();
            Optional<QuotaExceededException> refusal = ways.whyNot(ways.above(directory), new Use(1, 0));
            if (refusal.isPresent()) {
                throw refusal.get();
            }
        }
        return nearest;
    }
}
