// SPDX-License-Identifier: Apache-2.0
package io.packing.s3server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * A count of requests and bytes. It counts a request before the answer, so a client with an answer finds it counted,
 * and its bytes at the end. Thread-safe.
 */
final class Tally {
    private static final long SECOND_NANOS = 1_000_000_000;
    /** The limit of the series: a server that runs for days keeps its first day. */
    private static final int MOST_SECONDS = 86_400;

    private final LongSupplier nanoClock;
    private final Map<String, S3ServerMetrics.Counts> prefixes = new TreeMap<>();
    private final List<S3ServerMetrics.Second> seconds = new ArrayList<>();
    private long startedAt = -1;

    Tally(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    synchronized void admitted(S3Operation operation) {
        add(operation, counts(operation.kind()), new S3ServerMetrics.Second(1, 0));
    }

    synchronized void ended(S3Operation operation, long bytesIn, long bytesOut) {
        prefixes.merge(
                operation.prefix(),
                new S3ServerMetrics.Counts(0, 0, 0, 0, 0, 0, bytesIn, bytesOut),
                S3ServerMetrics.Counts::plus);
    }

    synchronized void throttled(S3Operation operation) {
        add(operation, new S3ServerMetrics.Counts(0, 0, 0, 0, 0, 1, 0, 0), new S3ServerMetrics.Second(0, 1));
    }

    private static S3ServerMetrics.Counts counts(S3Operation.Kind kind) {
        return new S3ServerMetrics.Counts(
                kind == S3Operation.Kind.PUT ? 1 : 0,
                kind == S3Operation.Kind.GET ? 1 : 0,
                kind == S3Operation.Kind.LIST ? 1 : 0,
                kind == S3Operation.Kind.HEAD ? 1 : 0,
                kind == S3Operation.Kind.DELETE ? 1 : 0,
                0,
                0,
                0);
    }

    private void add(S3Operation operation, S3ServerMetrics.Counts counts, S3ServerMetrics.Second second) {
        prefixes.merge(operation.prefix(), counts, S3ServerMetrics.Counts::plus);
        if (!operation.kind().isPutClass()) {
            return;
        }
        if (seconds.isEmpty()) {
            startedAt = nanoClock.getAsLong();
        }
        int index = reachNow();
        S3ServerMetrics.Second before = seconds.get(index);
        seconds.set(
                index,
                new S3ServerMetrics.Second(before.put() + second.put(), before.throttled() + second.throttled()));
    }

    /** Extends the series to the present second and returns its index. */
    private int reachNow() {
        int index = (int) Math.min(MOST_SECONDS - 1, (nanoClock.getAsLong() - startedAt) / SECOND_NANOS);
        while (seconds.size() <= index) {
            seconds.add(new S3ServerMetrics.Second(0, 0));
        }
        return index;
    }

    synchronized S3ServerMetrics snapshot() {
        if (!seconds.isEmpty()) {
            reachNow();
        }
        return new S3ServerMetrics(prefixes, seconds);
    }
}
