package io.packing.bdt.master.table.operation;

import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.master.table.change.HardLinks;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.read.ResolvedPath;
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
        permissions.search(transaction.namespace(), link.file());
        permissions.search(transaction.namespace(), link.name());
        ResolvedPath source = transaction.toChange(link.file());
        if (source.inode().isEmpty()) {
            return source.problem() == Outcome.NOT_A_DIRECTORY ? source.problem() : Outcome.NOT_FOUND;
        }
        if (source.inode().get().isDirectory()) {
            return Outcome.IS_A_DIRECTORY;
        }
        ResolvedPath target = transaction.toChange(link.name());
        if (target.problem() != Outcome.DONE) {
            return target.problem();
        }
        if (target.inode().isPresent()) {
            return Outcome.EXISTS;
        }
        Inode file = transaction.namespace().follow(source).inode().orElseThrow();
        if (file.place() instanceof Inode.Missing) {
            return Outcome.NOT_FOUND;
        }
        PathChecks.checkCreatable(link.name());
        permissions.create(transaction.namespace(), link.name());
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
