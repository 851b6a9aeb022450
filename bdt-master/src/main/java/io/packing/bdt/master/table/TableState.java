// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import io.packing.bdt.BdtStatistics;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.master.table.change.Recoveries;
import io.packing.bdt.master.table.change.Sessions;
import io.packing.bdt.master.table.change.TableMemory;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.read.ConsistentReads;
import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.read.RecentLookups;
import io.packing.bdt.master.table.read.TableView;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.MapForm;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.SessionRow;
import io.packing.bdt.master.table.row.StoreRows;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A mount's table up to the last batch of mutations that was written: the rows of its store, and what is kept in memory
 * beside them. Thread-safe, but for the mutations of {@link #transaction}.
 */
public final class TableState {
    private static final long CACHED_DIRECTORIES = 50_000;

    private final SortedStore store;
    private final TableMemory memory;
    private final LiveWorkers workers;
    private final ConsistentReads reads;
    private final WrittenDirectories directories = new WrittenDirectories();
    private final RecentLookups lookups = new RecentLookups();
    private volatile BdtStatistics statistics;
    private volatile long position;
    private volatile long journalledPosition;

    private TableState(SortedStore store, TableMemory memory, LiveWorkers workers) {
        this.store = store;
        this.memory = memory;
        this.workers = workers;
        this.reads = new ConsistentReads(store, new TableView(rows(), namespace()));
        this.statistics = memory.counters().statistics();
        this.position = memory.counters().position();
    }

    /**
     * Loads the table of a store that has all that its log has.
     *
     * @param workerLease for how long a worker counts as alive after its last heartbeat
     */
    public static TableState load(SortedStore store, Duration workerLease, LongSupplier nanoClock) throws IOException {
        return load(store, workerLease, nanoClock, MapForm.USUAL);
    }

    /**
     * Loads a table, as the other does.
     *
     * @param form which maps of files are in rows
     */
    public static TableState load(SortedStore store, Duration workerLease, LongSupplier nanoClock, MapForm form)
            throws IOException {
        prepare(store);
        return new TableState(
                store, TableMemory.load(store, CACHED_DIRECTORIES, form), new LiveWorkers(workerLease, nanoClock));
    }

    /** Writes what every opening would write otherwise, to a table that was just made or is of an older version. */
    public static void prepare(SortedStore store) throws IOException {
        fence(store);
        Recoveries.complete(store);
    }

    /** Puts up the fences between the kinds of rows, in a table that has none. */
    private static void fence(SortedStore store) throws IOException {
        // The one that a table of an older version lacks.
        if (store.get(Keys.kindEnd(Keys.MAP)).isPresent()) {
            return;
        }
        WriteBatch fences = new WriteBatch();
        for (byte kind = Keys.MAP; kind <= Keys.STAGED; kind++) {
            fences.put(Keys.kindEnd(kind), new byte[0]);
        }
        store.write(fences, SortedStore.Sync.NONE);
    }

    /** The table for its one writer. */
    public Transaction transaction() throws IOException {
        return new Transaction(new WriteSet(store), memory, true);
    }

    /** Learns that a batch is about to be written. */
    public void writing() {
        reads.writing();
    }

    /** Learns the changes of a batch, after it was written and before a caller gets an answer. */
    public void written(Transaction batch) {
        memory.written(batch.rows());
        statistics = batch.counters().statistics();
        position = batch.counters().position();
        // After the position: a worker that gets an order gets the position of the deletion, or a later one, with it.
        batch.drops().forEach(workers::drop);
        reads.written();
    }

    /** Answers from one state of the table. */
    <T> T ask(ConsistentReads.Question<T> question) throws IOException {
        return reads.ask(question);
    }

    /** Returns the counts of what workers wrote, by directory. */
    WrittenDirectories directories() {
        return directories;
    }

    /** Returns the order of the look-ups by clients. */
    RecentLookups lookups() {
        return lookups;
    }

    Rows rows() {
        return new StoreRows(store);
    }

    Namespace namespace() {
        return new Namespace(rows(), memory.directories(), memory.sessions()::of);
    }

    Sessions sessions() {
        return memory.sessions();
    }

    /** Learns from the heartbeat of a worker's session, and returns what the worker is to do. */
    HeartbeatReply answer(SessionRow session, Heartbeat heartbeat) {
        // The orders before the position, which is then that of no earlier change.
        HeartbeatReply orders = workers.answer(session, heartbeat);
        return orders.asOf(position, journalledPosition);
    }

    /** Returns whether there may be rows of dropped snapshots to clean up. */
    boolean mayHaveDroppedSnapshots() {
        return memory.dropped().mayBe();
    }

    /** The workers that were heard of lately. */
    LiveWorkers workers() {
        return workers;
    }

    BdtStatistics statistics() {
        return statistics;
    }

    /** The position of the last mutation that was written. */
    long position() {
        return position;
    }

    /** Returns the position up to which the store has all changes of names, as far as is known. */
    long journalledPosition() {
        return journalledPosition;
    }

    /** Learns that the store has all changes of names up to a position. */
    void journalled(long upTo) {
        journalledPosition = Math.max(journalledPosition, upTo);
    }
}
