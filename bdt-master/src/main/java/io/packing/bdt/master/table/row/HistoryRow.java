// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The row of a mount's histories: the directories that changed since the last state of them was kept.
 *
 * <pre>
 * m histories    version 1, the second in which the interval of the changes began, the position of the mount then, count, id of each directory
 * </pre>
 *
 * @param second since 1970 in which the interval began
 * @param position of the table when the row was written; a table that is further without a change of the row comes from a recovery
 * @param changed ids of directories
 */
public record HistoryRow(long second, long position, Set<Long> changed) {
    public static final byte[] KEY = Keys.named(Keys.META, "histories");

    private static final int VERSION = 1;

    public HistoryRow {
        changed = Set.copyOf(changed);
    }

    public static Optional<HistoryRow> find(Rows rows) throws IOException {
        Optional<byte[]> row = rows.get(KEY);
        if (row.isEmpty()) {
            return Optional.empty();
        }
        Bytes.In in = new Bytes.In(row.get());
        int version = in.byte1();
        if (version != VERSION) {
            throw new Bytes.MalformedException("histories of version " + version);
        }
        long second = in.number();
        long position = in.number();
        int count = in.smallNumber();
        Set<Long> changed = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            changed.add(in.number());
        }
        return Optional.of(new HistoryRow(second, position, changed));
    }

    public byte[] encode() {
        Bytes.Out out =
                new Bytes.Out().byte1(VERSION).number(second).number(position).number(changed.size());
        new TreeSet<>(changed).forEach(out::number);
        return out.toBytes();
    }
}
