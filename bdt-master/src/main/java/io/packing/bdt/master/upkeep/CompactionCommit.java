// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import com.google.common.collect.ImmutableRangeSet;
import com.google.common.collect.Range;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.read.ContentUse;
import io.packing.bdt.master.table.row.Inode;
import io.packing.blob.CompactedBlob;
import io.packing.blob.Extent;
import io.packing.blob.FileVersion;
import io.packing.blob.LiveExtent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The commits of a compaction. They move only extents that are still where they were copied from. So a file that was deleted or overwritten
 * meanwhile stays so, and one that was renamed keeps its new name. An extent is cut only if no file has other bytes of it by now.
 */
final class CompactionCommit {
    private static final int FILES_PER_COMMIT = 5_000;
    /** Files with cut extents whose referrers one mutation reads; all changes of the mount wait for it. */
    private static final int CUT_PER_COMMIT = 200;

    /** The place of an extent. */
    private record Place(long blob, Extent extent) {}

    private final Table table;
    private final Map<String, Long> numbers;
    private final long number;

    /**
     * @param numbers of the old blobs, by their names
     * @param number of the new blob
     */
    CompactionCommit(Table table, Map<String, Long> numbers, long number) {
        this.table = table;
        this.numbers = numbers;
        this.number = number;
    }

    /** Commits moves; returns the number of files that have them. */
    int commit(List<CompactedBlob.Moved> moved) throws IOException {
        int committed = 0;
        for (int from = 0, to; from < moved.size(); from = to) {
            to = end(moved, from);
            List<CompactedBlob.Moved> some = moved.subList(from, to);
            committed += Waiting.on(table.writer().submit(t -> {
                int count = 0;
                for (CompactedBlob.Moved file : some) {
                    count += move(t, file) ? 1 : 0;
                }
                // A position of its own: no earlier backup covers the blobs that die by it.
                t.change().nextPosition();
                return count;
            }));
        }
        return committed;
    }

    private static int end(List<CompactedBlob.Moved> moved, int from) {
        int cut = 0;
        int to = from;
        while (to < moved.size() && to - from < FILES_PER_COMMIT && cut < CUT_PER_COMMIT) {
            cut += isCut(moved.get(to)) ? 1 : 0;
            to++;
        }
        return to;
    }

    private static boolean isCut(CompactedBlob.Moved file) {
        return file.moves().stream().anyMatch(each -> each.from().isCut());
    }

    /** Points a file's extents to their copies, those of them that it still has. */
    private boolean move(Transaction transaction, CompactedBlob.Moved moved) throws IOException {
        Optional<Inode.Place> place = transaction.namespace().place(moved.version());
        if (!(place.orElse(null) instanceof Inode.Packed packed)) {
            return false;
        }
        Map<Place, CompactedBlob.Move> moves = new HashMap<>();
        for (CompactedBlob.Move each : moved.moves()) {
            Long from = numbers.get(each.blob().toString());
            if (from != null) {
                moves.put(new Place(from, each.from().extent()), each);
            }
        }
        Optional<ImmutableRangeSet<Long>> used = isCut(moved) ? used(transaction, moved.version()) : Optional.empty();
        List<Inode.StoredExtent> extents = new ArrayList<>();
        for (Inode.StoredExtent stored : packed.extents()) {
            CompactedBlob.Move move = moves.get(new Place(stored.blob(), stored.extent()));
            if (move == null || (move.from().isCut() && !hasAll(move.from(), used))) {
                extents.add(stored);
            } else {
                move.to().forEach(to -> extents.add(new Inode.StoredExtent(number, to)));
            }
        }
        transaction.place(moved.version(), Inode.Packed.of(extents));
        return true;
    }

    private static Optional<ImmutableRangeSet<Long>> used(Transaction transaction, FileVersion version)
            throws IOException {
        return new ContentUse(transaction.rows(), transaction.namespace()).of(version);
    }

    /** Returns true if all used bytes of an extent are in its live ranges. */
    private static boolean hasAll(LiveExtent live, Optional<ImmutableRangeSet<Long>> used) {
        if (used.isEmpty()) {
            return false;
        }
        ImmutableRangeSet.Builder<Long> copied = ImmutableRangeSet.builder();
        live.ranges().forEach(each -> copied.add(Range.closedOpen(each.start(), each.end())));
        Range<Long> extent =
                Range.closedOpen(live.extent().fileOffset(), live.extent().fileEnd());
        return copied.build().enclosesAll(used.get().subRangeSet(extent));
    }
}
