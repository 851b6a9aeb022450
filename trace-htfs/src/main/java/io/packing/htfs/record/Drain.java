package io.packing.htfs.record;

import io.packing.trace.TraceEvent;
import io.packing.trace.TraceOrigin;
import io.packing.trace.TraceSink;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Moves events from the rings of a {@link Recorder} into the trace, in the order in which their calls ended.
 *
 * <p>Confined to one thread. A sink that fails loses the events at hand, which are counted; it is opened again after a
 * while, since disks are emptied and directories come back.
 */
public final class Drain {
    private static final long RETRY_NANOS = 10_000_000_000L;
    private static final long SAY_DROPS_NANOS = 60_000_000_000L;

    /** An event with its place in the order of the trace. */
    private record Pending(long order, TraceEvent event) {}

    private final Recorder recorder;
    private final TraceOrigin origin;
    private final SinkOpener opener;
    private final Clock wall;
    private final long ageNanos;
    private final Consumer<String> warnings;

    private List<Pending> batch = new ArrayList<>();
    private final List<StreamRecorder> collapsing = new ArrayList<>();
    private @Nullable TraceSink sink;
    private boolean failed;
    private long retryAt;
    private long sweptAt;
    private long saidDropped;
    private long saidAt;
    private long written;

    /**
     * @param ageNanos how long a stream may keep an open run
     * @param warnings takes sentences for the log
     */
    public Drain(
            Recorder recorder,
            TraceOrigin origin,
            SinkOpener opener,
            Clock wall,
            long ageNanos,
            Consumer<String> warnings) {
        this.recorder = recorder;
        this.origin = origin;
        this.opener = opener;
        this.wall = wall;
        this.ageNanos = ageNanos;
        this.warnings = warnings;
        sweptAt = recorder.now();
        saidAt = sweptAt - SAY_DROPS_NANOS;
    }

    /** Writes what was recorded so far, but for the newest; returns the events written. */
    public int step() {
        long now = recorder.now();
        // Before the rings are emptied, so that the runs it ends are in this batch or the next.
        if (now - sweptAt >= ageNanos / 2) {
            sweep(now - ageNanos);
            sweptAt = now;
        }
        int count = move(now);
        sayDrops(now);
        return count;
    }

    /** Ends every run, writes everything and closes the trace. Later events are lost. */
    public void finish() {
        sweep(recorder.now());
        move(recorder.now());
        saidAt = recorder.now() - SAY_DROPS_NANOS;
        sayDrops(recorder.now());
        closeSink();
    }

    /** Events written so far. */
    public long written() {
        return written;
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
        // Taken anew each time: when the machine's clock is set, later events have the new time.
        Instant wallNow = wall.instant();
        long wallNanos = wallNow.getEpochSecond() * 1_000_000_000L + wallNow.getNano();
        long wallMinusMono = wallNanos - recorder.now();
        recorder.drain(slot -> batch.add(new Pending(slot.orderNanos(), slot.toEvent(origin, wallMinusMono))));
        // An event that ended after `until` may have a predecessor in a ring that was visited before it came: it waits.
        batch.sort(Comparator.comparingLong(pending -> pending.order() - until));
        int ready = 0;
        while (ready < batch.size() && batch.get(ready).order() - until <= 0) {
            ready++;
        }
        write(batch.subList(0, ready));
        batch = new ArrayList<>(batch.subList(ready, batch.size()));
        return ready;
    }

    private void write(List<Pending> events) {
        int done = 0;
        try {
            for (Pending pending : events) {
                TraceSink to = sink();
                if (to == null) {
                    break;
                }
                to.write(pending.event());
                done++;
                written++;
            }
        } catch (IOException | RuntimeException e) {
            fail(e);
        }
        long lost = (long) events.size() - done;
        recorder.dropped(lost);
        // Said already, with their cause; larger buffers would not have kept them.
        saidDropped += lost;
    }

    @Nullable
    private TraceSink sink() throws IOException {
        if (sink == null && (!failed || recorder.now() - retryAt >= 0)) {
            sink = opener.open();
            if (failed) {
                failed = false;
                warnings.accept(
                        "HTFS writes its trace again; %d events were lost so far".formatted(recorder.dropped()));
            }
        }
        return sink;
    }

    private void fail(Exception cause) {
        closeSink();
        if (!failed) {
            warnings.accept("HTFS cannot write its trace and drops events until it can: " + cause);
        }
        failed = true;
        retryAt = recorder.now() + RETRY_NANOS;
    }

    private void closeSink() {
        TraceSink open = sink;
        sink = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException | RuntimeException e) {
                warnings.accept("HTFS could not close its trace: " + e);
            }
        }
    }

    private void sayDrops(long now) {
        long dropped = recorder.dropped();
        if (dropped > saidDropped && now - saidAt >= SAY_DROPS_NANOS) {
            warnings.accept("HTFS dropped %d events, %d in all; the buffers hold too few (htfs.buffer.events)"
                    .formatted(dropped - saidDropped, dropped));
            saidDropped = dropped;
            saidAt = now;
        }
    }
}
