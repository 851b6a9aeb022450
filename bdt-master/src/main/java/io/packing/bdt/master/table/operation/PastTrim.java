// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.master.table.change.PastRows;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.change.TreeClones;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.PinnedRange;
import io.packing.bdt.master.table.row.Snapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Cleans up after dropped snapshots, a bounded number of rows at a time: each row of the past goes to the next older snapshot
 * that needs it, or away with what only it had. What is left to do stands in the table, so a restart goes on where the last
 * one ended. Confined to the writer thread.
 */
public final class PastTrim {
    private static final int ROWS_PER_STEP = 500;
    /** Rows of the past that one step passes, those of other positions among them. */
    private static final int MOST_LOOKED_AT = 10_000;

    private final Transaction transaction;
    private final Snapshot dropped;
    private int looked;
    private int passed;

    private PastTrim(Transaction transaction, Snapshot dropped) {
        this.transaction = transaction;
        this.dropped = dropped;
    }

    /** Cleans some rows up; returns whether there were any. */
    public static boolean step(Transaction transaction) throws IOException {
        Optional<Snapshot> dropped = transaction.past().sight().dropped();
        if (dropped.isPresent()) {
            new PastTrim(transaction, dropped.get()).step();
        }
        return dropped.isPresent();
    }

    private void step() throws IOException {
        PastRows past = transaction.past();
        byte[] from = past.cleaning().resumeAt(dropped.position());
        List<byte[]> keys = new ArrayList<>();
        transaction.rows().scan(from, Keys.numbered(Keys.BY_POSITION, dropped.position() + 1), (key, value) -> {
            keys.add(key);
            return keys.size() < ROWS_PER_STEP;
        });
        for (byte[] key : keys) {
            if (Keys.isEntryByPosition(key)) {
                EntryLink at = Keys.linkByPosition(key);
                passOn(past, at, Keys.past(at, dropped.position()));
                transaction.rows().delete(key);
            } else if (Keys.isChangedByPosition(key)) {
                if (!passOnIn(past, Keys.directoryByPosition(key))) {
                    break;
                }
            } else {
                shorten(Keys.pair(Keys.PIN, Keys.directoryByPosition(key), dropped.position()));
                transaction.rows().delete(key);
            }
            past.cleaning().cleanedUpTo(key);
        }
        if (!keys.isEmpty()) {
            past.sight().forgetWays();
            return;
        }
        if (past.cleaning().isResumed(dropped.position())) {
            // Once more from the start, to be sure.
            past.cleaning().beginAnew();
        } else {
            past.sight().remove(dropped);
            boolean isRoot = dropped.directory() == Inode.ROOT_ID;
            if (!isRoot && transaction.namespace().link(dropped.directory()).isEmpty()) {
                // It may have been the last that saw the deleted directory.
                transaction.rows().put(Keys.numbered(Keys.REAP, dropped.directory()), new byte[0]);
            }
        }
        past.sight().forgetWays();
    }

    /** Leaves the dropped snapshot out of a range that a directory is pinned for. */
    private void shorten(byte[] key) throws IOException {
        Optional<PinnedRange> pin = transaction.rows().get(key).map(row -> PinnedRange.decode(key, row));
        Optional<PinnedRange> older =
                pin.isPresent() ? transaction.past().sight().older(pin.get()) : Optional.empty();
        transaction.rows().delete(key);
        if (older.isPresent()) {
            older.get().write(transaction.rows());
            transaction.past().sight().forgetWays();
        }
    }

    /** Passes rows of the past of a directory's entries on; returns whether none is left. */
    private boolean passOnIn(PastRows past, long directory) throws IOException {
        List<byte[]> keys = new ArrayList<>();
        byte[] end = Keys.pastOf(Keys.entriesEnd(directory));
        byte[][] last = new byte[1][];
        transaction.rows().scan(past.cleaning().resumeInside(directory), end, (key, value) -> {
            last[0] = key;
            if (Keys.pastPosition(key) == dropped.position()) {
                keys.add(key);
            }
            looked++;
            return passed + keys.size() < ROWS_PER_STEP && looked < MOST_LOOKED_AT;
        });
        for (byte[] key : keys) {
            byte[] entry = Keys.entryOfPast(key);
            passOn(past, new EntryLink(Keys.number(entry), Keys.entryName(entry)), key);
        }
        passed += keys.size();
        if (last[0] != null && (passed >= ROWS_PER_STEP || looked >= MOST_LOOKED_AT)) {
            past.cleaning().cleanedInsideUpTo(last[0]);
            return false;
        }
        past.cleaned(directory, dropped.position());
        return true;
    }

    private void passOn(PastRows past, EntryLink at, byte[] key) throws IOException {
        Optional<byte[]> there = transaction.rows().get(key);
        if (there.isEmpty()) {
            // Rows of older versions are listed one by one, and may have gone with their directory.
            return;
        }
        byte[] row = there.get();
        Optional<Inode> was = row.length == 0 ? Optional.empty() : Optional.of(Inode.decode(row));
        Optional<Snapshot> older = past.sight().newest(at.parent(), dropped.position());
        if (older.isEmpty() || past.changedBetween(at, older.get().position(), dropped.position())) {
            remove(past, at, was);
            return;
        }
        Optional<Inode> seen = was.filter(older.get()::sees);
        if (seen.isPresent()) {
            past.keep(at, older.get().position(), seen);
        }
        remove(past, at, was);
        // What is there since then may be older than the snapshot, and must not appear in it.
        if (seen.isEmpty() && past.entries().entry(at, older.get()).isPresent()) {
            past.keep(at, older.get().position(), Optional.empty());
        }
    }

    private void remove(PastRows past, EntryLink at, Optional<Inode> was) throws IOException {
        past.remove(at, dropped.position(), was);
        if (was.isPresent()) {
            TreeClones.release(transaction, was.get());
        }
    }
}
