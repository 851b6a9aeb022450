// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * The file of each path at each time (§3.2.1: "different paths may refer to the same data, due to renames").
 *
 * <p>It holds only the paths that meant another file than the first one of that name: 24 bytes each.
 */
final class Identities {
    /** The rows of (hash of the path, first time, file), in this order. */
    private long[] rows;

    private int count;
    private boolean sorted = true;

    Identities() {
        this.rows = new long[3 * 64];
    }

    /** Notes that {@code path} is {@code file} from {@code nanos} on. */
    void add(String path, long nanos, long file) {
        if (3 * (count + 1) > rows.length) {
            rows = Arrays.copyOf(rows, rows.length * 2);
        }
        rows[3 * count] = TracedFileIds.of(path);
        rows[3 * count + 1] = nanos;
        rows[3 * count + 2] = file;
        count++;
        sorted = false;
    }

    /** Returns the file of {@code path} at a time. */
    long fileOf(String path, long nanos) {
        if (!sorted) {
            sort();
        }
        long hash = TracedFileIds.of(path);
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            int order = Long.compare(rows[3 * middle], hash);
            if (order < 0 || (order == 0 && rows[3 * middle + 1] <= nanos)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low > 0 && rows[3 * (low - 1)] == hash ? rows[3 * (low - 1) + 2] : hash;
    }

    private void sort() {
        Integer[] order = new Integer[count];
        Arrays.setAll(order, i -> i);
        // A stable sort: of two rows with one time, the later one counts.
        Arrays.sort(order, (a, b) -> {
            int byHash = Long.compare(rows[3 * a], rows[3 * b]);
            return byHash != 0 ? byHash : Long.compare(rows[3 * a + 1], rows[3 * b + 1]);
        });
        long[] ordered = new long[3 * Math.max(1, count)];
        for (int i = 0; i < count; i++) {
            System.arraycopy(rows, 3 * order[i], ordered, 3 * i, 3);
        }
        rows = ordered;
        sorted = true;
    }

    void write(DataOutput out) throws IOException {
        if (!sorted) {
            sort();
        }
        out.writeInt(count);
        for (int i = 0; i < 3 * count; i++) {
            out.writeLong(rows[i]);
        }
    }

    static Identities read(DataInput in) throws IOException {
        Identities read = new Identities();
        read.count = in.readInt();
        read.rows = new long[3 * Math.max(1, read.count)];
        for (int i = 0; i < 3 * read.count; i++) {
            read.rows[i] = in.readLong();
        }
        return read;
    }
}
