// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

/**
 * The fields of an event, in any form: a tracer writes them from its buffers without a {@link TraceEvent}, which
 * documents each.
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

    /** Returns the descriptor; {@link TraceEvent#NONE} except for system calls. */
    default long descriptor() {
        return TraceEvent.NONE;
    }

    /** Returns the file's size; {@link TraceEvent#NONE} except for system calls, and when it is unknown. */
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
     * @throws IllegalArgumentException naming the wrong number
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
