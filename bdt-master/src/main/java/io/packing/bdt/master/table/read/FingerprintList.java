// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import com.google.common.primitives.ImmutableIntArray;
import io.packing.bdt.FingerprintPage;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Rows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The fingerprints of the contents that claims may share, in the order in which they were noted. Workers read it from where they have
 * come to, and then need not ask about files whose fingerprint it does not have. It is made at the first question, and takes four bytes
 * of memory for each content. A list of too many contents is empty and never complete: workers ask about each file then. Thread-safe.
 */
public final class FingerprintList {
    /** The fingerprints of a page, and of an array of the list. */
    static final int PAGE = 1 << 16;

    private static final int MOST_PAGES = 512;

    private final Rows rows;
    private final long number;
    private final int mostPages;
    /** Full pages, but for the last one. Guarded by this, as all below. */
    private final List<int[]> pages = new ArrayList<>();

    private long length;
    private boolean complete = true;
    /** True from the first question on. */
    private boolean taking;

    private final Object making = new Object();
    /** True once all rows are in the list. Guarded by the lock for making. */
    private boolean made;

    /** @param number of this list, another one after each start of the master */
    public FingerprintList(Rows rows, long number) {
        this(rows, number, MOST_PAGES);
    }

    /** @param mostPages how long the list may become */
    FingerprintList(Rows rows, long number, int mostPages) {
        this.rows = rows;
        this.number = Math.max(1, number);
        this.mostPages = mostPages;
    }

    /** Returns a page of the list. */
    public FingerprintPage page(long list, long after) throws IOException {
        makeOnce();
        synchronized (this) {
            long from = list == number && after >= 0 && after <= length ? after : 0;
            int page = (int) (from / PAGE);
            if (page >= pages.size()) {
                return new FingerprintPage(number, from, complete, false, ImmutableIntArray.of());
            }
            long next = Math.min(length, (page + 1L) * PAGE);
            ImmutableIntArray.Builder fingerprints = ImmutableIntArray.builder((int) (next - from));
            for (int at = (int) (from % PAGE); at < PAGE && page * (long) PAGE + at < next; at++) {
                fingerprints.add(pages.get(page)[at]);
            }
            return new FingerprintPage(number, next, complete, next < length, fingerprints.build());
        }
    }

    /** Notes the content of a row that was written. */
    public synchronized void add(OptionalInt fingerprint) {
        if (!taking) {
            // The row is read when the list is made.
            return;
        }
        if (fingerprint.isEmpty() || length == (long) mostPages * PAGE) {
            giveUp();
        } else if (complete) {
            if (length % PAGE == 0) {
                pages.add(new int[PAGE]);
            }
            pages.get(pages.size() - 1)[(int) (length % PAGE)] = fingerprint.getAsInt();
            length++;
        }
    }

    private void giveUp() {
        complete = false;
        pages.clear();
        length = 0;
    }

    private void makeOnce() throws IOException {
        // Only those who ask wait for the rows.
        synchronized (making) {
            if (made) {
                return;
            }
            // Now: what is written while the rows are read is added by its writer, perhaps twice.
            begin(true);
            try {
                rows.scan(Keys.kind(Keys.HASH), Keys.kindEnd(Keys.HASH), (key, row) -> {
                    add(ContentHashes.fingerprint(row));
                    return true;
                });
                made = true;
            } finally {
                if (!made) {
                    begin(false);
                }
            }
        }
    }

    private synchronized void begin(boolean takesMore) {
        taking = takesMore;
        pages.clear();
        length = 0;
    }
}
