// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

/**
 * A column with an entry per event, most of which are 0 since the state foretells them (trace-format.md, sections 5 and
 * 6). Zeros cost no time until another value comes. Confined to one thread.
 */
final class EntryColumn {
    private static final int FLAT_ENTRIES = 1_024;
    private static final int FLAT_SHARE = 64;

    private final ColumnOutput out = new ColumnOutput();
    private int entries;
    private int others;

    /** Writes the entry, which is not 0, of the event of that number in the block; events must come in order. */
    void put(int event, long value) {
        if (event > entries) {
            out.zeros(event - entries);
        }
        out.varint(value);
        entries = event + 1;
        others++;
    }

    /** Returns the bytes of the column of a block of that many events. */
    ColumnOutput complete(int events) {
        out.zeros(events - entries);
        entries = events;
        return out;
    }

    /** Returns whether a search for repetitions would find only long runs of zeros. */
    boolean isFlat() {
        return entries >= FLAT_ENTRIES && others <= entries / FLAT_SHARE;
    }

    void clear() {
        out.clear();
        entries = 0;
        others = 0;
    }
}
