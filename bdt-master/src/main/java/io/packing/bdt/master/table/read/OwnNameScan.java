// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.AccessMode;
import io.packing.bdt.OwnName;
import io.packing.bdt.OwnNames;
import io.packing.bdt.master.table.row.HiddenDirectories;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Origin;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.Snapshot;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One page of the names of a clone of a directory that are not its origin's: rows of its own, and names that the origin
 * does not show any more (RFC 0001). Directories of the clone that show the one in the origin are descended into; what they share is not
 * read. Used once.
 */
public final class OwnNameScan {
    private static final int MOST_NAMES = 1_000;
    private static final int MOST_CHARACTERS = 256 << 10;

    private final Rows rows;
    private final Namespace namespace;
    private final Permissions permissions;
    private final int limit;
    private final List<OwnName> page = new ArrayList<>();
    private int visited;
    private int characters;
    private FilePath last = FilePath.ROOT;

    public OwnNameScan(Rows rows, Namespace namespace, Permissions permissions, int limit) {
        if (limit <= 0) {
            throw new IllegalArgumentException("a page of %d names".formatted(limit));
        }
        this.rows = rows;
        this.namespace = namespace;
        this.permissions = permissions;
        this.limit = Math.min(limit, MOST_NAMES);
    }

    /** Returns the page behind a path; empty: one of the directories does not exist. */
    public Optional<OwnNames> page(FilePath clone, FilePath source, FilePath after) throws IOException {
        Optional<ResolvedPath> own = directory(clone);
        Optional<ResolvedPath> other = directory(source);
        if (own.isEmpty() || other.isEmpty()) {
            return Optional.empty();
        }
        boolean isClone = own.get().isPresent()
                && shows(
                        own.get().inode().orElseThrow(),
                        other.get().inode().orElseThrow(),
                        other.get().snapshot());
        if (!isClone) {
            return Optional.of(OwnNames.NO_CLONE);
        }
        Inode top = own.get().inode().orElseThrow();
        if (hasTwins(top)) {
            // Names that the clone has from its origin lead to files of its own, and no row says which names.
            boolean isFirst = after.isRoot();
            return Optional.of(new OwnNames(
                    true, isFirst ? List.of(new OwnName(FilePath.ROOT, true)) : List.of(), Optional.empty()));
        }
        List<String> components =
                after.isRoot() ? List.of() : List.of(after.value().substring(1).split("/", -1));
        boolean isLast = scan(clone, FilePath.ROOT, View.present(top), components);
        return Optional.of(new OwnNames(true, page, isLast ? Optional.empty() : Optional.of(last)));
    }

    private Optional<ResolvedPath> directory(FilePath path) throws IOException {
        Target target = permissions.reach(namespace, path);
        target.need(AccessMode.READ | AccessMode.SEARCH);
        boolean isList = path.isPast() && PastPath.of(path).isListOfSnapshots();
        return target.inode().filter(Inode::isDirectory).isPresent() && !isList
                ? Optional.of(target.found())
                : Optional.empty();
    }

    /** Returns whether a directory is a clone of another one as of a snapshot. */
    private static boolean shows(Inode directory, Inode other, Optional<Snapshot> snapshot) {
        if (directory.origin().isEmpty() || snapshot.isEmpty() || !other.isDirectory()) {
            return false;
        }
        Origin origin = directory.origin().get();
        return origin.directory() == other.id()
                && origin.owner() == snapshot.get().directory()
                && origin.position() == snapshot.get().position();
    }

    private boolean hasTwins(Inode top) throws IOException {
        long directory = HiddenDirectories.twins(top.id());
        return rows.any(Keys.entries(directory), Keys.entriesEnd(directory));
    }

    /**
     * Adds the names of a directory, and those below them.
     *
     * @param at path of the directory, relative to the clone
     * @param after components of the last name of the page before, from this directory on; empty: the page begins here
     * @return false if the page is full
     */
    private boolean scan(FilePath clone, FilePath at, View in, List<String> after) throws IOException {
        String done = after.isEmpty() ? "" : after.get(0);
        if (!done.isEmpty()) {
            // The name itself was on the page before.
            Optional<Inode> begun = own(in, done);
            if (begun.isPresent()
                    && isShared(begun.get(), origins(in, done))
                    && !descend(clone, at.child(done), begun.get(), after.subList(1, after.size()))) {
                return false;
            }
        }
        for (String name : names(in, done)) {
            if (visited == limit || characters > MOST_CHARACTERS) {
                return false;
            }
            FilePath path = at.child(name);
            visited++;
            characters += path.value().length();
            last = path;
            Optional<Inode> own = own(in, name);
            Optional<View.Seen> origins = origins(in, name);
            boolean isShared = own.isPresent() && isShared(own.get(), origins);
            if (!isShared || differ(own.orElseThrow(), origins.orElseThrow().inode())) {
                boolean isWhole = !isShared && (own.filter(Inode::isDirectory).isPresent() || isDirectory(origins));
                page.add(new OwnName(path, isWhole));
            }
            if (isShared && !descend(clone, path, own.orElseThrow(), List.of())) {
                return false;
            }
        }
        return true;
    }

    private boolean descend(FilePath clone, FilePath at, Inode directory, List<String> after) throws IOException {
        FilePath path = new FilePath(clone.value() + at.value());
        permissions.need(path, directory.attributes(), AccessMode.READ | AccessMode.SEARCH);
        return scan(clone, at, View.present(directory), after);
    }

    private Optional<Inode> own(View in, String name) throws IOException {
        return namespace.entry(in.directory(), name);
    }

    /** Returns whether an own entry is a clone of the origin's directory of this name. */
    private static boolean isShared(Inode own, Optional<View.Seen> origins) {
        return own.isDirectory()
                && origins.isPresent()
                && shows(own, origins.get().inode(), origins.get().snapshot());
    }

    private static boolean isDirectory(Optional<View.Seen> origins) {
        return origins.map(View.Seen::inode).filter(Inode::isDirectory).isPresent();
    }

    /** Returns whether a directory has other attributes than the origin's. A directory's time does not count. */
    private static boolean differ(Inode own, Inode origins) {
        FileAttributes is = own.attributes();
        FileAttributes was = origins.attributes();
        return !is.owner().equals(was.owner())
                || !is.group().equals(was.group())
                || is.mode() != was.mode()
                || !own.extras().extended().equals(origins.extras().extended());
    }

    /** Finds what the origin has by a name, whether the clone still shows it or not. */
    private Optional<View.Seen> origins(View in, String name) throws IOException {
        return namespace.views().entry(in.behind(), name);
    }

    /** Returns own names of a directory and those that its origin shows no more, behind a name: as many as fit in the page, and one. */
    private List<String> names(View in, String after) throws IOException {
        int most = limit - visited + 1;
        TreeMap<FilePath, String> names = new TreeMap<>();
        List<byte[]> kinds = List.of(Keys.entry(in.directory(), after), Keys.gone(in.directory(), after));
        List<byte[]> ends = List.of(Keys.entriesEnd(in.directory()), Keys.gone(in.directory() + 1, ""));
        for (int i = 0; i < kinds.size(); i++) {
            int[] found = {0};
            rows.scan(Keys.after(kinds.get(i)), ends.get(i), (key, value) -> {
                String name = Keys.entryName(key);
                names.put(FilePath.ROOT.child(name), name);
                found[0]++;
                return found[0] < most;
            });
        }
        return names.values().stream().limit(most).toList();
    }
}
