package io.packing.trace;

import org.jspecify.annotations.Nullable;

/**
 * The process that recorded a trace file: what all its events share.
 *
 * @param host the machine's name, as the process knows it
 * @param pid the process id on that machine
 * @param process a name for the process, such as {@code regionserver}; may be empty
 */
public record TraceOrigin(String host, long pid, String process) {
    public TraceOrigin {
        if (pid < 0) {
            throw new IllegalArgumentException("bad process id %d".formatted(pid));
        }
    }

    // Spelt out: a traced process asks a few times per block, too seldom for what a record brings to be compiled.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TraceOrigin that
                && pid == that.pid
                && host.equals(that.host)
                && process.equals(that.process);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * host.hashCode() + Long.hashCode(pid)) + process.hashCode();
    }
}
