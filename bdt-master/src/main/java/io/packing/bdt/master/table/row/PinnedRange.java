// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A directory that snapshots of one owner see in a place that it has left, however many they are. Its row has the position of the newest of
 * them in the key.
 *
 * @param directory id of the pinned directory
 * @param newest position of the newest snapshot that sees it
 * @param owner id of the directory that the snapshots are of
 * @param oldest position from which on the owner's snapshots see it; the newest one in rows of earlier versions
 */
public record PinnedRange(long directory, long newest, long owner, long oldest) {
    private byte[] key() {
        return Keys.pair(Keys.PIN, directory, newest);
    }

    /** Writes its row, and its row by position. */
    public void write(WriteSet rows) {
        rows.put(key(), encode());
        rows.put(Keys.pinByPosition(directory, newest), new byte[0]);
    }

    /** Returns the row's value. A range of one snapshot has the form of earlier versions. */
    private byte[] encode() {
        Bytes.Out out = new Bytes.Out().number(owner);
        return (oldest < newest ? out.number(oldest) : out).toBytes();
    }

    public static PinnedRange decode(byte[] key, byte[] row) {
        Bytes.In in = new Bytes.In(row);
        long newest = Keys.secondNumber(key);
        return new PinnedRange(Keys.number(key), newest, in.number(), in.hasMore() ? in.number() : newest);
    }

    /** Reads the ranges of a directory. */
    public static List<PinnedRange> of(Rows rows, long directory) throws IOException {
        List<PinnedRange> found = new ArrayList<>();
        rows.scan(
                Keys.numbered(Keys.PIN, directory),
                Keys.numbered(Keys.PIN, directory + 1),
                (key, value) -> found.add(decode(key, value)));
        return found;
    }
}
