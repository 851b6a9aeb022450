// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.log;

import io.packing.bdt.master.table.row.WriteSet;
import io.packing.sorted.SortedStore;
import java.io.IOException;

/**
 * The store that makes a mount writer's batches of mutations durable, and then rows of its table: a log and a store on this
 * machine, or a group of masters. Confined to the writer thread, but for {@link #rows}, {@link #isCurrent} and {@link
 * #keptFreeBytes}.
 */
public interface BatchStore extends AutoCloseable {
    /** The rows of the table. A direct write, without {@link #write}, may only write what every opening writes anew. */
    SortedStore rows();

    /**
     * Makes a batch durable, and then its rows those of the table.
     *
     * @param firstPosition of its mutations
     * @param lastPosition of its mutations
     * @param writing is run just before the rows change
     * @throws io.packing.sorted.DiskFullException when there is no room; nothing of the batch is there then
     * @throws IOException when nobody knows how much of the batch is there: the mount has to be opened anew
     */
    void write(long firstPosition, long lastPosition, WriteSet rows, Runnable writing) throws IOException;

    /** Drops what a restart does not need, if that is worth its while. Called after each batch. */
    void tidy() throws IOException;

    /** Returns whether no other writer can have changed the table since this one was opened. */
    boolean isCurrent();

    /** Returns the bytes that others must leave free on the disk, so that batches are taken. */
    long keptFreeBytes();

    @Override
    void close() throws IOException;
}
