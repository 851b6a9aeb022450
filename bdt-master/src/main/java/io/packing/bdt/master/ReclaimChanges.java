package io.packing.bdt.master;

import io.packing.bdt.Outcome;
import io.packing.bdt.Reclaim;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a worker's new session does with what its buffer still holds. Confined to the writer thread. */
final class ReclaimChanges {
    private final Table table;

    ReclaimChanges(Table table) {
        this.table = table;
    }

    List<Optional<FileVersion>> reclaim(String worker, long epoch, List<Reclaim> buffered) throws IOException {
        table.checkSession(worker, epoch);
        List<Optional<FileVersion>> answers = new ArrayList<>(buffered.size());
        for (Reclaim file : buffered) {
            answers.add(reclaim(worker, epoch, file));
        }
        return answers;
    }

    boolean reclaimed(String worker, long epoch) throws IOException {
        SessionRow session = table.checkSession(worker, epoch);
        table.putSession(new SessionRow(worker, epoch, session.address(), epoch, session.buffer()));
        table.replacements().endOlder(worker, epoch);
        table.nextPosition();
        return true;
    }

    private Optional<FileVersion> reclaim(String worker, long epoch, Reclaim file) throws IOException {
        long id = file.version().id();
        Optional<Namespace.Entry> known = table.namespace().linked(id);
        if (known.isPresent()) {
            return reclaimKnown(known.get(), worker, epoch, file);
        }
        return id < table.counters().nextId && table.recoveredAt() > 0
                ? reclaimLost(worker, epoch, file)
                : Optional.empty();
    }

    private Optional<FileVersion> reclaimKnown(Namespace.Entry known, String worker, long epoch, Reclaim file)
            throws IOException {
        Inode inode = known.inode();
        boolean same = file.version().generation() == 0 || file.version().generation() == inode.generation();
        boolean buffered =
                inode.place() instanceof Inode.Buffered b && b.worker().equals(worker);
        if (!same || !buffered) {
            return Optional.empty();
        }
        table.owned(known, epoch);
        return Optional.of(inode.version());
    }

    /** The table was recovered without this claim: takes it again, unless what the journal knows speaks against it. */
    private Optional<FileVersion> reclaimLost(String worker, long epoch, Reclaim file) throws IOException {
        Optional<FilePath> path = new History(table).whereIs(file);
        if (path.isEmpty() || file.version().generation() > table.recoveredAt()) {
            return Optional.empty();
        }
        NamespaceChanges directories = new NamespaceChanges(table);
        Outcome made = directories.makeParents(
                path.get(),
                ClaimChanges.impliedDirectory(file.attributes()),
                file.attributes().mtimeMillis(),
                true);
        Namespace.Found found = table.namespace().find(path.get());
        if (made != Outcome.DONE || found.problem() != Outcome.DONE) {
            return Optional.empty();
        }
        Namespace.Link at = new Namespace.Link(found.parent(), found.name());
        Optional<Inode> there = found.inode();
        if (there.isPresent()
                && (there.get().isDirectory()
                        || there.get().generation() >= file.version().generation())) {
            return Optional.empty();
        }
        long generation = file.version().generation() > 0 ? file.version().generation() : table.nextPosition();
        Inode inode = new Inode(
                file.version().id(), generation, file.attributes(), new Inode.Buffered(worker, epoch, file.deferred()));
        if (there.isEmpty()) {
            table.add(found.parent(), found.name(), inode);
        } else if (file.deferred()) {
            table.addWaiting(at, inode);
        } else {
            table.supersede(at, there.get(), inode);
        }
        return Optional.of(inode.version());
    }
}
