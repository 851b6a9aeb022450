// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.hdfs;

import java.util.Arrays;

/** A file of HDFS: its owner, and the local files that hold its replicas. */
final class HdfsFile {
    static final int NONE = -1;

    final int owner;
    final boolean log;
    private int[] locals = {};
    private long[] ends = {};

    HdfsFile(int owner, boolean log) {
        this.owner = owner;
        this.log = log;
    }

    /** Returns the number of the local file; {@link #NONE} before the first operation on it. */
    int local(int at) {
        return at < locals.length ? locals[at] : NONE;
    }

    void place(int at, int local) {
        if (at >= locals.length) {
            int size = locals.length;
            int more = Math.max(at + 1, Math.min(size * 2, size + 64));
            locals = Arrays.copyOf(locals, more);
            ends = Arrays.copyOf(ends, more);
            Arrays.fill(locals, size, more, NONE);
        }
        locals[at] = local;
    }

    int places() {
        return locals.length;
    }

    /** Returns the greatest offset of an operation on the local file. */
    long end(int at) {
        return ends[at];
    }

    void reaches(int at, long end) {
        ends[at] = Math.max(ends[at], end);
    }
}
