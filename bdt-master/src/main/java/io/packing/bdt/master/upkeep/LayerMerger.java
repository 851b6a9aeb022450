// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.change.LayerMerge;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.MapLayer;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The part of upkeep that merges layers of maps which nothing else needs any more, since clones and snapshots went (RFC 0020). Confined to the
 * upkeep thread, but for the count.
 */
public final class LayerMerger {
    /** Rows that one step passes which need nothing. */
    private static final int MOST_PASSED = 1_000;

    private static final byte[] START = MapLayer.key(0);

    private final Table table;
    private final Duration interval;
    private final Clocks clocks;
    private final AtomicLong moved = new AtomicLong();
    private byte[] from = START;
    private long nextPass;

    /** @param interval time between two passes over all layers */
    public LayerMerger(Table table, Duration interval, Clocks clocks) {
        this.table = table;
        this.interval = interval;
        this.clocks = clocks;
        this.nextPass = clocks.nanoTime() + interval.toNanos();
    }

    /** Returns the number of references that were moved to the layer below since the start. Any thread may ask. */
    public long moved() {
        return moved.get();
    }

    /** Moves some references of one layer; returns whether it did, or has layers left to look at. */
    public boolean step() throws IOException {
        if (clocks.nanoTime() - nextPass < 0) {
            return false;
        }
        OptionalLong layer = next();
        if (layer.isEmpty()) {
            return !Arrays.equals(from, START);
        }
        int some = Waiting.on(table.writer().submit(t -> LayerMerge.step(t, layer.getAsLong())));
        if (some < 0) {
            from = MapLayer.key(layer.getAsLong() + 1);
        }
        moved.addAndGet(Math.max(0, some));
        return true;
    }

    /** Finds the next layer that alone is below another one. */
    private OptionalLong next() throws IOException {
        int[] passed = new int[1];
        long[] found = new long[1];
        byte[][] last = new byte[1][];
        table.rows().scan(from, MapLayer.key(Long.MAX_VALUE), (key, value) -> {
            OptionalLong layer = MapLayer.layer(key);
            if (layer.isPresent()
                    && LayerMerge.over(table.rows(), layer.getAsLong()).isPresent()) {
                found[0] = layer.getAsLong();
            }
            last[0] = key;
            return found[0] == 0 && ++passed[0] < MOST_PASSED;
        });
        if (found[0] != 0) {
            from = MapLayer.key(found[0]);
            return OptionalLong.of(found[0]);
        }
        boolean isPassed = passed[0] < MOST_PASSED;
        from = isPassed ? START : Keys.after(last[0]);
        if (isPassed) {
            nextPass = clocks.nanoTime() + interval.toNanos();
        }
        return OptionalLong.empty();
    }
}
