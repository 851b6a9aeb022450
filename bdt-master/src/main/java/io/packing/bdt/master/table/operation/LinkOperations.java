// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.master.table.change.HardLinks;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.read.ResolvedPath;
import io.packing.bdt.master.table.read.Target;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.JournalEntry;
import java.io.IOException;

/** The mutation that gives a file another name (RFC 0009). Confined to the writer thread. */
final class LinkOperations {
    private final Transaction transaction;
    private final Permissions permissions;
    private final HardLinks links;

    LinkOperations(Transaction transaction, Permissions permissions) {
        this.transaction = transaction;
        this.permissions = permissions;
        this.links = new HardLinks(transaction);
    }

    Outcome link(Operation.Link link) throws IOException {
        PathChecks.checkPresent(link.file());
        PathChecks.checkPresent(link.name());
        Target reachedFile = permissions.reach(transaction.namespace(), link.file());
        Target reachedName = permissions.reach(transaction.namespace(), link.name());
        Target changed = transaction.toChange(reachedFile);
        ResolvedPath source = changed.found();
        if (source.inode().isEmpty()) {
            return source.whyAbsent();
        }
        if (source.inode().get().isDirectory()) {
            return Outcome.IS_A_DIRECTORY;
        }
        Target place = transaction.toChange(changed == reachedFile ? reachedName : reachedName.again());
        ResolvedPath target = place.found();
        if (target.problem() != Outcome.DONE) {
            return target.problem();
        }
        if (target.inode().isPresent()) {
            return Outcome.EXISTS;
        }
        Inode file = changed.file().inode().orElseThrow();
        if (file.place() instanceof Inode.Missing) {
            return Outcome.NOT_FOUND;
        }
        PathChecks.checkCreatable(link.name());
        place.create();
        permissions.privileges().link(link.file(), file);
        boolean isFirst = !(source.inode().get().place() instanceof Inode.Linked);
        if (isFirst) {
            links.hide(source.link(), file);
        }
        Inode hidden = links.hidden(file.id()).orElseThrow();
        long position = transaction.change().nextPosition();
        JournalEntry.Linked linked = new JournalEntry.Linked(
                link.file(),
                link.name(),
                isFirst ? transaction.change().nextId() : 0,
                transaction.change().nextId(),
                hidden.id(),
                hidden.generation(),
                hidden.attributes(),
                hidden.extras().withLinks(0));
        long length = hidden.attributes().length();
        if (isFirst) {
            links.addName(source.link(), linked.firstName(), file.id(), position, length);
        }
        links.addName(target.link(), linked.newName(), file.id(), position, length);
        transaction.change().journal(position, linked);
        return Outcome.DONE;
    }
}
