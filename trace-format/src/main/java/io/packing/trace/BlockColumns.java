package io.packing.trace;

import java.util.Arrays;

/** The columns of a block that is being written; trace-format.md, section 5. Confined to one thread. */
final class BlockColumns {
    private final ColumnOutput[] inOrder = new ColumnOutput[Column.HOW_MANY];
    final ColumnOutput call;
    final ColumnOutput origin;
    final ColumnOutput time;
    final ColumnOutput duration;
    final ColumnOutput count;
    final ColumnOutput span;
    final ColumnOutput stream;
    final ColumnOutput path;
    final ColumnOutput thread;
    final ColumnOutput user;
    final ColumnOutput context;
    final ColumnOutput fileSystem;
    final ColumnOutput offset;
    final ColumnOutput length;
    final ColumnOutput result;
    final ColumnOutput target;
    final ColumnOutput error;
    final ColumnOutput hints;

    BlockColumns() {
        Arrays.setAll(inOrder, i -> new ColumnOutput());
        call = of(Column.CALL);
        origin = of(Column.ORIGIN);
        time = of(Column.TIME);
        duration = of(Column.DURATION);
        count = of(Column.COUNT);
        span = of(Column.SPAN);
        stream = of(Column.STREAM);
        path = of(Column.PATH);
        thread = of(Column.THREAD);
        user = of(Column.USER);
        context = of(Column.CONTEXT);
        fileSystem = of(Column.FILE_SYSTEM);
        offset = of(Column.OFFSET);
        length = of(Column.LENGTH);
        result = of(Column.RESULT);
        target = of(Column.TARGET);
        error = of(Column.ERROR);
        hints = of(Column.HINTS);
    }

    ColumnOutput of(Column column) {
        return inOrder[column.place];
    }

    void clear() {
        for (ColumnOutput column : inOrder) {
            column.clear();
        }
    }
}
