// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedView;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Answers each question from one state of a table, though a question reads several rows and batches of mutations are written meanwhile.
 * A question is asked of the rows as they are, and its answer holds if no batch was written meanwhile; this costs two reads of a
 * counter (a sequence lock). Else it is asked again of a view of the store, which no writer waits for. Thread-safe; one thread writes.
 */
public final class ConsistentReads {
    /** Reads rows. May be asked twice, and has no effect but its answer. */
    public interface Question<T> {
        T of(TableView view) throws IOException;
    }

    private final SortedStore store;
    private final TableView now;
    /** Odd while a batch is written. */
    private final AtomicLong writes = new AtomicLong();

    /** @param now the rows as they are */
    public ConsistentReads(SortedStore store, TableView now) {
        this.store = store;
        this.now = now;
    }

    /** A batch is about to be written. One that fails leaves the questions to views until the next one was written. */
    public void writing() {
        writes.set(writes.get() | 1);
    }

    /** A batch was written, and memory has what it changed. */
    public void written() {
        writes.set((writes.get() | 1) + 1);
    }

    public <T> T ask(Question<T> question) throws IOException {
        long before = writes.get();
        if ((before & 1) == 0) {
            try {
                T answer = question.of(now);
                if (writes.get() == before) {
                    return answer;
                }
            } catch (IOException | RuntimeException e) {
                // Rows of two states may contradict each other.
                if (writes.get() == before) {
                    throw e;
                }
            }
        }
        try (SortedView moment = store.view()) {
            return question.of(TableView.of(moment));
        }
    }
}
