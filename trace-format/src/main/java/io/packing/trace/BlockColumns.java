package io.packing.trace;

/** The columns of a block that is being written; trace-format.md, section 5. Confined to one thread. */
final class BlockColumns {
    private final EntryColumn[] entries = new EntryColumn[Column.HOW_MANY];
    private final ColumnOutput calls = new ColumnOutput();
    private final ColumnOutput spans = new ColumnOutput();
    final EntryColumn origin = of(Column.ORIGIN);
    final EntryColumn time = of(Column.TIME);
    final EntryColumn duration = of(Column.DURATION);
    final EntryColumn count = of(Column.COUNT);
    final EntryColumn stream = of(Column.STREAM);
    final EntryColumn path = of(Column.PATH);
    final EntryColumn thread = of(Column.THREAD);
    final EntryColumn user = of(Column.USER);
    final EntryColumn context = of(Column.CONTEXT);
    final EntryColumn fileSystem = of(Column.FILE_SYSTEM);
    final EntryColumn offset = of(Column.OFFSET);
    final EntryColumn length = of(Column.LENGTH);
    final EntryColumn result = of(Column.RESULT);
    final EntryColumn target = of(Column.TARGET);
    final EntryColumn error = of(Column.ERROR);
    final EntryColumn hints = of(Column.HINTS);
    private final boolean[] flat = new boolean[Column.HOW_MANY];
    private final int[] ends = new int[Column.HOW_MANY];

    private EntryColumn of(Column column) {
        EntryColumn added = new EntryColumn();
        entries[column.place] = added;
        return added;
    }

    void call(int id) {
        calls.byte1(id);
    }

    /** Writes the span of a collapsed event: the others have none. */
    void span(long ticks) {
        spans.varint(ticks);
    }

    /** Appends the columns of a block of so many events, in file order. */
    void writeTo(ColumnOutput payload, int events) {
        for (Column column : Column.values()) {
            int place = column.place;
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

    /** Where a column ended in the payload that was written last. */
    int end(Column column) {
        return ends[column.place];
    }

    /** Whether a column is hardly more than zeros. */
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
