package io.packing.bdt.master.table;

import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Optional;

/**
 * Lost files that an operator has moved below {@code /lost+found}, as {@code packing fsck --repair} does: the operator knows of them, so
 * they are no reason for an alarm any more. They stay lost, and are whole again when their worker comes back with them. Confined to
 * the writer thread.
 */
final class LostAside {
    static final FilePath FOLDER = FilePath.ROOT.child("lost+found");

    private final Transaction transaction;

    LostAside(Transaction transaction) {
        this.transaction = transaction;
    }

    static boolean isAside(Inode.Place place) {
        return (place instanceof Inode.Buffered buffered && buffered.epoch() == HeldFiles.ASIDE)
                || (place instanceof Inode.Missing missing && missing.setAside());
    }

    /** Learns of a file's new name. When that is below the folder, what is lost of the file counts as set aside. */
    void named(FilePath to) throws IOException {
        if (!FOLDER.contains(to)) {
            return;
        }
        Namespace.Found found = transaction.namespace().findFile(to);
        if (found.inode().isEmpty() || !found.isPresent() || found.inode().get().isDirectory()) {
            return;
        }
        Inode file = found.inode().get();
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
