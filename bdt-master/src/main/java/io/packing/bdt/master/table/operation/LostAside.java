// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.master.table.change.FragmentedMaps;
import io.packing.bdt.master.table.change.HeldFiles;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.read.ResolvedPath;
import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Referrer;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Optional;

/**
 * Lost files that an operator has moved below {@code /lost+found}, as {@code packing fsck --repair} does, and lost bytes of the past that an
 * operator has accepted. The operator knows of them, so they are no reason for an alarm any more. They stay lost, and are whole again when their worker comes back with them. Confined to
 * the writer thread.
 */
public final class LostAside {
    static final FilePath FOLDER = FilePath.ROOT.child("lost+found");

    private final Transaction transaction;

    LostAside(Transaction transaction) {
        this.transaction = transaction;
    }

    public static boolean isAside(Inode.Place place) {
        return (place instanceof Inode.Buffered buffered && buffered.sessionEpoch() == HeldFiles.ASIDE)
                || (place instanceof Inode.Missing missing && missing.setAside());
    }

    /** Learns of a file's new name. When that is below the folder, what is lost of the file counts as set aside. */
    void named(FilePath to) throws IOException {
        if (!FOLDER.contains(to)) {
            return;
        }
        ResolvedPath found = transaction.namespace().findFile(to);
        if (found.inode().isEmpty() || !found.isPresent() || found.inode().get().isDirectory()) {
            return;
        }
        Inode file = FragmentedMaps.whole(transaction.rows(), found.inode().get());
        if (file.place() instanceof Inode.Mapped mapped) {
            for (Content content : transaction.contents().of(mapped.map())) {
                Optional<Inode.Place> aside = aside(content.place());
                if (aside.isPresent()) {
                    transaction.contents().place(content, aside.get());
                }
            }
            return;
        }
        Optional<Inode.Place> aside = aside(file.place());
        if (aside.isPresent()) {
            transaction.place(new Namespace.Entry(found.link(), file, false), aside.get());
        }
    }

    /**
     * Sets contents aside whose bytes are lost, and which no file of the present has.
     *
     * @param ids of contents; those that are not lost, or that a file has by now, stay as they are
     * @return the number of files or contents that were set aside, and their bytes
     */
    public static Accepted acceptPast(Transaction transaction, Iterable<Long> ids) throws IOException {
        LostAside lost = new LostAside(transaction);
        Accepted accepted = new Accepted(0, 0);
        for (long id : ids) {
            Optional<Content> content = transaction.contents().get(id);
            if (content.isEmpty() || Referrer.present(transaction.rows(), id).isPresent()) {
                continue;
            }
            Optional<Inode.Place> aside = lost.aside(content.get().place());
            if (aside.isPresent()) {
                transaction.contents().place(content.get(), aside.get());
                accepted = new Accepted(
                        accepted.contents() + 1,
                        accepted.bytes() + content.get().length());
            }
        }
        long unused = transaction.change().nextPosition();
        return accepted;
    }

    /** Numbers of contents that an operator accepts as lost, and of their bytes. */
    public record Accepted(long contents, long bytes) {
        /** Returns the sum of two. */
        public Accepted plus(Accepted other) {
            return new Accepted(contents + other.contents, bytes + other.bytes);
        }
    }

    private Optional<Inode.Place> aside(Inode.Place place) {
        if (isAside(place)) {
            return Optional.empty();
        }
        if (place instanceof Inode.Missing) {
            return Optional.of(new Inode.Missing(true));
        }
        return place instanceof Inode.Buffered buffered
                        && transaction.namespace().placements().isLost(buffered)
                ? Optional.of(
                        new Inode.Buffered(new SessionId(buffered.worker(), HeldFiles.ASIDE), buffered.deferred()))
                : Optional.empty();
    }
}
