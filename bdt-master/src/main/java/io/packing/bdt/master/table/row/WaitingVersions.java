// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The row of the file versions that wait to replace the file at a name, by generation. */
public final class WaitingVersions {
    private WaitingVersions() {}

    /** Returns the versions that wait at a name. */
    public static List<Inode> at(Rows rows, EntryLink link) throws IOException {
        Optional<byte[]> row = rows.get(Keys.pending(link.parent(), link.name()));
        return row.isEmpty() ? List.of() : decode(row.get());
    }

    public static List<Inode> decode(byte[] row) {
        List<Inode> waiting = new ArrayList<>();
        for (Bytes.In in = new Bytes.In(row); in.hasMore(); ) {
            waiting.add(Inode.decode(in.blob()));
        }
        return waiting;
    }

    public static byte[] encode(List<Inode> waiting) {
        Bytes.Out out = new Bytes.Out();
        waiting.forEach(inode -> out.blob(inode.encode()));
        return out.toBytes();
    }
}
