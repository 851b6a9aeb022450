// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.AccessMode;
import io.packing.bdt.DeniedException;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Quota;
import io.packing.bdt.QuotaExceededException;
import io.packing.bdt.ReadableBytes;
import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.QuotaRow;
import io.packing.bdt.master.table.row.QuotaUse;
import io.packing.bdt.master.table.row.Rows;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Answers to what a caller may see and do, from one state of a table. */
public record AccessQuestions(Namespace names, Permissions permissions) {
    private static final int MOST_LISTED = 10_000;

    /** Returns whether an entry is at a path; the caller may use it so. */
    public boolean access(FilePath path, int rights) throws IOException {
        Target target = permissions.reach(names, path);
        target.need(rights);
        return target.inode().isPresent();
    }

    /**
     * Finds which bytes of a version may be read: those that the file at a path has, or the file that the version is.
     *
     * @param path by which it was opened; files are renamed since
     * @param from the answer tells of bytes from here on; empty: whoever asks heeds no ranges
     * @return empty when the version is not there
     * @throws DeniedException when none of the bytes may be read, or not all of them and whoever asks heeds no ranges
     */
    public Optional<ReadableBytes> readable(FilePath path, FileVersion version, OptionalLong from) throws IOException {
        if (!permissions.isChecked()) {
            return names.place(version).map(there -> ReadableBytes.ALL);
        }
        Optional<VersionBytes> there = part(path, version).map(Part::bytes).filter(bytes -> !bytes.isEmpty());
        Optional<VersionBytes> readable = there.isPresent() ? there : ofItself(version, path);
        if (readable.isPresent() && from.isEmpty()) {
            checkAll(readable.get(), version);
        }
        return readable.map(bytes -> bytes.told(from.orElse(0)));
    }

    private void checkAll(VersionBytes readable, FileVersion version) throws IOException {
        Optional<Content> content = names.content(version);
        if (content.isPresent() && !readable.areAll(content.get().length())) {
            throw new DeniedException(
                    "Permission denied: the file has a part of version %s only, and the worker that asks is too old to serve a part; update the worker"
                            .formatted(version));
        }
    }

    /**
     * A version as a path shows it.
     *
     * @param content that the file has bytes of; empty: the version is the file itself
     * @param bytes of the version that the file has
     */
    private record Part(Inode file, Inheritance shown, Optional<Content> content, VersionBytes bytes) {}

    /** Returns exactly this version, and none that has only its id, if the file at a path is it or has bytes of it, and may be read. */
    private Optional<Part> part(FilePath path, FileVersion version) throws IOException {
        ResolvedPath found = permissions.reach(names, path).file();
        Optional<Inode> there = found.inode().filter(inode -> !inode.isDirectory());
        if (there.isEmpty()) {
            return Optional.empty();
        }
        VersionBytes bytes = bytes(there.get(), version);
        boolean isPart = Inode.hasMap(there.get().place()) && !bytes.isEmpty();
        Optional<Content> content = isPart ? names.content(version) : Optional.empty();
        if (content.isEmpty() && !there.get().version().equals(version)) {
            return Optional.empty();
        }
        permissions.need(path, there.get().attributes(), AccessMode.READ);
        return Optional.of(new Part(there.get(), found.shown(), content, bytes));
    }

    /** Finds the bytes of a version that a file has; a content counts in the generation that it has. */
    private VersionBytes bytes(Inode file, FileVersion version) throws IOException {
        boolean isAlone = !Inode.hasMap(file.place());
        return isAlone || names.content(version).isPresent()
                ? VersionBytes.of(names.placements().rows(), file, version)
                : VersionBytes.NONE;
    }

    /** Finds the bytes that the file of the version itself has, wherever it is by now; empty: the caller may read no such file. */
    private Optional<VersionBytes> ofItself(FileVersion version, FilePath known) throws IOException {
        Optional<Inode> file = readableItself(version, known);
        if (file.isEmpty()) {
            return Optional.empty();
        }
        VersionBytes bytes = bytes(file.get(), version);
        if (bytes.isEmpty()) {
            throw new DeniedException(
                    "Permission denied: the file of version %s has none of its bytes any more; open it again"
                            .formatted(version));
        }
        return Optional.of(bytes);
    }

    /** Finds the file that a version is, if the caller may read it where it is now, and knows or could find its path. */
    private Optional<Inode> readableItself(FileVersion version, FilePath known) throws IOException {
        boolean isReadable =
                new ReadableFiles(names, permissions, known).pathOf(version).isPresent();
        return isReadable ? names.file(version).map(Namespace.Entry::inode) : Optional.empty();
    }

    /** Finds the entry at a path, with the extended attributes that the caller may know. */
    public Optional<Extended> extended(FilePath path) throws IOException {
        ResolvedPath found = permissions.reach(names, path).file();
        Optional<Inode> there = found.inode();
        if (there.isEmpty()) {
            return Optional.empty();
        }
        FileStatus status = names.placements().status(path, there.get(), found.shown());
        return Optional.of(new Extended(status, permissions.privileges().readable(path, there.get())));
    }

    /** Locates a file, with the extended attributes that the caller may know, if it has some. */
    public Optional<LocatedFile> locate(FilePath path) throws IOException {
        Target target = permissions.reach(names, path);
        Optional<LocatedFile> found = target.located();
        if (found.isEmpty()) {
            return found;
        }
        permissions.need(path, found.get().status().attributes(), AccessMode.READ);
        LocatedFile file = permissions.isChecked() ? VersionBytes.needed(found.get()) : found.get();
        if (!file.status().extras().hasExtended()) {
            return Optional.of(file);
        }
        Inode inode = target.file().inode().orElseThrow();
        return Optional.of(file.with(permissions.privileges().readable(path, inode)));
    }

    /** Returns where a version is that was opened by a path. The answer names no other path, and nothing else of a file that shares the bytes. */
    public Optional<LocatedFile> locate(FileVersion version, FilePath openedAs) throws IOException {
        Optional<Part> part = permissions.isChecked() ? part(openedAs, version) : Optional.empty();
        if (part.isEmpty()) {
            return locateItself(version, openedAs);
        }
        Optional<Content> content = part.get().content();
        return Optional.of(
                content.isPresent()
                        ? part.get().bytes().of(names.placements().located(openedAs, content.get()))
                        : VersionBytes.needed(names.placements()
                                .located(openedAs, part.get().file(), part.get().shown())));
    }

    /** Returns where a file version is by now. Of one that the caller may not read it answers as of one that is not there. */
    public Optional<LocatedFile> locate(FileVersion version) throws IOException {
        return locateItself(version, FilePath.ROOT);
    }

    private Optional<LocatedFile> locateItself(FileVersion version, FilePath known) throws IOException {
        if (!permissions.isChecked()) {
            return names.locate(version);
        }
        Optional<Inode> file = readableItself(version, known);
        if (file.isEmpty()) {
            return Optional.empty();
        }
        VersionBytes bytes = VersionBytes.of(names.placements().rows(), file.get(), version);
        return names.locate(version).map(found -> VersionBytes.needed(bytes.of(found)));
    }

    /** A page of a directory's entries; it may be listed. Empty: there is no such directory. */
    public Optional<List<FileStatus>> list(FilePath directory, String startAfter, int limit) throws IOException {
        if (limit <= 0) {
            throw new IllegalArgumentException("a page of %d entries".formatted(limit));
        }
        Target target = permissions.reach(names, directory);
        target.need(AccessMode.READ | AccessMode.SEARCH);
        return names.list(directory, target.found(), startAfter, Math.min(limit, MOST_LISTED));
    }

    /** Refuses a caller who may not delete a tree; returns the permissions of a caller who was found to be allowed that. */
    public Permissions havingLookedAt(FilePath path) throws IOException {
        Optional<Inode> top = permissions.reach(names, path).inode().filter(Inode::isDirectory);
        if (top.isEmpty()) {
            return permissions;
        }
        permissions.removeTree(names, path, top.get(), Long.MAX_VALUE);
        return permissions.havingLookedAt(top.get());
    }

    /** The quota of a directory; empty: there is no such directory, or it has none. */
    public Optional<Quota> quota(Rows rows, FilePath path) throws IOException {
        Target target = permissions.reach(names, path);
        ResolvedPath found = target.found();
        // What a clone or a snapshot shows has the id of another directory.
        Optional<Inode> there = found.isPresent() ? found.inode().filter(Inode::isDirectory) : Optional.empty();
        if (there.isPresent()) {
            // How much is in it is what a listing would tell.
            target.need(AccessMode.READ | AccessMode.SEARCH);
        }
        Optional<QuotaRow> row = there.isEmpty()
                ? Optional.empty()
                : QuotaRow.of(rows, there.get().id());
        return row.map(QuotaRow::told);
    }

    /**
     * Finds the entry nearest to a path at which the caller is about to make one.
     *
     * @throws QuotaExceededException when a directory may have no name more
     */
    public FileStatus nearestToCreate(Rows rows, FilePath path) throws IOException {
        if (permissions.isChecked()) {
            permissions.reach(names, path).createOrReplace();
        }
        FileStatus nearest = names.nearest(path);
        if (!nearest.path().equals(path)
                && nearest.isDirectory()
                && !nearest.isInherited()
                && EffectiveQuotas.any(rows)) {
            EffectiveQuotas ways = new EffectiveQuotas(rows, names);
            long directory = nearest.version().id();
            Optional<QuotaExceededException> refusal = ways.whyNot(ways.above(directory), new QuotaUse(1, 0));
            if (refusal.isPresent()) {
                throw refusal.get();
            }
        }
        return nearest;
    }
}
