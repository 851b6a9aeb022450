// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.recover;

import io.packing.bdt.Reclaim;
import io.packing.bdt.master.table.read.PastEntries;
import io.packing.bdt.master.table.row.JournalBytes;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.Snapshot;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The fate of paths and files since a recovery's backup: the journal that the recovery replayed, and what was deleted,
 * renamed or kept in a snapshot after it. Lost files are led through it, all of a request in one pass.
 *
 * <p>Without a claim's position, only entries with its own id are known to be later, until the recovery that lost it. Entries
 * after that recovery are later than every claim that it lost.
 */
public final class History {
    private final Rows rows;
    private final LostTree tree = new LostTree();
    private final Map<Long, LostTree.Lost> byId = new HashMap<>();
    /** Those that can be read, by position: files need not be shown in others. */
    private final Map<Long, Snapshot> snapshots = new HashMap<>();

    /** By generation, as far as their claims are ahead. */
    private final Deque<LostTree.Lost> ahead = new ArrayDeque<>();

    /** Those whose claims have no known position, by the recovery that lost them. */
    private final Deque<LostTree.Lost> undated = new ArrayDeque<>();

    History(Rows rows) {
        this.rows = rows;
    }

    /** Leads files to where they are now, or to their end, and dates those whose claims have no known position. */
    void follow(List<LostTree.Lost> lost) throws IOException {
        follow(lost, Keys.kindEnd(Keys.HISTORY));
    }

    /** Leads them to where they were at a position. */
    void followUntil(long position, List<LostTree.Lost> lost) throws IOException {
        follow(lost, Keys.numbered(Keys.HISTORY, position + 1));
    }

    private void follow(List<LostTree.Lost> lost, byte[] end) throws IOException {
        new PastEntries(rows).allSnapshots().forEach(each -> snapshots.put(each.position(), each));
        lost.forEach(each -> byId.put(each.id(), each));
        lost.stream()
                .filter(each -> each.generation() > 0)
                .sorted(Comparator.comparingLong(LostTree.Lost::generation))
                .forEach(ahead::add);
        lost.stream()
                .filter(each -> each.generation() == 0)
                .sorted(Comparator.comparingLong(each -> each.recovery().at()))
                .forEach(undated::add);
        long from = undated.isEmpty() && !ahead.isEmpty() ? ahead.element().generation() : 0;
        rows.scan(Keys.numbered(Keys.HISTORY, from), end, (key, value) -> {
            long position = Keys.number(key);
            placeUntil(position);
            apply(JournalBytes.decode(value), position);
            return true;
        });
        placeUntil(Long.MAX_VALUE);
    }

    private void placeUntil(long position) {
        while (!ahead.isEmpty() && ahead.element().generation() < position) {
            place(ahead.remove());
        }
        while (!undated.isEmpty() && undated.element().recovery().at() < position) {
            LostTree.Lost lost = undated.remove();
            if (!lost.isPlaced()) {
                lost.date(lost.recovery().at());
                place(lost);
            }
        }
    }

    private void place(LostTree.Lost lost) {
        if (!lost.isPlaced()) {
            Reclaim file = lost.file();
            tree.place(lost, file.path());
        }
    }

    private void apply(JournalEntry entry, long position) {
        if (entry instanceof JournalEntry.Deleted deleted) {
            tree.delete(deleted.path());
            end(deleted.id());
        } else if (entry instanceof JournalEntry.Ended ended) {
            ended.ids().forEach(this::end);
        } else if (entry instanceof JournalEntry.Kept kept) {
            LostTree.Lost lost = byId.get(kept.id());
            if (lost != null) {
                tree.move(lost, kept.path());
                lost.keep(position);
            }
        } else if (entry instanceof JournalEntry.Renamed renamed) {
            tree.rename(renamed.from(), renamed.to(), position);
            LostTree.Lost named = byId.get(renamed.id());
            if (named != null && !named.isPlaced()) {
                named.date(position - 1);
                tree.place(named, renamed.to());
            }
        } else if (entry instanceof JournalEntry.Changed changed) {
            tree.change(changed.path(), changed.change());
        } else if (entry instanceof JournalEntry.Snapshotted taken) {
            snapshot(taken.path(), position);
        } else if (entry instanceof JournalEntry.Cloned cloned) {
            snapshot(cloned.source(), position);
        }
    }

    private void snapshot(FilePath directory, long position) {
        Snapshot snapshot = snapshots.get(position);
        if (snapshot != null) {
            tree.snapshot(directory, snapshot);
        }
    }

    private void end(long id) {
        LostTree.Lost lost = byId.get(id);
        if (lost != null) {
            lost.end();
        }
    }
}
