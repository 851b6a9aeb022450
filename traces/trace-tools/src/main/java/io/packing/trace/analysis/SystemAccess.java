// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import io.packing.trace.TraceEvent;

/** An open file from its open to its last close: the paper's file access (§2.2). */
final class SystemAccess {
    /** The bytes moved in one direction, and their order. */
    static final class Flow {
        long bytes;
        long calls;
        private long runs;
        private long run;
        private long longestRun;
        private long next = TraceEvent.NONE;
        private boolean placeless;

        void add(long offset, long count) {
            calls++;
            if (count == 0) {
                return;
            }
            bytes += count;
            placeless |= offset == TraceEvent.NONE;
            if (runs == 0 || offset != next) {
                runs++;
                run = 0;
            }
            run += count;
            longestRun = Math.max(longestRun, run);
            next = offset + count;
        }

        /**
         * Returns the order: strictly sequential, nearly so (95 % in one run, §2.6.4), or neither; empty without bytes.
         */
        String order() {
            if (bytes == 0) {
                return "";
            }
            if (placeless) {
                return "unknown";
            }
            return runs == 1 ? "sequential" : longestRun * 100 >= bytes * 95 ? "nearly" : "other";
        }
    }

    final SystemFile file;
    final boolean directory;
    final long opensBefore;
    final Flow reads = new Flow();
    final Flow writes = new Flow();
    boolean listed;
    boolean prefetched;
    boolean dropped;
    boolean patterned;
    boolean direct;

    SystemAccess(SystemFile file, boolean directory, long opensBefore) {
        this.file = file;
        this.directory = directory;
        this.opensBefore = opensBefore;
    }

    boolean moved() {
        return reads.bytes + writes.bytes > 0;
    }
}
