// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.log;

import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.sorted.WriteBatch;
import java.util.Map;
import java.util.Optional;

/**
 * A log entry: the rows that one batch of mutations changed. Replaying it twice, or from any earlier entry on, leads to
 * the same rows, so a replay never has to know exactly what the store already had.
 */
public record BatchRecord(long firstPosition, long lastPosition, WriteBatch rows) {
    /** The bytes of a batch. */
    public static byte[] encode(long first, long last, WriteSet writes) {
        Bytes.Out out = new Bytes.Out().number(first).number(last);
        for (Map.Entry<byte[], Optional<byte[]>> row : writes.all()) {
            out.byte1(row.getValue().isPresent() ? 1 : 0).blob(row.getKey());
            row.getValue().ifPresent(out::blob);
        }
        return out.toBytes();
    }

    /** Encodes rows that no mutation changed. */
    public static byte[] encode(WriteBatch rows) {
        Bytes.Out out = new Bytes.Out().number(0).number(0);
        rows.forEach(new WriteBatch.Visitor() {
            @Override
            public void put(byte[] key, byte[] value) {
                Bytes.Out unused = out.byte1(1).blob(key).blob(value);
            }

            @Override
            public void delete(byte[] key) {
                Bytes.Out unused = out.byte1(0).blob(key);
            }
        });
        return out.toBytes();
    }

    /** Reads what {@link #encode} wrote. */
    public static BatchRecord decode(byte[] payload) {
        Bytes.In in = new Bytes.In(payload);
        long first = in.number();
        long last = in.number();
        WriteBatch rows = new WriteBatch();
        while (in.hasMore()) {
            if (in.byte1() == 1) {
                rows.put(in.blob(), in.blob());
            } else {
                rows.delete(in.blob());
            }
        }
        return new BatchRecord(first, last, rows);
    }
}
