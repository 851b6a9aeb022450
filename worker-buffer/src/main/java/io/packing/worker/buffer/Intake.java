// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.blob.Extent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The entrance of files into a buffer: space for them, segments to append them to, and the roll of the open segment.
 * Thread-safe.
 */
final class Intake {
    private final BufferLimits limits;
    private final BufferState state;
    private final BufferSpace space;
    private final Sealing sealing;
    private final Doorbell bell;
    private final FillingSegments filling;

    /** @param filling learns of open segments */
    Intake(
            BufferLimits limits,
            BufferState state,
            BufferSpace space,
            Sealing sealing,
            Doorbell bell,
            FillingSegments filling) {
        this.filling = filling;
        this.limits = limits;
        this.state = state;
        this.space = space;
        this.sealing = sealing;
        this.bell = bell;
    }

    BufferLimits limits() {
        return limits;
    }

    BufferSpace space() {
        return space;
    }

    /** Returns the bell at which the appending thread waits for work. */
    Doorbell bell() {
        return bell;
    }

    /** Creates a segment for small files; the given buffer gathers its records. */
    BufferSegment newSegment(ByteBuffer gather) throws IOException {
        return state.newSegment(gather);
    }

    /** Creates a segment for one large file, always a file of its own. */
    BufferSegment newLargeSegment() throws IOException {
        return state.newLargeSegment();
    }

    /** Adds a file; its claim is under way until it is granted, dropped or doubted. */
    void add(BufferedFile file) {
        state.add(file);
    }

    /** Removes an added file whose bytes could not be handed over. */
    void drop(BufferedFile file) {
        state.drop(file);
    }

    /** Notes an appended record from {@code at} to {@code end}; the extent in it is present if it has bytes. */
    void placed(BufferedFile file, BufferSegment segment, Optional<Extent> extent, long at, long end) {
        sealing.placed();
        state.placed(file, segment, extent, at, end);
    }

    /**
     * Returns the cause to roll the open segment now; empty if none holds. Only the appending thread calls it.
     *
     * @param records in the segment
     */
    Optional<SealCause> rollNow(BufferSegment open, int records) {
        boolean blank = BufferSegments.isBlank(open);
        Optional<SealCause> cause = blank ? Optional.empty() : sealing.cause(open, records, state);
        if (blank || cause.isPresent()) {
            sealing.met();
        }
        return cause;
    }

    /** Returns the time for which {@link #rollNow} stays empty if the bell is silent, in nanoseconds. */
    long restNanos(BufferSegment open) {
        return sealing.restNanos(open);
    }

    /** Notes that no segment is open, so that all orders are met. */
    void nothingToRoll() {
        sealing.met();
    }

    /** Notes a new open segment. Only the appending thread calls it. */
    void opened(BufferSegment open) {
        sealing.opened(open);
        filling.opened(open);
    }

    /** Ends the open segment, which takes no more records. */
    void rolledOpen(BufferSegment open, SealCause why) {
        sealing.rolled(open, why);
        open.progress().end();
        state.roll(open, why);
    }

    /** Ends a segment of a large file, which takes no more records. */
    void rolled(BufferSegment segment, SealCause why) {
        state.roll(segment, why);
    }
}
