// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.master.table.change.MapLayers;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.read.Target;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.ExtraAttributes;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.ReferenceMap;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;

/** The mutation that makes a file without a worker. Its bytes, if it has any, are those of other files. Confined to the writer thread. */
final class FileCreation {
    private static final int NEW_FILE_MODE = 0644;

    private final Transaction transaction;
    private final NamespaceOperations names;
    private final long nowMillis;

    FileCreation(Transaction transaction, NamespaceOperations names, long nowMillis) {
        this.transaction = transaction;
        this.names = names;
        this.nowMillis = nowMillis;
    }

    /** Makes an empty file. */
    Outcome create(Operation.CreateFile create) throws IOException {
        PathChecks.checkCreatable(create.path());
        NamespaceOperations.Freed free = names.makeFree(create.path(), create.overwrite());
        if (free.problem() == Outcome.DONE) {
            FileAttributes none = new FileAttributes(0, nowMillis, "", "", NEW_FILE_MODE);
            return create(free.target(), none, ExtraAttributes.NONE, create.change(), map(ReferenceMap.EMPTY));
        }
        return free.problem();
    }

    /** Gives a new file its bytes, and writes it to its place. */
    private interface Bytes {
        void give(Target place, Inode made) throws IOException;
    }

    private Bytes map(ReferenceMap map) {
        return (place, made) -> {
            transaction.addMapped(place.found().link(), made.at(new Inode.Mapped(map)));
            transaction
                    .change()
                    .journal(made.generation(), transaction.contents().entry(place.path(), made, map));
        };
    }

    private Bytes layer(MapLayers.Frozen frozen, FilePath source) {
        return (place, made) -> {
            EntryLink at = place.found().link();
            transaction.add(
                    at.parent(), at.name(), made.at(transaction.maps().layers().over(frozen, made.id())));
            Inode of = frozen.file();
            JournalEntry.LayeredClone entry = new JournalEntry.LayeredClone(
                    place.path(),
                    made.id(),
                    made.attributes(),
                    made.extras().withLinks(0),
                    source,
                    of.id(),
                    of.generation());
            transaction.change().journal(made.generation(), entry);
        };
    }

    /**
     * Makes a file with the bytes of a map.
     *
     * @param place where no file is
     * @param before attributes that it has where the change names none
     */
    Outcome create(
            Target place, FileAttributes before, ExtraAttributes extras, AttributeChange change, ReferenceMap map)
            throws IOException {
        return create(place, before, extras, change, map(map));
    }

    /** Makes a file, as the other does, with the bytes of a frozen layer that another file has. */
    Outcome create(
            Target place,
            FileAttributes before,
            ExtraAttributes extras,
            AttributeChange change,
            MapLayers.Frozen frozen,
            FilePath source)
            throws IOException {
        return create(place, before, extras, change, layer(frozen, source));
    }

    private Outcome create(
            Target place, FileAttributes before, ExtraAttributes extras, AttributeChange change, Bytes bytes)
            throws IOException {
        Outcome problem = extras.problem(change.extra().extended());
        if (problem != Outcome.DONE) {
            return problem;
        }
        FileAttributes asked = Inode.changed(before, change);
        FilePath path = place.path();
        FileAttributes attributes = place.given(asked);
        names.permissions().privileges().checkExtended(path, attributes, false, change.extra());
        long id = transaction.change().nextId();
        ExtraAttributes own = extras.with(change.extra(), change.mtimeMillis());
        Inode.Place none = new Inode.Mapped(ReferenceMap.EMPTY);
        bytes.give(place, new Inode(id, transaction.change().nextPosition(), attributes, none, own));
        return Outcome.DONE;
    }
}
