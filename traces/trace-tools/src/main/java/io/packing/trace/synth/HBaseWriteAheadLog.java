// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.util.ArrayDeque;

/**
 * The log: small writes of one edit each, which hflush makes durable, in files of about 218 MB (Fig. 3.5).
 *
 * <p>Two hours after a file is full, its edits are flushed and it moves to {@code oldWALs}. The master deletes it
 * there; the trace does not record the master.
 */
final class HBaseWriteAheadLog implements Activity {
    private static final long ARCHIVE_AFTER_NANOS = 7_200_000_000_000L;
    /** The writes of one edit: a length, a key and the cells. */
    private static final int WRITES_PER_EDIT = 3;

    private enum Next {
        CREATE,
        WRITE,
        SYNC,
        CLOSE,
        ARCHIVE
    }

    private final Events events;
    private final HBaseNames names;
    private final long edits;
    private final double period;
    private final double editBytes;
    private final double deleteShare;
    private final double fileBytes;
    private final double fileSpread;
    private final EvenSequence sizes;
    private final EvenSequence limits;
    private final EvenSequence kinds;
    private final ArrayDeque<long[]> closed = new ArrayDeque<>();

    private Next next = Next.CREATE;
    private long time;
    private long edit;
    private long file;
    private long stream;
    private String path = "";
    private long offset;
    private double limit;
    private String context = "";

    HBaseWriteAheadLog(
            Workload workload, TraceModel model, double scale, long end, long seed, Events events, HBaseNames names) {
        this.events = events;
        this.names = names;
        this.edits = Math.round(model.walGroups() * scale);
        this.period = (double) end / edits;
        this.editBytes = model.walGroupBytes();
        this.deleteShare = workload.trace().deletes()
                / (workload.trace().puts() + workload.trace().deletes());
        double total = edits * editBytes;
        this.fileBytes = total / Math.max(1, Math.round(total / workload.files().logBytes()));
        this.fileSpread = workload.files().logSpread();
        this.sizes = new EvenSequence(seed ^ 1);
        this.limits = new EvenSequence(seed ^ 2);
        this.kinds = new EvenSequence(seed ^ 3);
    }

    @Override
    public long time() {
        return time;
    }

    @Override
    public TraceEvent step() {
        return switch (next) {
            case CREATE -> create();
            case WRITE -> write();
            case SYNC -> sync();
            case CLOSE -> close();
            case ARCHIVE -> archive();
        };
    }

    private TraceEvent create() {
        path = names.log(++file);
        stream = events.newStream();
        offset = 0;
        limit = fileBytes * (1 + fileSpread * limits.between(-1, 1));
        next = Next.WRITE;
        return events.onPath(time, Call.CREATE_FILE, names.roller(), stream, path, "", TraceEvent.NONE);
    }

    private TraceEvent write() {
        long bytes = Math.max(WRITES_PER_EDIT, Math.round(editBytes * sizes.exponential()));
        context = kinds.next() < deleteShare ? "delete" : "put";
        TraceEvent event = events.run(
                time, WRITES_PER_EDIT, (long) (period / 16), names.appender(), context, stream, path, offset, bytes);
        offset += bytes;
        next = Next.SYNC;
        time += (long) Math.min(500_000, period / 4);
        return event;
    }

    private TraceEvent sync() {
        TraceEvent event = events.onStream(time, Call.HFLUSH, names.syncer(edit), stream, path, TraceEvent.NONE);
        edit++;
        if (edit == edits) {
            time = OVER;
        } else if (offset >= limit) {
            next = Next.CLOSE;
        } else {
            resume();
        }
        return event;
    }

    private TraceEvent close() {
        TraceEvent event = events.onStream(time, Call.CLOSE_OUTPUT, names.roller(), stream, path, offset);
        closed.add(new long[] {file, time + ARCHIVE_AFTER_NANOS});
        next = Next.CREATE;
        return event;
    }

    private TraceEvent archive() {
        long oldest = closed.remove()[0];
        TraceEvent event = events.onPath(
                time, Call.RENAME, names.roller(), TraceEvent.NONE, names.log(oldest), names.oldLog(oldest), 1);
        resume();
        return event;
    }

    /** Continues with the next edit, or with the move of a full log file when it comes first. */
    private void resume() {
        long start = Math.max(time, (long) (edit * period));
        long[] oldest = closed.peek();
        if (oldest != null && oldest[1] <= start) {
            next = Next.ARCHIVE;
        } else {
            next = Next.WRITE;
            time = start;
        }
    }
}
