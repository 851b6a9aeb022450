// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import io.packing.bdt.master.table.change.DroppedFiles;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;

/**
 * The orders to one worker to drop files, in the order of the log. Each reply repeats them until the worker has followed them. A worker that
 * missed one, and followed a later one, could bring back an overwritten file after a loss of the table. Thread-safe.
 */
final class DropOrders {
    private final int most;
    private final ArrayDeque<DroppedFiles.Order> waiting = new ArrayDeque<>();
    /** The number of the last order that the worker has followed. */
    private long followed;

    private boolean overflowed;

    /** @param most orders that wait */
    DropOrders(int most) {
        this.most = most;
    }

    /**
     * Some orders of a worker.
     *
     * @param last number of the last one; that of the last order that the worker has followed, if there are none
     */
    record Numbered(List<DroppedFiles.Order> orders, long last) {}

    /** Adds an order; returns false if there are too many: the worker has to name all its files again. */
    synchronized boolean add(DroppedFiles.Order order) {
        overflowed |= waiting.size() >= most;
        if (!overflowed) {
            waiting.add(order);
        }
        return !overflowed;
    }

    /** Returns whether orders are missing. */
    synchronized boolean haveOverflowed() {
        return overflowed;
    }

    /**
     * Returns the next orders.
     *
     * @param upTo number of the last order that the worker has followed; empty: it does not say, and gets each order once
     */
    synchronized Numbered next(OptionalLong upTo, int count) {
        if (upTo.isPresent()) {
            follow(upTo.getAsLong());
        }
        List<DroppedFiles.Order> next = new ArrayList<>(Math.min(count, waiting.size()));
        for (Iterator<DroppedFiles.Order> each = waiting.iterator(); next.size() < count && each.hasNext(); ) {
            next.add(each.next());
        }
        long last = followed + next.size();
        if (upTo.isEmpty()) {
            follow(last);
        }
        return new Numbered(next, last);
    }

    private void follow(long upTo) {
        for (; followed < upTo && !waiting.isEmpty(); followed++) {
            waiting.remove();
        }
    }
}
