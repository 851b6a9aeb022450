// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.tools.replay;

import java.util.List;
import java.util.Map;

/**
 * The report of a replay.
 *
 * @param events of the trace
 * @param byCall the replayed calls, the most frequent first
 * @param skipped events that were not replayed, by call; a newer tracer's calls are {@code unknown}
 * @param preparedFiles files made beforehand, since the trace reads but does not write them
 * @param preparedBytes length of these files
 * @param examples a few events whose outcome differs from the trace's
 * @param seconds from the first call to the last
 * @param latestSeconds the most that a timed replay fell behind the trace
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
     * @param calls made; a run of calls in one event counts each of them
     * @param bytes of content that they moved
     * @param errors failed calls, including those that failed in the trace, too
     * @param mismatches events whose failure or result is not the trace's
     * @param nanos spent inside the calls, over all threads
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
