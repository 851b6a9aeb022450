// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.Outcome;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Snapshot;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A path into the past: {@code DIRECTORY/.snapshot}, the snapshots of a directory, or {@code DIRECTORY/.snapshot/NAME/REST},
 * what was in it.
 *
 * @param names the name of a snapshot and the components below it
 */
public record PastPath(FilePath directory, List<String> names) {
    public PastPath {
        names = List.copyOf(names);
    }

    public static PastPath of(FilePath path) {
        String text = path.value();
        int at = path.snapshotsAt();
        String rest = text.substring(at + 1 + FilePath.SNAPSHOTS.length());
        return new PastPath(
                at == 0 ? FilePath.ROOT : new FilePath(text.substring(0, at)),
                rest.isEmpty() ? List.of() : List.of(rest.substring(1).split("/")));
    }

    /**
     * Finds the entry at this path.
     *
     * @param of the directory
     */
    ResolvedPath find(ResolvedPath of, PastEntries past, Views views) throws IOException {
        String last = names.isEmpty() ? FilePath.SNAPSHOTS : names.get(names.size() - 1);
        if (of.inode().isEmpty() || !of.inode().get().isDirectory()) {
            Outcome problem = of.inode().isPresent() ? Outcome.NOT_A_DIRECTORY : Outcome.NO_PARENT;
            return new ResolvedPath(problem, of.parent(), last, Optional.empty(), Optional.empty());
        }
        Inode owner = of.inode().get();
        if (names.isEmpty()) {
            return new ResolvedPath(Outcome.DONE, owner.id(), last, of.inode(), of.snapshot());
        }
        // What a clone has not made its own has no snapshots: those of its origin are not the clone's.
        Optional<Snapshot> snapshot = of.isPresent() ? past.snapshot(owner.id(), names.get(0)) : Optional.empty();
        if (snapshot.isEmpty()) {
            Outcome problem = names.size() == 1 ? Outcome.DONE : Outcome.NO_PARENT;
            return new ResolvedPath(problem, owner.id(), last, Optional.empty(), Optional.empty());
        }
        Inode top = shown(owner, snapshot.get());
        return names.size() == 1
                ? new ResolvedPath(Outcome.DONE, owner.id(), last, Optional.of(top), snapshot)
                : below(views, View.of(top, snapshot));
    }

    private ResolvedPath below(Views views, View top) throws IOException {
        View at = top;
        for (int i = 1; ; i++) {
            Optional<View.Seen> seen = views.entry(at, names.get(i));
            if (i == names.size() - 1) {
                return ResolvedPath.of(seen, at, names.get(i));
            }
            if (seen.isEmpty() || !seen.get().inode().isDirectory()) {
                Outcome problem = seen.isEmpty() ? Outcome.NO_PARENT : Outcome.NOT_A_DIRECTORY;
                return ResolvedPath.nothing(problem, at, names.get(names.size() - 1));
            }
            at = seen.get().inside();
        }
    }

    /** Returns whether it is the directory of the snapshots, and not an entry that one of them sees. */
    public boolean isListOfSnapshots() {
        return names.isEmpty();
    }

    /** Lists the snapshots of the directory, as directories. */
    static List<PastEntries.Named> snapshots(Inode directory, PastEntries past, String startAfter, int limit)
            throws IOException {
        return past.named(directory.id(), startAfter, limit).stream()
                .map(each -> new PastEntries.Named(each.name(), shown(directory, each)))
                .toList();
    }

    /** Returns a snapshot as a directory: with the owner, group, mode and extended attributes of when it was taken, as far as it has them. */
    private static Inode shown(Inode directory, Snapshot snapshot) {
        Inode root = snapshot.root().orElse(directory);
        FileAttributes was = root.attributes();
        return new Inode(
                directory.id(),
                0,
                new FileAttributes(0, snapshot.takenMillis(), was.owner(), was.group(), was.mode()),
                directory.place(),
                root.extras().withoutTimes());
    }
}
