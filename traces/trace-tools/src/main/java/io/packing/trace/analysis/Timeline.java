// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.util.List;

/**
 * The activity of a recording's tasks over time (Figure 2.1): all accesses to files, calls that force and rename, and
 * the requests of each file. Times are nanoseconds from the task's first call.
 *
 * @param accesses in the order of their beginning
 * @param requests of files, in the order of time
 * @param leftOut requests that did not fit, of the files with the fewest bytes
 */
record Timeline(List<Access> accesses, List<Mark> marks, List<Request> requests, long leftOut) {
    static final Timeline EMPTY = new Timeline(List.of(), List.of(), List.of(), 0);

    Timeline {
        accesses = List.copyOf(accesses);
        marks = List.copyOf(marks);
        requests = List.copyOf(requests);
    }

    /**
     * An open file from its open to its last close.
     *
     * @param path of its last call
     * @param kind of the file, by its name
     * @param thread that opened it
     * @param read bytes
     * @param written bytes
     */
    record Access(
            String task, String path, String kind, String thread, long start, long end, long read, long written) {}

    /** A call that forces a file to disk, or renames it. */
    record Mark(String task, String path, String what, long at) {}

    /**
     * A run of calls on one file by one thread, each of which begins where the last one ended.
     *
     * @param write whether it writes
     * @param end time of the last call's return
     * @param offset of its first byte
     * @param length in bytes
     * @param count of calls
     */
    record Request(
            String task,
            String path,
            String thread,
            boolean write,
            long start,
            long end,
            long offset,
            long length,
            int count) {}
}
