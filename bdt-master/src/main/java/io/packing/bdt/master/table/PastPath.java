package io.packing.bdt.master.table;

import io.packing.bdt.Outcome;
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
record PastPath(FilePath directory, List<String> names) {
    PastPath {
        names = List.copyOf(names);
    }

    static PastPath of(FilePath path) {
        String text = path.value();
        int at = path.snapshotsAt();
        String rest = text.substring(at + 1 + FilePath.SNAPSHOTS.length());
        return new PastPath(
                at == 0 ? FilePath.ROOT : new FilePath(text.substring(0, at)),
                rest.isEmpty() ? List.of() : List.of(rest.substring(1).split("/")));
    }

    Namespace.Found find(Namespace present, PastEntries past) throws IOException {
        Namespace.Found of = present.find(directory);
        String last = names.isEmpty() ? FilePath.SNAPSHOTS : names.get(names.size() - 1);
        if (of.inode().isEmpty() || !of.inode().get().isDirectory()) {
            Outcome problem = of.inode().isPresent() ? Outcome.NOT_A_DIRECTORY : Outcome.NO_PARENT;
            return new Namespace.Found(problem, of.parent(), last, Optional.empty());
        }
        Inode owner = of.inode().get();
        if (names.isEmpty()) {
            return new Namespace.Found(Outcome.DONE, owner.id(), last, of.inode());
        }
        Optional<Snapshot> snapshot = past.snapshot(owner.id(), names.get(0));
        if (snapshot.isEmpty()) {
            Outcome problem = names.size() == 1 ? Outcome.DONE : Outcome.NO_PARENT;
            return new Namespace.Found(problem, owner.id(), last, Optional.empty());
        }
        Inode top = shown(owner, snapshot.get());
        return names.size() == 1
                ? new Namespace.Found(Outcome.DONE, owner.id(), last, Optional.of(top))
                : past.find(snapshot.get(), names.subList(1, names.size()));
    }

    /** What is in a directory that was found at this path. */
    List<PastEntries.Named> list(Namespace present, PastEntries past, Inode inode, String startAfter, int limit)
            throws IOException {
        if (names.isEmpty()) {
            return past.snapshots(inode.id()).stream()
                    .map(each -> new PastEntries.Named(each.name(), shown(inode, each)))
                    .sorted(PastEntries.BY_NAME)
                    .filter(each -> startAfter.isEmpty() || PastEntries.compare(each.name(), startAfter) > 0)
                    .limit(limit)
                    .toList();
        }
        Inode owner = present.find(directory).inode().orElseThrow(() -> new IOException(directory + " has just gone"));
        Optional<Snapshot> snapshot = past.snapshot(owner.id(), names.get(0));
        return snapshot.isEmpty() ? List.of() : past.list(inode.id(), snapshot.get(), startAfter, limit);
    }

    /** A snapshot as a directory: of the time at which it was taken. */
    private static Inode shown(Inode directory, Snapshot snapshot) {
        FileAttributes now = directory.attributes();
        return new Inode(
                directory.id(),
                0,
                new FileAttributes(0, snapshot.takenMillis(), now.owner(), now.group(), now.mode()),
                directory.place());
    }
}
