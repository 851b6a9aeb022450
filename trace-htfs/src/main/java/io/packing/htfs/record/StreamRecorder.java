// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs.record;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import org.jspecify.annotations.Nullable;

/**
 * The calls on one open stream; collapses small sequential ones into runs.
 *
 * <p>A run ends by a call that does not continue it (another kind, place or thread), by its size, by its age, and when
 * the recorder closes. The sweeping thread knows the streams with an open run, so that a stream without a close loses
 * nothing.
 */
public final class StreamRecorder {
    private final Recorder recorder;
    private final CollapseLimits limits;
    private final FileSystemInstance caller;
    private final long number;
    private final String path;

    // The open run, guarded by this.
    private Call runCall = Call.UNKNOWN;
    private @Nullable Thread runThread;
    private int runCount;
    private long runOffset;
    private long runLength;
    private long runBytes;
    private long runFirst;
    private long runLast;
    private long runDuration;
    private boolean swept;

    StreamRecorder(Recorder recorder, CollapseLimits limits, FileSystemInstance caller, long number, String path) {
        this.recorder = recorder;
        this.limits = limits;
        this.caller = caller;
        this.number = number;
        this.path = path;
    }

    public long number() {
        return number;
    }

    public String path() {
        return path;
    }

    public long now() {
        return recorder.now();
    }

    /**
     * Records a read or write that moved {@code bytes} at {@code offset}, sequentially.
     *
     * @param length requested or given bytes
     */
    public synchronized void sequential(Call call, long offset, long length, long bytes, long start, long end) {
        Thread thread = Thread.currentThread();
        if (runCount > 0) {
            if (call == runCall
                    && thread == runThread
                    && offset == runOffset + runBytes
                    && length <= limits.callBytes()
                    && runBytes + bytes <= limits.runBytes()
                    && start - runFirst < limits.ageNanos()
                    && runCount < Integer.MAX_VALUE) {
                runCount++;
                runLength += length;
                runBytes += bytes;
                runDuration += end - start;
                runLast = start;
                return;
            }
            endRun();
        }
        if (length > limits.callBytes()) {
            put(call, 1, start, start, end - start, thread.getName(), "", offset, length, bytes, "", "");
            return;
        }
        runCall = call;
        runThread = thread;
        runCount = 1;
        runOffset = offset;
        runLength = length;
        runBytes = bytes;
        runFirst = start;
        runLast = start;
        runDuration = end - start;
        if (!swept) {
            swept = true;
            recorder.collapsing(this);
        }
    }

    /** Records a call that never collapses. Numbers that do not apply are {@link TraceEvent#NONE}. */
    public void call(
            Call call, long start, long end, long offset, long length, long result, String error, String hints) {
        call(call, Thread.currentThread().getName(), "", start, end, offset, length, result, error, hints);
    }

    /** Records a call of {@code thread} that ended in another one, as asynchronous calls do. */
    public synchronized void call(
            Call call,
            String thread,
            String context,
            long start,
            long end,
            long offset,
            long length,
            long result,
            String error,
            String hints) {
        endRun();
        put(call, 1, start, start, end - start, thread, context, offset, length, result, error, hints);
    }

    /** Ends the open run if it began before {@code before}; returns whether a run is still open. */
    synchronized boolean sweep(long before) {
        if (runCount > 0 && runFirst - before <= 0) {
            endRun();
        }
        if (runCount == 0) {
            swept = false;
        }
        return swept;
    }

    /** Ends the open run, if the stream has one: no call will continue it. */
    public synchronized void endRun() {
        if (runCount == 0) {
            return;
        }
        Thread thread = runThread;
        String name = thread == null ? "" : thread.getName();
        put(runCall, runCount, runFirst, runLast, runDuration, name, "", runOffset, runLength, runBytes, "", "");
        runCount = 0;
        runThread = null;
    }

    private void put(
            Call call,
            int count,
            long first,
            long last,
            long duration,
            String thread,
            String context,
            long offset,
            long length,
            long result,
            String error,
            String hints) {
        Slot slot = recorder.claim();
        if (slot == null) {
            return;
        }
        slot.who(call, caller, thread, context);
        slot.when(count, first, last, Math.max(0, duration));
        slot.where(number, path, "");
        slot.what(offset, length, result, error, hints);
        recorder.publish(slot);
    }
}
