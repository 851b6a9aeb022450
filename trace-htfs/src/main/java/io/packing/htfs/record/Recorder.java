// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs.record;

import io.packing.trace.Call;
import io.packing.trace.TraceOrigin;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A recorder that takes the events of all threads of a process into bounded rings, without waits and allocations.
 *
 * <p>Threads spread over several rings by their ids. A thread with a full ring goes on in the others. If all are full,
 * the event is dropped and counted.
 */
public final class Recorder {
    private static final int STRIPES = 16;

    private final EventRing[] rings = new EventRing[STRIPES];
    private final LongSupplier nanos;
    private final CollapseLimits limits;
    private final Runnable hurry;
    private final LongAdder dropped = new LongAdder();
    private final AtomicLong streams = new AtomicLong();
    private final ConcurrentLinkedQueue<StreamRecorder> pending = new ConcurrentLinkedQueue<>();

    /**
     * @param events slots of all rings together; rounded up to a power of two
     * @param nanos the monotonic clock
     * @param hurry runs when a thread finds a ring half full; must be cheap and must not fail
     */
    public Recorder(int events, CollapseLimits limits, LongSupplier nanos, Runnable hurry) {
        int perRing = Math.max(2, Integer.highestOneBit(Math.max(1, (events - 1) / STRIPES)) * 2);
        for (int i = 0; i < STRIPES; i++) {
            rings[i] = new EventRing(perRing);
        }
        this.nanos = nanos;
        this.limits = limits;
        this.hurry = hurry;
    }

    /** Returns the time of the monotonic clock of all events. */
    public long now() {
        return nanos.getAsLong();
    }

    /** Returns a number for a new stream, unique in this recorder. */
    public long nextStream() {
        return streams.incrementAndGet();
    }

    /** Makes the state of one open stream. */
    public StreamRecorder stream(FileSystemInstance caller, long number, String path) {
        return new StreamRecorder(this, limits, caller, number, path);
    }

    /**
     * Records a call on a file system, or one that opened a stream.
     *
     * @param thread name of the calling thread
     */
    public void call(
            Call call,
            FileSystemInstance caller,
            String thread,
            String context,
            long start,
            long end,
            long stream,
            String path,
            String target,
            long result,
            String error,
            String hints) {
        Slot slot = claim();
        if (slot == null) {
            return;
        }
        slot.who(call, caller, thread, context);
        slot.when(1, start, start, Math.max(0, end - start));
        slot.where(stream, path, target);
        slot.what(-1, -1, result, error, hints);
        publish(slot);
    }

    /**
     * Returns a slot that the caller must fill and {@link #publish}; without a free one it counts the loss, and returns
     * null.
     */
    @Nullable
    Slot claim() {
        int own = (int) Thread.currentThread().getId() & (STRIPES - 1);
        Slot slot = rings[own].claim();
        return slot == null ? claimElsewhere(own) : slot;
    }

    /** Claims a slot of another ring: a thread can fill its ring before the writer, called at half of it, is awake. */
    private @Nullable Slot claimElsewhere(int own) {
        for (int i = 1; i < STRIPES; i++) {
            Slot slot = rings[(own + i) & (STRIPES - 1)].claim();
            if (slot != null) {
                return slot;
            }
        }
        dropped.increment();
        hurry.run();
        return null;
    }

    void publish(Slot slot) {
        EventRing ring = slot.ring();
        ring.publish(slot);
        if (ring.halfFull()) {
            hurry.run();
        }
    }

    /** Counts lost events, before or after their way through a ring. */
    public void dropped(long events) {
        dropped.add(events);
    }

    /** Returns the events lost so far, for lack of a free slot or by the log. */
    public long dropped() {
        return dropped.sum();
    }

    /** Notes that a stream has begun to collapse calls: the sweep must visit it, closed or not. */
    void collapsing(StreamRecorder stream) {
        pending.add(stream);
    }

    /** Returns a stream that has begun to collapse since the last call; for the sweeping thread. */
    @Nullable
    StreamRecorder pollCollapsing() {
        return pending.poll();
    }

    /** Sets the process and the clock offset of the drained events. */
    void place(TraceOrigin process, long wallMinusMonoNanos) {
        for (EventRing ring : rings) {
            ring.place(process, wallMinusMonoNanos);
        }
    }

    void drain(Batch batch) {
        for (EventRing ring : rings) {
            ring.drain(batch);
        }
    }
}
