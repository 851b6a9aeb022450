// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.AccessMode;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.master.table.change.FragmentedMaps;
import io.packing.bdt.master.table.change.HardLinks;
import io.packing.bdt.master.table.change.MapEdit;
import io.packing.bdt.master.table.change.MapLayers;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.read.Privileges;
import io.packing.bdt.master.table.read.ResolvedPath;
import io.packing.bdt.master.table.read.Target;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.ExtraAttributes;
import io.packing.bdt.master.table.row.HiddenDirectories;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.MapChain;
import io.packing.bdt.master.table.row.ReferenceMap;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Optional;

/** The mutations of files' bytes by their addresses: clone, move and delete of ranges (ANViL §3.1). Confined to the writer thread. */
final class RangeOperations {
    private final Transaction transaction;
    private final NamespaceOperations names;
    private final FileCreation files;
    private final long nowMillis;

    RangeOperations(Transaction transaction, NamespaceOperations names, FileCreation files, long nowMillis) {
        this.transaction = transaction;
        this.names = names;
        this.files = files;
        this.nowMillis = nowMillis;
    }

    /** A file from which the operation before took bytes. */
    private record Source(RangeTarget target, ReferenceMap map) {}

    private Optional<FileEdit> edit = Optional.empty();
    private Optional<Source> source = Optional.empty();

    private Optional<FileEdit> edit(FilePath path) {
        return edit.filter(each -> each.path().equals(path));
    }

    /** Writes what operations changed so far. */
    void close() throws IOException {
        Optional<FileEdit> last = edit;
        edit = Optional.empty();
        source = Optional.empty();
        if (last.isPresent() && last.get().isChanged()) {
            RangeTarget target = file(last.get().path());
            Inode before = transaction.share(target.at(), target.file());
            Inode after = changed(before, last.get().length());
            JournalEntry entry = last.get().map().write(target.path(), before, after);
            transaction.change().journal(after.generation(), entry);
        }
    }

    /** A file whose bytes are about to change; DONE: it is being edited from now on. */
    private Outcome open(FilePath path) throws IOException {
        if (edit(path).isPresent()) {
            needToWrite(path);
            return Outcome.DONE;
        }
        close();
        return open(writable(path));
    }

    private Outcome open(RangeTarget target) throws IOException {
        if (target.changeable() == Outcome.DONE) {
            boolean inRows = target.file().place() instanceof Inode.Fragmented;
            MapEdit map = new MapEdit(
                    transaction, target.at(), target.file(), inRows ? Optional.empty() : Optional.of(shared(target)));
            edit = Optional.of(new FileEdit(target.path(), target.at(), target.length(), map));
        }
        return target.changeable();
    }

    /** The file that is being edited has another length. */
    private void resize(FileEdit file, long length) throws IOException {
        if (length != file.length()) {
            count(file.path(), file.at(), file.length(), length);
            file.resize(length);
        }
    }

    Outcome clone(Operation.CloneRange clone) throws IOException {
        ByteRange from = clone.source();
        FilePath destination = clone.destination();
        PathChecks.checkPresent(destination);
        if (from.path().equals(destination)) {
            need(destination, AccessMode.READ);
            return within(from, destination, clone.at(), false);
        }
        need(from.path(), AccessMode.READ);
        need(destination, AccessMode.WRITE);
        if (edit(destination).isEmpty()) {
            close();
            // Both before any is looked at: what becomes a clone's own shares the bytes of the one that it had them
            // from.
            ResolvedPath unused = transaction.toChange(destination);
        }
        RangeTarget other = source(from.path());
        if (edit.isPresent() && edit.get().at().equals(other.at())) {
            // By another name, or as a snapshot has it.
            close();
            other = file(from.path());
        }
        if (other.changeable() != Outcome.DONE) {
            return other.changeable();
        }
        if (edit(destination).isEmpty()) {
            RangeTarget to = file(destination);
            if (to.changeable() != Outcome.DONE) {
                return to.changeable();
            }
            if (to.at().equals(other.at())) {
                return splice(from, destination, clone.at(), false);
            }
        }
        if (from.end() > other.length()) {
            return Outcome.INVALID;
        }
        ReferenceMap bytes = slice(other, from);
        if (transaction.contents().isUncommitted(bytes)) {
            return Outcome.UNCOMMITTED;
        }
        Optional<Source> known = source;
        Outcome opened = open(destination);
        source = known;
        if (opened == Outcome.DONE) {
            put(edit.orElseThrow(), clone.at(), from.length(), bytes);
        }
        return opened;
    }

    private void put(FileEdit to, long at, long length, ReferenceMap bytes) throws IOException {
        to.put(at, length, bytes);
        resize(to, Math.max(to.length(), at + length));
    }

    Outcome move(Operation.MoveRange move) throws IOException {
        FilePath destination = move.destination();
        PathChecks.checkPresent(destination);
        PathChecks.checkPresent(move.source().path());
        if (move.source().path().equals(destination)) {
            need(destination, AccessMode.READ | AccessMode.WRITE);
            return within(move.source(), destination, move.at(), true);
        }
        close();
        return splice(move.source(), destination, move.at(), true);
    }

    /** Gives a range of a file the bytes of another one of its ranges. */
    private Outcome within(ByteRange from, FilePath path, long at, boolean takeOut) throws IOException {
        Outcome opened = open(path);
        if (opened != Outcome.DONE) {
            return opened;
        }
        FileEdit file = edit.orElseThrow();
        if (from.end() > file.length()) {
            return Outcome.INVALID;
        }
        ReferenceMap bytes = file.slice(from.offset(), from.length());
        if (transaction.contents().isUncommitted(bytes)) {
            return Outcome.UNCOMMITTED;
        }
        if (takeOut) {
            file.remove(from.offset(), from.length());
        }
        put(file, at, from.length(), bytes);
        return Outcome.DONE;
    }

    /** Changes two files, or one by two names, at once. */
    private Outcome splice(ByteRange range, FilePath destination, long at, boolean takeOut) throws IOException {
        need(range.path(), AccessMode.READ);
        if (takeOut) {
            needToWrite(range.path());
        }
        needToWrite(destination);
        // Both before any is looked at: what becomes a clone's own shares the bytes of the one that it had them from.
        ResolvedPath unused = transaction.toChange(destination);
        if (takeOut) {
            unused = transaction.toChange(range.path());
        }
        RangeTarget from = file(range.path());
        if (from.changeable() != Outcome.DONE) {
            return from.changeable();
        }
        RangeTarget to = file(destination);
        if (to.changeable() != Outcome.DONE) {
            return to.changeable();
        }
        if (range.end() > from.length()) {
            return Outcome.INVALID;
        }
        // A snapshot, or the origin of a clone, may have another version in the same place.
        boolean within = from.isOneWith(to);
        ReferenceMap map = shared(from);
        ReferenceMap left = takeOut ? map.without(range.offset(), range.length()) : map;
        ReferenceMap bytes = map.slice(range.offset(), range.length());
        if (transaction.contents().isUncommitted(bytes)) {
            return Outcome.UNCOMMITTED;
        }
        ReferenceMap into = within ? left : shared(to);
        long length = Math.max(to.length(), at + range.length());
        // The destination first: the source may be the last file that has the bytes.
        count(destination, to.at(), to.length(), length);
        change(file(destination), into.with(at, range.length(), bytes), length);
        if (takeOut && !within) {
            change(file(range.path()), left, from.length());
        }
        return Outcome.DONE;
    }

    Outcome delete(ByteRange range) throws IOException {
        PathChecks.checkPresent(range.path());
        Outcome opened = open(range.path());
        if (opened != Outcome.DONE) {
            return opened;
        }
        FileEdit file = edit.orElseThrow();
        if (range.offset() >= file.length()) {
            return Outcome.INVALID;
        }
        if (range.end() >= file.length()) {
            return cut(file, range.offset());
        }
        file.remove(range.offset(), range.length());
        return Outcome.DONE;
    }

    Outcome truncate(FilePath path, long length) throws IOException {
        PathChecks.checkPresent(path);
        if (edit(path).isPresent()) {
            needToWrite(path);
            return cut(edit.orElseThrow(), length);
        }
        close();
        RangeTarget target = writable(path);
        if (target.changeable() != Outcome.DONE || length == target.length()) {
            return target.changeable();
        }
        Outcome opened = open(target);
        return opened == Outcome.DONE ? cut(edit.orElseThrow(), length) : opened;
    }

    private Outcome cut(FileEdit file, long length) throws IOException {
        if (length < file.length()) {
            file.cut(length);
        }
        resize(file, length);
        return Outcome.DONE;
    }

    Outcome cloneFile(Operation.CloneFile clone) throws IOException {
        Target asked = names.permissions().reach(transaction.namespace(), clone.source());
        RangeTarget from = RangeTarget.of(clone.source(), asked.file());
        if (from.changeable() != Outcome.DONE) {
            return from.changeable();
        }
        names.permissions().need(clone.source(), from.file().attributes(), AccessMode.READ);
        if (clone.source().equals(clone.destination())) {
            return Outcome.INVALID;
        }
        if (isUncommitted(from)) {
            return Outcome.UNCOMMITTED;
        }
        PathChecks.checkCreatable(clone.destination());
        NamespaceOperations.Freed free = names.makeFree(clone.destination(), clone.overwrite());
        if (free.problem() != Outcome.DONE) {
            return free.problem();
        }
        RangeTarget source = file(clone.source());
        AttributeChange now = AttributeChange.ofMtime(nowMillis);
        FileAttributes own = privileges().cloned(Inode.changed(from.file().attributes(), now));
        ExtraAttributes extras = privileges().cloned(from.file().extras()).withLinks(0);
        Optional<MapLayers.Frozen> frozen = transaction.maps().layers().freeze(source.at(), source.file());
        Outcome created = frozen.isPresent()
                ? files.create(free.target(), own, extras.withoutTimes(), clone.change(), frozen.get(), clone.source())
                : files.create(free.target(), own, extras.withoutTimes(), clone.change(), shared(source));
        if (created == Outcome.DONE) {
            new LostAside(transaction).named(clone.destination());
        }
        return created;
    }

    /** Returns whether bytes of a file may not be shared yet. A map that layers share has none of these: no vector takes them into a map. */
    private boolean isUncommitted(RangeTarget from) throws IOException {
        boolean isRead = Inode.hasMap(from.file().place())
                && !transaction.maps().layers().isShared(from.file().place());
        return isRead && transaction.contents().isUncommitted(shared(from));
    }

    private void need(FilePath path, int rights) throws IOException {
        Optional<FileEdit> open = edit(path);
        if (open.isEmpty() || !open.get().isChecked(rights)) {
            names.permissions().need(transaction.namespace(), path, rights);
            open.ifPresent(each -> each.checked(rights));
        }
    }

    /** A file of which only bytes are taken. */
    private RangeTarget source(FilePath path) throws IOException {
        return source.isPresent() && source.get().target().path().equals(path)
                ? source.get().target()
                : file(path);
    }

    private ReferenceMap slice(RangeTarget other, ByteRange range) throws IOException {
        return other.file().place() instanceof Inode.Fragmented
                ? MapChain.of(transaction.rows(), other.file())
                        .slice(transaction.rows(), range.offset(), range.length())
                : map(other).slice(range.offset(), range.length());
    }

    /** The map of a file that stays as it is until {@link #close}. */
    private ReferenceMap map(RangeTarget other) throws IOException {
        if (source.isEmpty() || !source.get().target().equals(other)) {
            source = Optional.of(new Source(other, shared(other)));
        }
        return source.get().map();
    }

    private void needToWrite(FilePath path) throws IOException {
        Optional<FileEdit> open = edit(path);
        if (open.isEmpty() || !open.get().isChecked(AccessMode.WRITE)) {
            if (names.permissions().isChecked()) {
                checkWrite(names.reach(path));
            }
            open.ifPresent(each -> each.checked(AccessMode.WRITE));
        }
    }

    /** Finds a file that is about to change, and that the caller may write. */
    private RangeTarget writable(FilePath path) throws IOException {
        Target target = names.reach(path);
        checkWrite(target);
        return RangeTarget.of(path, transaction.toChange(target).file());
    }

    private void checkWrite(Target target) throws IOException {
        target.need(AccessMode.WRITE);
        Optional<Inode> there = names.permissions().isChecked() ? target.file().inode() : Optional.empty();
        if (there.isPresent()) {
            privileges().write(target.path(), there.get());
        }
    }

    private Privileges privileges() {
        return names.permissions().privileges();
    }

    private RangeTarget file(FilePath path) throws IOException {
        return RangeTarget.of(path, transaction.namespace().findFile(path));
    }

    private ReferenceMap shared(RangeTarget target) throws IOException {
        if (target.length() == 0 && !Inode.hasMap(target.file().place())) {
            // It stays its worker's: no journal entry would name it.
            return ReferenceMap.EMPTY;
        }
        Inode shared = FragmentedMaps.whole(transaction.rows(), transaction.share(target.at(), target.file()));
        return ((Inode.Mapped) shared.place()).map();
    }

    private void change(RangeTarget target, ReferenceMap map, long length) throws IOException {
        Inode before = transaction.share(target.at(), target.file());
        Inode after = changed(before, length).at(new Inode.Mapped(map));
        Inode unused = transaction.maps().remap(transaction, target.at(), before, after);
        transaction.change().journal(after.generation(), transaction.contents().entry(target.path(), after, map));
    }

    /** Returns a file whose bytes change now. */
    private Inode changed(Inode before, long length) throws IOException {
        FileAttributes old = before.attributes();
        FileAttributes attributes = new FileAttributes(
                length, nowMillis, old.owner(), old.group(), privileges().written(old.mode()));
        ExtraAttributes extras = privileges().written(before.extras().withoutTimes());
        return new Inode(before.id(), transaction.change().nextPosition(), attributes, before.place(), extras);
    }

    /** A file is about to have another length. */
    private void count(FilePath path, EntryLink at, long before, long length) throws IOException {
        if (at.parent() == HiddenDirectories.FILES) {
            HardLinks.resized(transaction, path, Long.parseLong(at.name()), length);
        } else {
            transaction.quotas().grew(at.parent(), length - before);
        }
    }
}
