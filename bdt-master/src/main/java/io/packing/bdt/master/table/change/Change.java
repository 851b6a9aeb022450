// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.Staged;
import java.io.IOException;

/**
 * The numbers and the journal entries of the mutations of a table: it gives out ids and positions, and takes an entry for each change that a
 * recovery must know of. A replay gives no positions out: its changes have the position of the entry that it replays. Confined to the
 * writer thread.
 */
public final class Change implements Staged {
    private final Counters counters;
    private final Journal journal;
    private final DroppedFiles dropped;
    /** True if the mutation under way has taken a position. */
    private boolean taken;

    Change(Counters counters, Journal journal, DroppedFiles dropped) {
        this.counters = counters;
        this.journal = journal;
        this.dropped = dropped;
    }

    /** Gives an id out. */
    public long nextId() {
        return nextIds(1);
    }

    /** Gives ids out that follow each other; returns the first. */
    public long nextIds(int count) {
        long first = counters.nextId;
        counters.nextId += count;
        return first;
    }

    /** Gives an id of a layer of maps out. Only this table has it: neither a journal nor a footer names layers. */
    long nextLayer() {
        return counters.nextLayer++;
    }

    /** Returns the first id that was not given out yet. */
    public long freeId() {
        return counters.nextId;
    }

    /** Learns of an id that was given out before, as a journal or a footer tells. */
    public void learnId(long id) {
        counters.nextId = Math.max(counters.nextId, id + 1);
    }

    /** Gives a position out to the mutation under way. */
    public long nextPosition() {
        if (journal.isReplayed()) {
            return counters.position;
        }
        taken = true;
        return ++counters.position;
    }

    /**
     * Returns the position from which on the table has all changes of the mutation under way, which makes no more: the last one that it
     * took, or the next one if it took none.
     */
    long lastPosition() {
        return taken ? counters.position : counters.position + 1;
    }

    /** Returns the position that was given out last. */
    public long position() {
        return counters.position;
    }

    /** Learns of a position that was given out before, as a journal or a footer tells. */
    public void learnPosition(long position) {
        counters.position = Math.max(counters.position, position);
    }

    /** Returns the position from which on snapshots see what the mutation under way is about to change. */
    public long upcomingPosition() {
        return journal.isReplayed() ? counters.position : counters.position + 1;
    }

    /** Gives a position out for a change, and takes its entry. */
    public void journal(JournalEntry entry) throws IOException {
        journal(nextPosition(), entry);
    }

    /** Takes the entry of a change that has a position. */
    public void journal(long position, JournalEntry entry) throws IOException {
        journal.add(position, entry);
        if (entry.urgent()) {
            dropped.changesNames();
        }
        if (entry instanceof JournalEntry.Deleted deleted && !journal.isReplayed()) {
            dropped.named(deleted.id());
        }
    }

    /** Takes the entry of files that a reclaim refused. The table keeps it, also when no recovery has lost a file yet. */
    public void journalRefused(JournalEntry.Ended entry) throws IOException {
        journal.addRefused(nextPosition(), entry);
    }

    @Override
    public void accept() {
        taken = false;
    }

    @Override
    public void reject() {
        taken = false;
    }

    @Override
    public void written() {
        taken = false;
    }

    @Override
    public void abandon() {
        taken = false;
    }
}
