// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.read.ContentHashes;
import io.packing.bdt.master.table.row.Keys;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Removes hashes of contents that are over. They do no harm but for their room, so a pass over all hashes starts once a day.
 * Confined to the upkeep thread.
 */
public final class HashCleaner {
    private static final int PAGE = 1_000;

    private final Table table;
    private final Clocks clocks;
    private final long passNanos;
    private long nextPass;
    private byte[] from = Keys.kind(Keys.HASH);

    /** @param passes time between the starts of two passes */
    public HashCleaner(Table table, Duration passes, Clocks clocks) {
        this.table = table;
        this.clocks = clocks;
        this.passNanos = passes.toNanos();
        this.nextPass = clocks.nanoTime() + passNanos;
    }

    /** Looks at a page; returns whether there was one. */
    public boolean step() throws IOException {
        if (clocks.nanoTime() - nextPass < 0) {
            return false;
        }
        List<byte[]> page = new ArrayList<>();
        table.rows().scan(from, Keys.kindEnd(Keys.HASH), (key, row) -> {
            page.add(key);
            return page.size() < PAGE;
        });
        if (page.isEmpty()) {
            from = Keys.kind(Keys.HASH);
            nextPass = clocks.nanoTime() + passNanos;
            return false;
        }
        byte[] last = page.get(page.size() - 1);
        from = Arrays.copyOf(last, last.length + 1);
        return Waiting.on(table.writer().submit(transaction -> clean(transaction, page)));
    }

    private static boolean clean(Transaction transaction, List<byte[]> keys) throws IOException {
        for (byte[] key : keys) {
            ContentHashes.removeIfOver(transaction.rows(), transaction.namespace(), key);
        }
        return true;
    }
}
