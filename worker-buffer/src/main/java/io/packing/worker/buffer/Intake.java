package io.packing.worker.buffer;

import io.packing.blob.Extent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** The way of files into a buffer: room for them, segments to append them to, and when the open one is rolled. Thread-safe. */
final class Intake {
    private final BufferLimits limits;
    private final BufferState state;
    private final BufferSpace space;
    private final Sealing sealing;
    private final Doorbell bell;

    Intake(BufferLimits limits, BufferState state, BufferSpace space, Sealing sealing, Doorbell bell) {
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

    /** At which who appends waits for work. */
    Doorbell bell() {
        return bell;
    }

    /** A segment for small files, whose records are gathered in the given buffer. */
    BufferSegment newSegment(ByteBuffer gather) throws IOException {
        return state.newSegment(gather);
    }

    /** A segment for one large file, always a file of its own. */
    BufferSegment newLargeSegment() throws IOException {
        return state.newLargeSegment();
    }

    /** Makes a file known; its claim is under way until it is granted, dropped or doubted. */
    void add(BufferedFile file) {
        state.add(file);
    }

    /** A file that was added is not needed: its bytes could not be handed over. */
    void drop(BufferedFile file) {
        state.drop(file);
    }

    /** A record from {@code at} to {@code end} is appended; the extent is in it, if it has bytes. */
    void placed(BufferedFile file, BufferSegment segment, Optional<Extent> extent, long at, long end) {
        sealing.placed();
        state.placed(file, segment, extent, at, end);
    }

    /**
     * Why the open segment should be rolled now. One thread asks: who appends to it.
     *
     * @param records in it
     */
    Optional<SealCause> rollNow(BufferSegment open, int records) {
        boolean blank = BufferSegments.isBlank(open);
        Optional<SealCause> cause = blank ? Optional.empty() : sealing.cause(open, records, state);
        if (blank || cause.isPresent()) {
            sealing.met();
        }
        return cause;
    }

    /** For how long {@link #rollNow} has nothing new to say if nobody rings, in nanoseconds. */
    long restNanos(BufferSegment open) {
        return sealing.restNanos(open);
    }

    /** No segment is open: whatever was asked for is done. */
    void nothingToRoll() {
        sealing.met();
    }

    /** A segment is the open one from now on. One thread says so: who appends to it. */
    void opened(BufferSegment open) {
        sealing.opened(open);
    }

    /** The open segment takes no more records. */
    void rolledOpen(BufferSegment open, SealCause why) {
        sealing.rolled(open, why);
        state.roll(open, why);
    }

    /** A segment of a large file takes no more records. */
    void rolled(BufferSegment segment, SealCause why) {
        state.roll(segment, why);
    }
}
