package io.packing.bdt.master.table;

import io.packing.bdt.AccessMode;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Optional;

/** The mutations of files' bytes by their addresses: clone, move and delete of ranges (ANViL §3.1). Confined to the writer thread. */
final class RangeOperations {
    private static final int NEW_FILE_MODE = 0644;

    private final Transaction transaction;
    private final NamespaceOperations names;
    private final long nowMillis;

    RangeOperations(Transaction transaction, NamespaceOperations names, long nowMillis) {
        this.transaction = transaction;
        this.names = names;
        this.nowMillis = nowMillis;
    }

    /** A file at its place, or why there is none. */
    private record Target(Outcome problem, FilePath path, Namespace.Link at, Optional<Inode> inode) {
        Inode file() {
            return inode.orElseThrow();
        }

        long length() {
            return file().attributes().length();
        }

        boolean has(ByteRange range) {
            return range.end() <= length();
        }

        /** What a change must heed; DONE: nothing. */
        Outcome changeable() {
            return problem == Outcome.DONE && file().isUncommitted() ? Outcome.UNCOMMITTED : problem;
        }
    }

    Outcome clone(Operation.CloneRange clone) throws IOException {
        return splice(clone.source(), clone.destination(), clone.at(), false);
    }

    Outcome move(Operation.MoveRange move) throws IOException {
        return splice(move.source(), move.destination(), move.at(), true);
    }

    private Outcome splice(ByteRange source, FilePath destination, long at, boolean takeOut) throws IOException {
        NamespaceOperations.checkPresent(destination);
        if (takeOut) {
            NamespaceOperations.checkPresent(source.path());
        }
        need(source.path(), AccessMode.READ);
        if (takeOut) {
            needToWrite(source.path());
        }
        needToWrite(destination);
        // Both before any is looked at: what becomes a clone's own shares the bytes of the one that it had them from.
        transaction.toChange(destination);
        if (takeOut) {
            transaction.toChange(source.path());
        }
        Target from = file(source.path());
        if (from.changeable() != Outcome.DONE) {
            return from.changeable();
        }
        Target to = file(destination);
        if (to.changeable() != Outcome.DONE) {
            return to.changeable();
        }
        if (!from.has(source)) {
            return Outcome.INVALID;
        }
        // A snapshot, or the origin of a clone, may have another version in the same place.
        boolean within = from.at().equals(to.at())
                && from.file().version().equals(to.file().version());
        ReferenceMap map = shared(from);
        ReferenceMap left = takeOut ? map.without(source.offset(), source.length()) : map;
        ReferenceMap bytes = map.slice(source.offset(), source.length());
        if (isUncommitted(bytes)) {
            return Outcome.UNCOMMITTED;
        }
        ReferenceMap into = within ? left : shared(to);
        // The destination first: whoever takes the bytes out may have been the last to have them.
        change(file(destination), into.with(at, source.length(), bytes), Math.max(to.length(), at + source.length()));
        if (takeOut && !within) {
            change(file(source.path()), left, from.length());
        }
        return Outcome.DONE;
    }

    Outcome delete(ByteRange range) throws IOException {
        NamespaceOperations.checkPresent(range.path());
        needToWrite(range.path());
        Target target = toChange(range.path());
        if (target.changeable() != Outcome.DONE) {
            return target.changeable();
        }
        if (range.offset() >= target.length()) {
            return Outcome.INVALID;
        }
        if (range.end() >= target.length()) {
            return truncate(range.path(), range.offset());
        }
        ReferenceMap map = shared(target).without(range.offset(), range.length());
        change(file(range.path()), map, target.length());
        return Outcome.DONE;
    }

    Outcome truncate(FilePath path, long length) throws IOException {
        NamespaceOperations.checkPresent(path);
        needToWrite(path);
        Target target = toChange(path);
        if (target.changeable() != Outcome.DONE || length == target.length()) {
            return target.changeable();
        }
        ReferenceMap map = shared(target);
        change(file(path), length < target.length() ? map.slice(0, length) : map, length);
        return Outcome.DONE;
    }

    Outcome cloneFile(Operation.CloneFile clone) throws IOException {
        need(clone.source(), AccessMode.READ);
        Target from = file(clone.source());
        if (from.changeable() != Outcome.DONE) {
            return from.changeable();
        }
        if (clone.source().equals(clone.destination())) {
            return Outcome.INVALID;
        }
        if (from.file().place() instanceof Inode.Mapped mapped && isUncommitted(mapped.map())) {
            return Outcome.UNCOMMITTED;
        }
        NamespaceOperations.checkCreatable(clone.destination());
        Outcome free = names.makeFree(clone.destination(), clone.overwrite());
        if (free != Outcome.DONE) {
            return free;
        }
        ReferenceMap map = shared(file(clone.source()));
        FileAttributes attributes =
                NamespaceOperations.changed(from.file().attributes(), AttributeChange.ofMtime(nowMillis));
        Extras extras = privileges().cloned(from.file().extras()).withLinks(0);
        return create(clone.destination(), privileges().cloned(attributes), extras.withoutTimes(), clone.change(), map);
    }

    Outcome createFile(Operation.CreateFile create) throws IOException {
        NamespaceOperations.checkCreatable(create.path());
        Outcome free = names.makeFree(create.path(), create.overwrite());
        if (free == Outcome.DONE) {
            FileAttributes none = new FileAttributes(0, nowMillis, "", "", NEW_FILE_MODE);
            return create(create.path(), none, Extras.NONE, create.change(), ReferenceMap.EMPTY);
        }
        return free;
    }

    private Outcome create(
            FilePath path, FileAttributes before, Extras extras, AttributeChange change, ReferenceMap map)
            throws IOException {
        Outcome problem = extras.problem(change.extra().extended());
        if (problem != Outcome.DONE) {
            return problem;
        }
        FileAttributes asked = NamespaceOperations.changed(before, change);
        FileAttributes attributes = names.permissions().given(transaction.namespace(), path, asked);
        privileges().checkExtended(path, attributes, false, change.extra());
        Namespace.Link at = transaction.toChange(path).link();
        long id = transaction.counters().nextId++;
        Extras own = extras.with(change.extra(), change.mtimeMillis());
        Inode made = new Inode(id, transaction.nextPosition(), attributes, new Inode.Mapped(map), own);
        transaction.addMapped(at, made);
        journal(path, made, map);
        return Outcome.DONE;
    }

    private void need(FilePath path, int rights) throws IOException {
        names.permissions().need(transaction.namespace(), path, rights);
    }

    private void needToWrite(FilePath path) throws IOException {
        need(path, AccessMode.WRITE);
        Optional<Inode> there = names.permissions().isChecked()
                ? transaction.namespace().findFile(path).inode()
                : Optional.empty();
        if (there.isPresent()) {
            privileges().write(path, there.get());
        }
    }

    private Privileges privileges() {
        return names.permissions().privileges();
    }

    /** Whether bytes may go with a worker's disk although their mount asks for more. */
    private boolean isUncommitted(ReferenceMap map) throws IOException {
        for (Content each : transaction.contents().of(map)) {
            if (Inode.isUncommitted(each.place())) {
                return true;
            }
        }
        return false;
    }

    private Target file(FilePath path) throws IOException {
        return target(path, transaction.namespace().findFile(path));
    }

    private Target toChange(FilePath path) throws IOException {
        return target(path, transaction.namespace().follow(transaction.toChange(path)));
    }

    private static Target target(FilePath path, Namespace.Found found) {
        Namespace.Link at = found.link();
        if (found.inode().isEmpty()) {
            Outcome problem = found.problem() == Outcome.NOT_A_DIRECTORY ? found.problem() : Outcome.NOT_FOUND;
            return new Target(problem, path, at, Optional.empty());
        }
        Inode inode = found.inode().get();
        // Of one that is missing nobody knows what it was made of.
        Outcome present = inode.place() instanceof Inode.Missing ? Outcome.NOT_FOUND : Outcome.DONE;
        Outcome problem = inode.isDirectory() ? Outcome.IS_A_DIRECTORY : present;
        return new Target(problem, path, at, found.inode());
    }

    private ReferenceMap shared(Target target) throws IOException {
        if (target.file().place() instanceof Inode.Mapped mapped) {
            return mapped.map();
        }
        if (target.length() == 0) {
            // It stays its worker's: no journal entry would name it.
            return ReferenceMap.EMPTY;
        }
        Inode shared = transaction.share(target.at(), target.file());
        return ((Inode.Mapped) shared.place()).map();
    }

    private void change(Target target, ReferenceMap map, long length) throws IOException {
        Inode before = transaction.share(target.at(), target.file());
        FileAttributes old = before.attributes();
        FileAttributes attributes = new FileAttributes(
                length, nowMillis, old.owner(), old.group(), privileges().written(old.mode()));
        Extras extras = privileges().written(before.extras().withoutTimes());
        Inode after = new Inode(before.id(), transaction.nextPosition(), attributes, new Inode.Mapped(map), extras);
        transaction.remap(target.at(), before, after);
        if (target.at().parent() == HardLinks.DIRECTORY) {
            HardLinks.resized(transaction, target.path(), length);
        }
        journal(target.path(), after, map);
    }

    private void journal(FilePath path, Inode file, ReferenceMap map) throws IOException {
        transaction.journal(file.generation(), transaction.contents().entry(path, file, map));
    }
}
