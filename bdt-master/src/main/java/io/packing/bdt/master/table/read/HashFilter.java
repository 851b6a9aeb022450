// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import com.google.common.hash.HashCode;
import com.google.common.primitives.Ints;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Rows;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The hashes of which the table may have rows. Most files that are written have new bytes, and to look for a row that is not there
 * costs more than all else that is done for a file. It is made at the first question. A row that is written meanwhile may
 * be missed: rows are hints. Thread-safe.
 */
public final class HashFilter {
    private static final int LEAST_ROWS = 1 << 20;
    private static final double WRONG = 0.01;

    private final Rows rows;
    private final int leastRows;
    private volatile @Nullable BloomFilter<byte[]> filter;
    /** For how many rows it was made. */
    private int room;

    public HashFilter(Rows rows) {
        this(rows, LEAST_ROWS);
    }

    /** @param leastRows for how many it is made at least */
    public HashFilter(Rows rows, int leastRows) {
        this.rows = rows;
        this.leastRows = leastRows;
    }

    /** Returns whether there may be a row. */
    public boolean mayHave(HashCode sha256) throws IOException {
        BloomFilter<byte[]> known = filter;
        return (known == null || known.approximateElementCount() > room ? make() : known)
                .mightContain(sha256.asBytes());
    }

    /** A row is there from now on. */
    public void add(HashCode sha256) {
        BloomFilter<byte[]> known = filter;
        if (known != null) {
            boolean unused = known.put(sha256.asBytes());
        }
    }

    private synchronized BloomFilter<byte[]> make() throws IOException {
        BloomFilter<byte[]> known = filter;
        if (known != null && known.approximateElementCount() <= room) {
            return known;
        }
        long[] written = new long[1];
        each(key -> written[0]++);
        room = Ints.saturatedCast(Math.max(leastRows, 2 * written[0]));
        BloomFilter<byte[]> made = BloomFilter.create(Funnels.byteArrayFunnel(), room, WRONG);
        // Now: what is written while the rows are read is added by who writes it.
        filter = made;
        each(key -> made.put(Keys.hash(key)));
        return made;
    }

    private void each(Consumer<byte[]> told) throws IOException {
        rows.scan(Keys.kind(Keys.HASH), Keys.kindEnd(Keys.HASH), (key, row) -> {
            told.accept(key);
            return true;
        });
    }
}
