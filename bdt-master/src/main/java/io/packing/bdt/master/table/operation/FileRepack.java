// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.master.table.change.MapEdit;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.MapRows;
import io.packing.bdt.master.table.row.ReferenceMap;
import io.packing.bdt.master.table.row.ReferenceMap.Reference;
import io.packing.blob.BlobName;
import io.packing.blob.Extent;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The mutation that gives a fragmented file the same bytes from one content (RFC 0020). Confined to the writer thread. */
public final class FileRepack {
    private FileRepack() {}

    /**
     * The bytes of fragments of a file, one behind the other.
     *
     * @param file id of the file
     * @param version of the content that has them
     * @param from the references whose bytes were read, by offset
     */
    public record Joined(
            long file, FileVersion version, long length, BlobName blob, List<Extent> extents, List<Reference> from) {
        public Joined {
            extents = List.copyOf(extents);
            from = List.copyOf(from);
        }
    }

    /**
     * Replaces the references that the file still has. A file that a snapshot sees stays as it is: the snapshot would get a copy of the whole
     * map.
     *
     * @return the number of references that were replaced
     */
    public static int apply(Transaction transaction, Joined joined) throws IOException {
        Optional<Namespace.Entry> found = transaction
                .namespace()
                .linked(joined.file())
                .filter(each ->
                        !each.waiting() && each.inode().place() instanceof Inode.Fragmented file && file.layer() == 0);
        Optional<FilePath> path = found.isEmpty()
                ? Optional.empty()
                : transaction.namespace().pathOf(found.get().link());
        if (path.isEmpty()
                || transaction.past().needs(found.get().link(), found.get().inode())) {
            return 0;
        }
        Reference last = joined.from().get(joined.from().size() - 1);
        Set<Reference> now = new HashSet<>(MapRows.touching(
                transaction.rows(), joined.file(), joined.from().get(0).offset(), last.end()));
        List<JournalEntry.Splice> splices = new ArrayList<>();
        int replaced = splices(joined, now, splices);
        if (replaced > 0) {
            long number = transaction.blobs().number(joined.blob());
            JournalEntry.Source source = new JournalEntry.Source(
                    joined.version().id(), joined.version().generation(), joined.length());
            JournalEntry.Repacked entry = new JournalEntry.Repacked(
                    path.get(), joined.file(), source, joined.blob(), joined.extents(), splices);
            add(transaction, entry, entry.place(number));
            replace(transaction, found.get(), entry);
            transaction.change().journal(entry);
        }
        return replaced;
    }

    /** Collects what the file has in the place of references; neighbours are one splice. */
    private static int splices(Joined joined, Set<Reference> now, List<JournalEntry.Splice> into) {
        int replaced = 0;
        long at = 0;
        List<Reference> run = new ArrayList<>();
        for (Reference each : joined.from()) {
            boolean isThere = now.contains(each);
            boolean goesOn =
                    isThere && !run.isEmpty() && run.get(run.size() - 1).end() == each.offset();
            if (!goesOn) {
                add(run, joined, at, into);
                run.clear();
            }
            if (isThere) {
                run.add(each);
                replaced++;
            }
            at += each.length();
        }
        add(run, joined, at, into);
        return replaced;
    }

    /** @param end of the run in the content */
    private static void add(List<Reference> run, Joined joined, long end, List<JournalEntry.Splice> into) {
        if (run.isEmpty()) {
            return;
        }
        long offset = run.get(0).offset();
        long length = run.get(run.size() - 1).end() - offset;
        Reference reference = new Reference(0, length, joined.version().id(), end - length);
        into.add(new JournalEntry.Splice(offset, length, ReferenceMap.of(List.of(reference))));
    }

    /** Adds the content of fragments to the table. */
    public static void add(Transaction transaction, JournalEntry.Repacked entry, Inode.Place place) {
        JournalEntry.Source source = entry.content();
        transaction.contents().add(new Content(source.id(), source.generation(), source.length(), place));
    }

    /** Gives a file the bytes of the content. */
    public static void replace(Transaction transaction, Namespace.Entry file, JournalEntry.Repacked entry)
            throws IOException {
        Inode inode = file.inode();
        MapEdit edit = new MapEdit(
                transaction,
                file.link(),
                inode,
                inode.place() instanceof Inode.Mapped mapped ? Optional.of(mapped.map()) : Optional.empty());
        for (JournalEntry.Splice each : entry.splices()) {
            edit.put(each.offset(), each.length(), each.map());
        }
        JournalEntry unused = edit.write(entry.path(), inode, inode);
        // Parts of it may be of no file, if references changed meanwhile.
        transaction.contents().lookAt(entry.content().id());
    }
}
