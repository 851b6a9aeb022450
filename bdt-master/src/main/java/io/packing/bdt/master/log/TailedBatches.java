// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.log;

import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Batches of mutations with an optional follower: it gets each batch once the batch is durable and in the table. */
public final class TailedBatches implements BatchStore {
    /** The most bytes that a follower may be behind; then the writer waits for it. */
    private static final long MOST_BYTES = 64L << 20;

    private final BatchStore own;
    private final AtomicLong logBytes = new AtomicLong();
    private final AtomicLong journalBytes = new AtomicLong();
    private volatile @Nullable Tail tail;

    TailedBatches(BatchStore own) {
        this.own = own;
    }

    /**
     * The batches from now on. A batch that is being written now is in {@link #rows} that are read later, or in the tail, or in both.
     *
     * @throws IllegalStateException when somebody follows them already
     */
    public synchronized Tail follow() {
        if (tail != null) {
            throw new IllegalStateException("the table is followed already");
        }
        Tail fresh = new Tail();
        tail = fresh;
        return fresh;
    }

    /** The batches written and not taken yet. Thread-safe. */
    public final class Tail implements AutoCloseable {
        private List<WriteBatch> batches = new ArrayList<>();
        private long bytes;
        private boolean closed;

        /** Takes the batches written since the last call, in their order. */
        public synchronized List<WriteBatch> take() {
            List<WriteBatch> taken = batches;
            batches = new ArrayList<>();
            bytes = 0;
            notifyAll();
            return taken;
        }

        private synchronized void add(WriteBatch batch) {
            boolean interrupted = false;
            while (bytes > MOST_BYTES && !closed) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (!closed) {
                batches.add(batch);
                bytes += batch.bytes();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /** Ends the following: the writer no longer waits for it. */
        @Override
        public void close() {
            synchronized (this) {
                closed = true;
                batches = new ArrayList<>();
                notifyAll();
            }
            synchronized (TailedBatches.this) {
                if (tail == this) {
                    tail = null;
                }
            }
        }
    }

    @Override
    public SortedStore rows() {
        return own.rows();
    }

    @Override
    public void write(long firstPosition, long lastPosition, WriteSet rows, Runnable writing) throws IOException {
        own.write(firstPosition, lastPosition, rows, writing);
        count(rows);
        Tail follower = tail;
        if (follower != null) {
            follower.add(rows.toBatch());
        }
    }

    private void count(WriteSet rows) {
        long all = 0;
        long journal = 0;
        for (Map.Entry<byte[], Optional<byte[]>> row : rows.all()) {
            int bytes = row.getKey().length
                    + row.getValue().map(value -> value.length).orElse(0);
            all += bytes;
            if (row.getKey()[0] == Keys.JOURNAL && row.getValue().isPresent()) {
                journal += bytes;
            }
        }
        logBytes.addAndGet(all);
        journalBytes.addAndGet(journal);
    }

    /** Returns the bytes of the rows that were written since the start. Any thread may ask. */
    public long logBytes() {
        return logBytes.get();
    }

    /** Returns those of the log bytes that are entries of the journal. Any thread may ask. */
    public long journalBytes() {
        return journalBytes.get();
    }

    @Override
    public void tidy() throws IOException {
        own.tidy();
    }

    @Override
    public boolean isCurrent() {
        return own.isCurrent();
    }

    @Override
    public long keptFreeBytes() {
        return own.keptFreeBytes();
    }

    @Override
    public void close() throws IOException {
        own.close();
    }
}
