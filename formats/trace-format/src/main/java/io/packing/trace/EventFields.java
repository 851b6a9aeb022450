package io.packing.trace;

/**
 * The fields of an event, wherever they are kept: a tracer writes them from its buffers without making a
 * {@link TraceEvent}, which says what each means.
 */
public interface EventFields {
    TraceOrigin origin();

    long wallNanos();

    long monoNanos();

    long durationNanos();

    long lastNanos();

    Call call();

    int count();

    String thread();

    String user();

    String context();

    int fileSystem();

    long stream();

    String path();

    String target();

    long offset();

    long length();

    long result();

    String error();

    String hints();

    /** {@link TraceEvent#NONE} for what is no system call. */
    default long descriptor() {
        return TraceEvent.NONE;
    }

    /** {@link TraceEvent#NONE} for what is no system call, and where nobody knows. */
    default long fileSize() {
        return TraceEvent.NONE;
    }

    /** Returns the event as a value. */
    default TraceEvent toEvent() {
        return new TraceEvent(
                origin(),
                wallNanos(),
                monoNanos(),
                durationNanos(),
                lastNanos(),
                call(),
                count(),
                thread(),
                user(),
                context(),
                fileSystem(),
                stream(),
                path(),
                target(),
                offset(),
                length(),
                result(),
                error(),
                hints(),
                descriptor(),
                fileSize());
    }

    /**
     * Refuses numbers that no event has.
     *
     * @throws IllegalArgumentException saying which
     */
    default void requireValid() {
        if (count() < 1 || durationNanos() < 0 || lastNanos() < monoNanos()) {
            throw new IllegalArgumentException("bad event: %d calls of %s, %d ns, first at %d, last at %d"
                    .formatted(count(), call().label(), durationNanos(), monoNanos(), lastNanos()));
        }
        if (stream() < TraceEvent.NONE
                || offset() < TraceEvent.NONE
                || length() < TraceEvent.NONE
                || result() < TraceEvent.NONE
                || fileSystem() < 0
                || descriptor() < TraceEvent.NONE
                || fileSize() < TraceEvent.NONE) {
            throw new IllegalArgumentException("bad event: %s on stream %d of instance %d, %d+%d, result %d"
                    .formatted(call().label(), stream(), fileSystem(), offset(), length(), result()));
        }
    }
}
