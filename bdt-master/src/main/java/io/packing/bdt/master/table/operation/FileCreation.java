// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.read.Target;
import io.packing.bdt.master.table.row.ExtraAttributes;
import io.packing.bdt.master.table.row.Inode;
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
            return create(free.target(), none, ExtraAttributes.NONE, create.change(), ReferenceMap.EMPTY);
        }
        return free.problem();
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
        Inode made = new Inode(id, transaction.change().nextPosition(), attributes, new Inode.Mapped(map), own);
        transaction.addMapped(place.found().link(), made);
        transaction.change().journal(made.generation(), transaction.contents().entry(path, made, map));
        return Outcome.DONE;
    }
}
