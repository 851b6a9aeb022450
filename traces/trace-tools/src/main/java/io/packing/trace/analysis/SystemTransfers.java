// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;

/** The figures' counts of calls that move bytes: sizes, types, reuse, preallocation, threads. */
final class SystemTransfers {
    private SystemTransfers() {}

    static void move(TraceEvent event, SystemTask task, boolean placedWrite) {
        SystemAccess access = task.access(event);
        SystemFile file = access.file;
        boolean read = event.call().reads();
        long bytes = event.bytes();
        (read ? access.reads : access.writes).add(event.offset(), bytes);
        task.count("table-2.2", read ? "read" : "written", bytes);
        task.count("2.5", file.kind, bytes);
        task.count("2.8", "requests", bytes);
        task.count(read ? "2.11" : "2.12", SystemGroups.request(bytes), 1);
        task.count(read ? "2.13" : "2.14", SystemGroups.request(bytes), bytes);
        if (read) {
            task.count("2.3", "files", bytes);
            task.count("2.30", event.call() == Call.SYS_AIO_READ ? "asynchronous" : "synchronous", bytes);
        }
        if (bytes == 0) {
            return;
        }
        file.touched = true;
        task.threadMoved(event, read);
        if (event.offset() != TraceEvent.NONE) {
            reuse(event, task, file, read);
            if (!read) {
                grow(event, task, file, placedWrite);
            }
        }
        if (!read) {
            file.unforced += bytes;
            file.writtenUnderItsName += bytes;
        }
    }

    /** Counts the reuse of bytes; those both read and written before count as written (§2.7.1). */
    private static void reuse(TraceEvent event, SystemTask task, SystemFile file, boolean read) {
        long start = event.offset();
        long end = event.end();
        String figure = read ? "2.21" : "2.22";
        long written = file.written.overlap(start, end);
        long either = ByteRanges.overlapOfEither(file.read, file.written, start, end);
        task.count(figure, "written before", written);
        task.count(figure, "read before", either - written);
        task.count(figure, "fresh", end - start - either);
        (read ? file.read : file.written).add(start, end);
    }

    private static void grow(TraceEvent event, SystemTask task, SystemFile file, boolean placedWrite) {
        if (file.preallocatedTo > file.preallocatedFrom) {
            boolean whole = event.offset() <= file.preallocatedFrom && event.end() >= file.preallocatedTo;
            task.count(
                    "2.18",
                    whole ? "preallocated in vain" : "preallocated",
                    file.preallocatedTo - file.preallocatedFrom);
            file.preallocatedTo = file.preallocatedFrom;
        }
        long old = file.size;
        if (old == TraceEvent.NONE || event.end() <= old) {
            return;
        }
        if (placedWrite && event.bytes() == 1 && event.offset() > old) {
            preallocate(file, old, event.end());
        } else {
            task.count("2.18", "written", event.end() - old);
        }
    }

    /** Notes a preallocation; the next write shows whether it was of use. */
    static void preallocate(SystemFile file, long from, long to) {
        file.preallocatedFrom = from;
        file.preallocatedTo = to;
    }
}
