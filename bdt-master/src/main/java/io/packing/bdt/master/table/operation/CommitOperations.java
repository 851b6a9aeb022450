// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The mutation by which workers say where pushed files are. Confined to the writer thread. */
public final class CommitOperations {
    private final Transaction transaction;

    public CommitOperations(Transaction transaction) {
        this.transaction = transaction;
    }

    /**
     * Replaces a worker's claims by extents in its own blobs. Versions that are gone are passed over: their bytes are dead.
     *
     * @throws IllegalArgumentException when the worker says what cannot be: then nothing of it is believed
     */
    public void commit(SessionId session, List<CommittedFile> files) throws IOException {
        transaction.checkSession(session);
        Map<BlobName, Long> numbers = new HashMap<>();
        for (CommittedFile file : files) {
            transaction.sessions().witness(session.worker(), file.version().generation());
            CommitCheck.extents(session.worker(), file);
            Optional<Namespace.Entry> entry = alone(transaction, file.version());
            Optional<Inode.Place> place = entry.isPresent()
                    ? entry.map(there -> there.inode().place())
                    : transaction.namespace().content(file.version()).map(Content::place);
            if (place.isPresent()) {
                CommitCheck.owner(session.worker(), file.version(), place.get());
                if (repacks(place.get(), file) && !isOwn(session.worker(), (Inode.Packed) place.get())) {
                    // Adopted bytes get another place only from the worker that said where they are.
                    continue;
                }
            }
            commit(file, entry, numbers);
        }
    }

    /** The file that has the bytes of a version alone. */
    static Optional<Namespace.Entry> alone(Transaction transaction, FileVersion version) throws IOException {
        return transaction
                .namespace()
                .file(version)
                .filter(entry -> !Inode.hasMap(entry.inode().place()));
    }

    /**
     * Commits a file; returns whether the table has it with these extents now. One that is packed already stays where it is: a commit that
     * is repeated, since its answer was lost, may name a blob that was compacted and collected meanwhile.
     */
    public boolean commit(CommittedFile file) throws IOException {
        return commit(file, alone(transaction, file.version()), new HashMap<>());
    }

    /** @param numbers of blobs, as far as they are known */
    private boolean commit(CommittedFile file, Optional<Namespace.Entry> entry, Map<BlobName, Long> numbers)
            throws IOException {
        List<Inode.StoredExtent> extents = new ArrayList<>(file.extents().size());
        for (BlobExtent located : file.extents()) {
            Long number = numbers.get(located.blob());
            if (number == null) {
                number = transaction.blobs().number(located.blob());
                numbers.put(located.blob(), number);
            }
            extents.add(new Inode.StoredExtent(number, located.extent()));
        }
        if (entry.isEmpty()) {
            return commitShared(file, extents);
        }
        Inode inode = entry.get().inode();
        CommitCheck.covers(file, inode.attributes().length());
        if (inode.place() instanceof Inode.Packed packed && !repacks(packed, file)) {
            return packed.extents().equals(extents);
        }
        if (inode.place() instanceof Inode.Packed) {
            // A position of its own: no earlier backup covers the blobs that die by it.
            long unused = transaction.change().nextPosition();
        }
        transaction.place(entry.get().waiting() ? takeIn(entry.get()) : entry.get(), Inode.Packed.of(extents));
        return true;
    }

    /** Returns whether a file gets bytes in blobs that it has in an object of others. */
    private static boolean repacks(Inode.Place place, CommittedFile file) {
        return place instanceof Inode.Packed packed
                && !file.extents().isEmpty()
                && file.extents().stream().noneMatch(each -> each.extent().codec() == Codec.ADOPTED)
                && packed.extents().stream().allMatch(each -> each.extent().codec() == Codec.ADOPTED);
    }

    /** Returns whether all extents are in blobs of the worker. */
    private boolean isOwn(String worker, Inode.Packed packed) throws IOException {
        for (Inode.StoredExtent each : packed.extents()) {
            Optional<BlobRow> blob = transaction
                    .rows()
                    .get(Keys.numbered(Keys.BLOB, each.blob()))
                    .map(BlobRow::decode);
            if (blob.filter(row -> row.name().worker().equals(worker)).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private boolean commitShared(CommittedFile file, List<Inode.StoredExtent> extents) throws IOException {
        Optional<Content> content = transaction.namespace().content(file.version());
        if (content.isEmpty()) {
            return false;
        }
        CommitCheck.covers(file, content.get().length());
        if (content.get().place() instanceof Inode.Packed packed && !repacks(packed, file)) {
            return packed.extents().equals(extents);
        }
        if (content.get().place() instanceof Inode.Packed) {
            long unused = transaction.change().nextPosition();
        }
        transaction.contents().place(content.get(), Inode.Packed.of(extents));
        transaction.contents().lookAt(content.get().id());
        return true;
    }

    /** Puts a version that waits in the place of the older file. */
    private Namespace.Entry takeIn(Namespace.Entry waiting) throws IOException {
        EntryLink at = waiting.link();
        Inode there = transaction
                .namespace()
                .entry(at.parent(), at.name())
                .orElseThrow(() -> new IOException("version %s waits where no file is"
                        .formatted(waiting.inode().version())));
        transaction.replacements().take(at, waiting.inode().version());
        transaction.replaces();
        transaction.supersede(at, there, waiting.inode());
        return new Namespace.Entry(at, waiting.inode(), false);
    }
}
