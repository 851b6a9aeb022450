// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.client.MoveSteps;
import io.packing.bdt.master.cloud.LeaseHolder;
import io.packing.bdt.master.log.BatchRecord;
import io.packing.bdt.master.log.TailedBatches;
import io.packing.sorted.Cursor;
import io.packing.sorted.SortedView;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Sends the rows of a mount to another group, one step after the other. Confined to one thread, but for what it counts. */
final class MoveSender {
    private static final int PAGE_BYTES = 1 << 20;
    private static final byte[] END = new byte[0];

    private final MoveSteps to;
    private final String mount;
    private final AtomicLong rows = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    MoveSender(MoveSteps to, String mount) {
        this.to = to;
        this.mount = mount;
    }

    /** Rows that were sent. */
    long rows() {
        return rows.get();
    }

    /** Their bytes. */
    long bytes() {
        return bytes.get();
    }

    /** Begins; returns what the epoch is to say after the switch. */
    LeaseHolder begin(Map<String, String> options, String identity, String encryptionKey) throws IOException {
        byte[] holder = to.begin(options, identity, encryptionKey);
        return LeaseHolder.decode(holder)
                .orElseThrow(
                        () -> new IOException("mount %s: the other group does not say who it is".formatted(mount)));
    }

    /**
     * Sends all rows, and what changed meanwhile. Each page shows a view newer than the changes taken from the tail before;
     * later changes follow later. So a row's last version is sent last.
     */
    void copy(TailedBatches batches, TailedBatches.Tail tail) throws IOException {
        byte[] from = END;
        do {
            catchUp(tail);
            try (SortedView view = batches.rows().view()) {
                from = page(view, from);
            }
        } while (from.length > 0);
        catchUp(tail);
    }

    /** Sends a page; returns where the next one begins, nothing when there is none. */
    private byte[] page(SortedView view, byte[] from) throws IOException {
        WriteBatch page = new WriteBatch();
        byte[] next = END;
        try (Cursor cursor = view.scan(from, END)) {
            while (next.length == 0 && cursor.next()) {
                page.put(cursor.key(), cursor.value());
                rows.incrementAndGet();
                if (page.bytes() >= PAGE_BYTES) {
                    // The smallest key behind this one.
                    next = Arrays.copyOf(cursor.key(), cursor.key().length + 1);
                }
            }
        }
        send(page);
        return next;
    }

    /** Sends what was written since the last time; returns how many bytes that were. */
    long catchUp(TailedBatches.Tail tail) throws IOException {
        long before = bytes.get();
        Pages pages = new Pages();
        for (WriteBatch batch : tail.take()) {
            batch.forEach(pages);
            if (pages.page.bytes() >= PAGE_BYTES) {
                pages.flush();
            }
        }
        pages.flush();
        return bytes.get() - before;
    }

    /** Puts changes together, and apart where one batch of mutations has many: the copy counts only when it is whole. */
    private final class Pages implements WriteBatch.Visitor {
        private WriteBatch page = new WriteBatch();
        private final List<WriteBatch> full = new ArrayList<>();

        @Override
        public void put(byte[] key, byte[] value) {
            add(page.put(key, value));
        }

        @Override
        public void delete(byte[] key) {
            add(page.delete(key));
        }

        private void add(WriteBatch grown) {
            rows.incrementAndGet();
            if (grown.bytes() >= PAGE_BYTES) {
                full.add(grown);
                page = new WriteBatch();
            }
        }

        private void flush() throws IOException {
            for (WriteBatch each : full) {
                send(each);
            }
            full.clear();
            send(page);
            page = new WriteBatch();
        }
    }

    private void send(WriteBatch page) throws IOException {
        if (!page.isEmpty()) {
            to.rows(BatchRecord.encode(page));
            bytes.addAndGet(page.bytes());
        }
    }

    /** Lets the other group make durable what it has. */
    void sync() throws IOException {
        to.sync();
    }

    /** Says that it has everything up to a position. */
    void end(long position) throws IOException {
        to.end(position);
    }

    /** Lets the other group open the mount, which is its own now. */
    void open() throws IOException {
        to.open();
    }
}
