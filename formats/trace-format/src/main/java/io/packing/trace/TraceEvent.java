package io.packing.trace;

/**
 * One call of an HDFS client or of a program on Linux, or one run of small sequential calls of the same kind on one stream, collapsed (§3.2.1).
 *
 * <p>Text that does not apply is empty, a number that does not apply is {@link #NONE}. Content of files is never part of
 * an event.
 *
 * @param origin the process that made the call
 * @param wallNanos wall-clock time of the (first) call, nanoseconds since 1970
 * @param monoNanos monotonic time of the (first) call, nanoseconds since an arbitrary instant of the process
 * @param durationNanos time spent inside the call, summed over a collapsed run
 * @param lastNanos monotonic start of the last call of a collapsed run; {@code monoNanos} when {@code count} is 1
 * @param call what was called
 * @param count calls that this event stands for, 1 or more
 * @param thread name of the calling thread
 * @param user who called
 * @param context Hadoop's caller context; the task that a system call belongs to
 * @param fileSystem number of the file-system instance in the process
 * @param stream number of the stream in the process, unique in it; {@link #NONE} for a call on a file system other than
 *     those that open a stream, which carry the number of the stream they opened
 * @param path the file, for calls on streams too
 * @param target the second path of a rename, link, concat or copy
 * @param offset first byte in the file that was read or written, or the position sought
 * @param length bytes asked for or given, summed over a collapsed run
 * @param result what the call returned: bytes moved for reads and writes (summed; -1 is written as 0), the position for
 *     {@code seek}, 1 or 0 for booleans, the number of entries for lists, the file's length for {@code closeOutput} and
 *     for calls that open an input; {@link #NONE} when it failed or returns nothing
 * @param error simple name of the exception's class, or the kernel's name of the error; empty when the call succeeded
 * @param hints what else shapes the call: {@code key=value} pairs separated by spaces, such as {@code readahead=4194304}
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

    /** Returns bytes of file content that the call moved: 0 for calls that move none and for those that failed. */
    public long bytes() {
        return (call.reads() || call.writes()) && result > 0 ? result : 0;
    }

    @Override
    public TraceEvent toEvent() {
        return this;
    }

    @Override
    public void requireValid() {
        // The constructor did.
    }

    public boolean failed() {
        return !error.isEmpty();
    }

    /** Where the run ends in the file, for a sequential read or write. */
    public long end() {
        return offset + bytes();
    }
}
