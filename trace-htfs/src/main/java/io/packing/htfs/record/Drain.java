// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs.record;

import io.packing.trace.TraceFilter;
import io.packing.trace.TraceLog;
import io.packing.trace.TraceOrigin;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The drain that moves events from the rings of a {@link Recorder} into the trace, in the order in which their calls
 * ended.
 *
 * <p>Confined to one thread. A failing log loses the events at hand, which are counted. The drain tries again, less and
 * less often, since disks are emptied and directories come back.
 */
public final class Drain {
    private static final long FIRST_RETRY_NANOS = 100_000_000L;
    private static final long LAST_RETRY_NANOS = 10_000_000_000L;
    private static final long SAY_DROPS_NANOS = 60_000_000_000L;

    /**
     * The filter and the delays of a drain.
     *
     * @param filter of the events that are traced
     * @param runNanos time for which a stream may keep an open run
     * @param flushNanos time for which a written event may be in memory only
     */
    public record DrainOptions(TraceFilter filter, long runNanos, long flushNanos) {}

    private final Recorder recorder;
    private final TraceOrigin origin;
    private final TraceLog log;
    private final Clock wall;
    private final DrainOptions settings;
    private final Consumer<String> warnings;

    private final Batch batch = new Batch();
    private final List<StreamRecorder> collapsing = new ArrayList<>();
    private boolean failed;
    private long retryAt;
    private long retryNanos = FIRST_RETRY_NANOS;
    private long flushedAt;
    private long sweptAt;
    /** The events lost by the log's failures. The log knows them, and the recorder has counted them. */
    private long lostHere;
    /** The events refused by the rings, which the log has counted. */
    private long refused;

    private long saidRefused;
    private long saidAt;

    /** @param warnings takes sentences for the process's own log */
    public Drain(
            Recorder recorder,
            TraceOrigin origin,
            TraceLog log,
            Clock wall,
            DrainOptions settings,
            Consumer<String> warnings) {
        this.recorder = recorder;
        this.origin = origin;
        this.log = log;
        this.wall = wall;
        this.settings = settings;
        this.warnings = warnings;
        sweptAt = recorder.now();
        flushedAt = sweptAt;
        saidAt = sweptAt - SAY_DROPS_NANOS;
    }

    /** Writes the events recorded so far, except the newest; returns the number of moved events. */
    public int step() {
        long now = recorder.now();
        // The sweep comes before the drain, so that the runs that it ends are in this batch or the next.
        if (now - sweptAt >= settings.runNanos() / 2) {
            sweep(now - settings.runNanos());
            sweptAt = now;
        }
        int count = move(now);
        if (now - flushedAt >= settings.flushNanos()) {
            flushedAt = now;
            settle(log::flush);
            settle(log::rotate);
        }
        sayRefused(now);
        return count;
    }

    /** Ends every run, writes all events and closes the trace. Later events are lost. */
    public void finish() {
        sweep(recorder.now());
        // This is the last chance, so the next retry is now.
        retryAt = recorder.now();
        move(recorder.now());
        attempt(log::close);
        saidAt = recorder.now() - SAY_DROPS_NANOS;
        sayRefused(recorder.now());
    }

    private void sweep(long before) {
        StreamRecorder begun = recorder.pollCollapsing();
        while (begun != null) {
            collapsing.add(begun);
            begun = recorder.pollCollapsing();
        }
        collapsing.removeIf(stream -> !stream.sweep(before));
    }

    private int move(long until) {
        recorder.drain(batch);
        // An event that ended after `until` waits: its predecessor may be in a ring that was visited before it came.
        int ready = batch.sort(until);
        noteRefused();
        if (ready == 0) {
            return 0;
        }
        // The offset is taken anew each time: after a change of the machine's clock, later events have the new time.
        Instant wallNow = wall.instant();
        long wallNanos = wallNow.getEpochSecond() * 1_000_000_000L + wallNow.getNano();
        long wallMinusMono = wallNanos - recorder.now();
        recorder.place(origin, wallMinusMono);
        for (int i = 0; i < ready; i++) {
            take(batch.get(i));
        }
        batch.removeFirst(ready);
        return ready;
    }

    /**
     * Writes or drops an event. A method compiles after some events; the body of the loop would compile after many
     * passes.
     */
    private void take(Slot slot) {
        if (settings.filter().keeps(slot)) {
            write(slot);
        }
        slot.release();
    }

    /** A step of the log, which may fail. */
    private interface LogStep {
        void run() throws IOException;
    }

    private void write(Slot slot) {
        if (failed && recorder.now() - retryAt < 0) {
            log.dropped(1);
            countLost(1);
            return;
        }
        long lostBefore = log.lost();
        try {
            log.write(slot);
            sayRemoved(log.lost() - lostBefore);
        } catch (IOException | RuntimeException e) {
            failed(e, lostBefore);
        }
    }

    /** Runs a step after which a full disk cannot lose events from memory. */
    private void settle(LogStep step) {
        boolean waits = failed && recorder.now() - retryAt < 0;
        if (!waits && attempt(step) && failed) {
            failed = false;
            retryNanos = FIRST_RETRY_NANOS;
            warnings.accept("HTFS writes its trace again; %d events were lost".formatted(recorder.dropped()));
        }
    }

    private boolean attempt(LogStep step) {
        long lostBefore = log.lost();
        try {
            step.run();
            sayRemoved(log.lost() - lostBefore);
            return true;
        } catch (IOException | RuntimeException e) {
            failed(e, lostBefore);
            return false;
        }
    }

    private void sayRemoved(long removed) {
        if (removed > 0) {
            countLost(removed);
            warnings.accept("HTFS lost %d events: their file was removed".formatted(removed));
        }
    }

    private void failed(Exception e, long lostBefore) {
        countLost(log.lost() - lostBefore);
        if (e instanceof IllegalArgumentException) {
            // No trace can hold this event, such as a file system's impossible result; the log is well.
            return;
        }
        if (!failed) {
            warnings.accept("HTFS cannot write its trace and drops events until it can: " + e);
        }
        failed = true;
        retryAt = recorder.now() + retryNanos;
        retryNanos = Math.min(2 * retryNanos, LAST_RETRY_NANOS);
    }

    private void countLost(long events) {
        lostHere += events;
        recorder.dropped(events);
    }

    private void noteRefused() {
        long all = recorder.dropped() - lostHere;
        log.dropped(all - refused);
        refused = all;
    }

    private void sayRefused(long now) {
        if (refused > saidRefused && now - saidAt >= SAY_DROPS_NANOS) {
            warnings.accept("HTFS dropped %d events, %d in all; the buffers hold too few (htfs.buffer.events)"
                    .formatted(refused - saidRefused, refused));
            saidRefused = refused;
            saidAt = now;
        }
    }
}
