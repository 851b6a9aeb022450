// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceOrigin;

/** A maker of one machine's events, with its clock, its stream numbers and the durations of its calls. */
final class Events {
    private static final String USER = "hbase";
    private static final int FILE_SYSTEM = 1;

    private final TraceOrigin origin;
    private final long wallStart;
    private final double pace;
    private long streams;
    private long noise;

    /** @param pace nanoseconds of the trace per nanosecond of the paper's 8.3 days */
    Events(TraceOrigin origin, long wallStart, double pace, long seed) {
        this.origin = origin;
        this.wallStart = wallStart;
        this.pace = pace;
        this.noise = EvenSequence.mix(seed) | 1;
    }

    long newStream() {
        return ++streams;
    }

    /** Makes a call on a path with the result {@code result}. */
    TraceEvent onPath(long time, Call call, String thread, long stream, String path, String target, long result) {
        return make(
                time, call, 1, 0, thread, "", stream, path, target, TraceEvent.NONE, TraceEvent.NONE, result, 600_000);
    }

    /** Makes a call on a stream that moves all requested bytes. */
    TraceEvent io(
            long time, Call call, String thread, String context, long stream, String path, long offset, long bytes) {
        return make(
                time,
                call,
                1,
                0,
                thread,
                context,
                stream,
                path,
                "",
                offset,
                bytes,
                bytes,
                call.reads() ? 4_000_000 : 250_000);
    }

    /** Makes a run of small writes. */
    TraceEvent run(
            long time,
            int count,
            long last,
            String thread,
            String context,
            long stream,
            String path,
            long at,
            long bytes) {
        return make(time, Call.WRITE, count, last, thread, context, stream, path, "", at, bytes, bytes, 2_000L * count);
    }

    /** Makes a call on a stream that moves no bytes. */
    TraceEvent onStream(long time, Call call, String thread, long stream, String path, long result) {
        return make(time, call, 1, 0, thread, "", stream, path, "", TraceEvent.NONE, TraceEvent.NONE, result, 400_000);
    }

    private TraceEvent make(
            long time,
            Call call,
            int count,
            long lastAfter,
            String thread,
            String context,
            long stream,
            String path,
            String target,
            long offset,
            long length,
            long result,
            long meanDuration) {
        long at = (long) (time * pace);
        noise ^= noise << 13;
        noise ^= noise >>> 7;
        noise ^= noise << 17;
        long duration = (meanDuration >> 1) + (((noise >>> 44) * meanDuration) >> 20);
        return new TraceEvent(
                origin,
                wallStart + at,
                at,
                duration,
                at + (long) (lastAfter * pace),
                call,
                count,
                thread,
                USER,
                context,
                FILE_SYSTEM,
                stream,
                path,
                target,
                offset,
                length,
                result,
                "",
                "",
                TraceEvent.NONE,
                TraceEvent.NONE);
    }
}
