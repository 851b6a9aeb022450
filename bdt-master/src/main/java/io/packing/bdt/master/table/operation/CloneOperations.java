// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.AccessMode;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.change.TreeClones;
import io.packing.bdt.master.table.read.PastPath;
import io.packing.bdt.master.table.read.ResolvedPath;
import io.packing.bdt.master.table.read.Target;
import io.packing.bdt.master.table.row.ExtraAttributes;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.blob.FileAttributes;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The mutation that makes a clone of a tree (RFC 0001). Confined to the writer thread. */
final class CloneOperations {
    private final Transaction transaction;
    private final NamespaceOperations names;
    private final TreeClones clones;

    CloneOperations(Transaction transaction, NamespaceOperations names) {
        this.transaction = transaction;
        this.names = names;
        this.clones = new TreeClones(transaction);
    }

    /** Makes a clone of a tree. Its top belongs to the caller. */
    Outcome clone(Operation.CloneDirectory clone, long nowMillis) throws IOException {
        names.permissions().need(transaction.namespace(), clone.source(), AccessMode.READ | AccessMode.SEARCH);
        Target place = names.reach(clone.destination());
        place.create();
        Outcome cloned = add(clone, nowMillis);
        if (cloned != Outcome.DONE || !names.permissions().isChecked()) {
            return cloned;
        }
        ResolvedPath made = transaction.toChange(clone.destination());
        Inode top = made.inode().orElseThrow(() -> new IOException(clone.destination() + " has just gone"));
        FileAttributes own = place.given(top.attributes());
        ExtraAttributes extras = names.permissions().privileges().cloned(top.extras());
        if (!own.equals(top.attributes()) || !extras.equals(top.extras())) {
            transaction.setAttributes(made.link(), top, own, extras);
            List<ExtendedChange> dropped = top.extras().extended().keySet().stream()
                    .filter(name -> !extras.extended().containsKey(name))
                    .map(name -> ExtendedChange.of(ExtendedChange.Kind.DROP, name))
                    .toList();
            names.journalGiven(
                    clone.destination(), top.attributes(), own, new RareAttributeChange(dropped, 0, Optional.empty()));
        }
        return Outcome.DONE;
    }

    private Outcome add(Operation.CloneDirectory clone, long nowMillis) throws IOException {
        PathChecks.checkPresent(clone.destination());
        PathChecks.checkCreatable(clone.destination());
        ResolvedPath source = clones.source(clone.source());
        if (source.inode().isEmpty()) {
            return source.whyAbsent();
        }
        if (!source.inode().get().isDirectory()) {
            return Outcome.NOT_A_DIRECTORY;
        }
        boolean isList = clone.source().isPast() && PastPath.of(clone.source()).isListOfSnapshots();
        if (isList || clone.source().contains(clone.destination())) {
            return Outcome.INVALID;
        }
        ResolvedPath target = transaction.toChange(clone.destination());
        if (target.problem() != Outcome.DONE) {
            return target.problem();
        }
        if (target.inode().isPresent()) {
            return Outcome.EXISTS;
        }
        long position = transaction.change().nextPosition();
        JournalEntry.Cloned cloned = new JournalEntry.Cloned(
                clone.source(),
                clone.destination(),
                transaction.change().nextId(),
                transaction.change().freeId(),
                nowMillis);
        clones.add(cloned, source, target.link(), position);
        transaction.change().journal(position, cloned);
        return Outcome.DONE;
    }
}
