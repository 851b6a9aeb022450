package io.packing.trace.tools.replay;

import java.util.List;
import java.util.Map;

/**
 * What a replay did.
 *
 * @param events of the trace
 * @param byCall what was replayed, most calls first
 * @param skipped events that were not, by call; {@code unknown} is a newer tracer's
 * @param preparedFiles made beforehand, since the trace reads but does not write them
 * @param preparedBytes in those
 * @param examples of outcomes that differ from the trace's, a few
 * @param seconds from the first call to the last
 * @param latestSeconds how far a timed replay fell behind the trace at most
 */
public record ReplayReport(
        long events,
        List<Kind> byCall,
        Map<String, Long> skipped,
        long preparedFiles,
        long preparedBytes,
        List<String> examples,
        double seconds,
        double latestSeconds) {
    /**
     * The calls of one kind.
     *
     * @param calls made; collapsed ones are made one by one
     * @param bytes of content that they moved
     * @param errors calls that failed, those included that failed in the trace
     * @param mismatches events whose failure or result is not the trace's
     * @param nanos spent inside, over all threads
     */
    public record Kind(String call, long calls, long bytes, long errors, long mismatches, long nanos) {}

    public long calls() {
        return byCall.stream().mapToLong(Kind::calls).sum();
    }

    public long bytes() {
        return byCall.stream().mapToLong(Kind::bytes).sum();
    }

    public long errors() {
        return byCall.stream().mapToLong(Kind::errors).sum();
    }

    public long mismatches() {
        return byCall.stream().mapToLong(Kind::mismatches).sum();
    }
}
