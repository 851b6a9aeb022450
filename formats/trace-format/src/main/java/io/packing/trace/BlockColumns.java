// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

/** The columns of a block under construction; trace-format.md, section 5. Confined to one thread. */
final class BlockColumns {
    private final EntryColumn[] entries = new EntryColumn[Column.HOW_MANY];
    private final ColumnOutput calls = new ColumnOutput();
    private final ColumnOutput spans = new ColumnOutput();
    /** The current event's entries, by the column's place; most of them are 0. */
    private final long[] row = new long[Column.HOW_MANY];

    private final boolean[] flat = new boolean[Column.HOW_MANY];
    private final int[] ends = new int[Column.HOW_MANY];

    private final int version;

    BlockColumns(int version) {
        this.version = version;
        for (Column column : Column.values()) {
            if (column != Column.CALL && column != Column.SPAN) {
                entries[column.place] = new EntryColumn();
            }
        }
    }

    /** Notes an entry of the current event. */
    void put(Column column, long value) {
        row[column.place] = value;
    }

    /** Notes a signed entry. */
    void putSigned(Column column, long value) {
        row[column.place] = ColumnOutput.zigzagOf(value);
    }

    /**
     * Writes the entries of the event of that number in the block; events must come in order. One loop writes all
     * columns: with a call for each, a traced process compiled sixteen copies of the code that writes an entry, at the
     * price of a million events.
     */
    void write(int event) {
        for (int place = 0; place < Column.HOW_MANY; place++) {
            long value = row[place];
            if (value != 0) {
                entries[place].put(event, value);
                row[place] = 0;
            }
        }
    }

    void call(int id) {
        if (version == TraceLayout.VERSION_1) {
            calls.byte1(id);
        } else {
            calls.varint(id);
        }
    }

    /** Writes the span of a collapsed event; other events have none. */
    void span(long ticks) {
        spans.varint(ticks);
    }

    /** Appends the columns of a block of so many events, in file order. */
    void writeTo(ColumnOutput payload, int events) {
        for (Column column : Column.values()) {
            int place = column.place;
            if (!column.isIn(version)) {
                ends[place] = payload.size();
                continue;
            }
            switch (column) {
                case CALL -> payload.column(calls);
                case SPAN -> payload.column(spans);
                default -> {
                    payload.column(entries[place].complete(events));
                    flat[place] = entries[place].isFlat();
                }
            }
            ends[place] = payload.size();
        }
    }

    /** Returns the end of a column in the payload written last. */
    int end(Column column) {
        return ends[column.place];
    }

    /** Returns whether a column has hardly more than zeros. */
    boolean isFlat(Column column) {
        return flat[column.place];
    }

    void clear() {
        calls.clear();
        spans.clear();
        for (Column column : Column.values()) {
            if (column != Column.CALL && column != Column.SPAN) {
                entries[column.place].clear();
            }
        }
    }
}
