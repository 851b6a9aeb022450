// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

/**
 * One call of an HDFS client or of a program on Linux, or a collapsed run of small sequential calls of one kind on one
 * stream (§3.2.1).
 *
 * <p>Text that does not apply is empty, a number that does not apply is {@link #NONE}. Content of files is never part
 * of an event.
 *
 * @param origin the process that made the call
 * @param wallNanos wall-clock time of the (first) call, nanoseconds since 1970
 * @param monoNanos monotonic time of the (first) call, nanoseconds since an arbitrary instant of the process
 * @param durationNanos time spent inside the call, summed over a collapsed run
 * @param lastNanos monotonic start of the last call of a collapsed run; {@code monoNanos} when {@code count} is 1
 * @param call the kind of call
 * @param count calls that this event stands for, 1 or more
 * @param thread name of the calling thread
 * @param user name of the calling user
 * @param context Hadoop's caller context; the task that a system call belongs to
 * @param fileSystem number of the file-system instance in the process
 * @param stream number of the stream, unique in the process. A call that opens a stream has that stream's; other calls
 *     on a file system have {@link #NONE}
 * @param path the file, for calls on streams too
 * @param target the second path of a rename, link, concat or copy
 * @param offset first byte in the file that was read or written, or the position sought
 * @param length bytes asked for or given, summed over a collapsed run
 * @param result the call's result; {@link #NONE} when it failed or returns no number. It is the bytes moved for reads
 *     and writes (summed; -1 is written as 0), the position for {@code seek}, 1 or 0 for booleans, and the number of
 *     entries for lists. For {@code closeOutput} and for calls that open an input it is the file's length
 * @param error simple name of the exception's class, or the kernel's name of the error; empty when the call succeeded
 * @param hints further parameters of the call: {@code key=value} pairs separated by spaces, such as {@code
 *     readahead=4194304}
 * @param descriptor number by which a system call named the open file, or that it returned for it
 * @param fileSize the file's length after the call, in bytes, as far as the tracer knows it
 */
public record TraceEvent(
        TraceOrigin origin,
        long wallNanos,
        long monoNanos,
        long durationNanos,
        long lastNanos,
        Call call,
        int count,
        String thread,
        String user,
        String context,
        int fileSystem,
        long stream,
        String path,
        String target,
        long offset,
        long length,
        long result,
        String error,
        String hints,
        long descriptor,
        long fileSize)
        implements EventFields {
    /** The value of a number that does not apply. */
    public static final long NONE = -1;

    public TraceEvent {
        if (count < 1 || durationNanos < 0 || lastNanos < monoNanos) {
            throw new IllegalArgumentException("bad event: %d calls of %s, %d ns, first at %d, last at %d"
                    .formatted(count, call.label(), durationNanos, monoNanos, lastNanos));
        }
        if (stream < NONE
                || offset < NONE
                || length < NONE
                || result < NONE
                || fileSystem < 0
                || descriptor < NONE
                || fileSize < NONE) {
            throw new IllegalArgumentException("bad event: %s on stream %d of instance %d, %d+%d, result %d"
                    .formatted(call.label(), stream, fileSystem, offset, length, result));
        }
    }

    /** Returns the bytes of file content that the call moved: 0 for calls that move none and for those that failed. */
    public long bytes() {
        return (call.reads() || call.writes()) && result > 0 ? result : 0;
    }

    @Override
    public TraceEvent toEvent() {
        return this;
    }

    @Override
    public void requireValid() {
        // The constructor has checked the numbers.
    }

    public boolean failed() {
        return !error.isEmpty();
    }

    /** Returns the end of the run in the file, for a sequential read or write. */
    public long end() {
        return offset + bytes();
    }
}
