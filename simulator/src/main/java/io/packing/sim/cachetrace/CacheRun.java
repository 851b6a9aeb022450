// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.cachetrace;

import io.packing.cache.BlockCache;
import io.packing.cache.CachePolicy;
import io.packing.cache.SizedCache;
import io.packing.sim.BrokenInvariantException;
import io.packing.sim.RunResult;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;

/** A run of one trace through one cache, whose capacity counts objects or their bytes. */
public final class CacheRun {
    private static final Set<String> COUNTED =
            Set.of("requests", "hits", "misses", "too-large", "hit-rate", "miss-rate", "byte-hit-rate");

    private static final int REQUESTS_PER_REPORT = 1 << 20;

    private final CacheRequests trace;
    private final LongConsumer progress;
    private long requests;
    private long hits;
    private long misses;
    private long tooLarge;
    private long evicted;
    private double bytes;
    private double bytesHit;

    private CacheRun(CacheRequests trace, LongConsumer progress) {
        this.trace = trace;
        this.progress = progress;
    }

    /** Returns the names of a run's metrics. */
    public static Set<String> metricNames() {
        TreeSet<String> names = new TreeSet<>(COUNTED);
        names.addAll(TraceDefects.NONE.metrics().keySet());
        return names;
    }

    /**
     * Asks an empty cache for every object of the trace, as if all had one size.
     *
     * @param capacity objects that fit
     * @param progress receives the number of requests, now and then
     * @throws IllegalArgumentException if the trace has no request
     */
    public static RunResult of(CacheRequests trace, CachePolicy policy, int capacity, LongConsumer progress)
            throws IOException {
        CacheRun run = new CacheRun(trace, progress);
        BlockCache cache = policy.make(capacity, object -> run.evicted++);
        run.play((object, size) -> cache.request(object) ? SizedCache.Answer.HIT : SizedCache.Answer.MISS);
        return run.result(cache.size(), cache.size(), capacity);
    }

    /**
     * Asks an empty cache that knows the future for every object of the trace, as if all had one size.
     *
     * @param trace the requests
     * @param again the requests once more
     * @param capacity objects that fit
     */
    public static RunResult optimal(CacheRequests trace, CacheRequests again, int capacity, LongConsumer progress)
            throws IOException {
        OptimalCache cache = OptimalCache.of(trace, capacity);
        CacheRun run = new CacheRun(again, progress);
        run.play((object, size) -> cache.request(object) ? SizedCache.Answer.HIT : SizedCache.Answer.MISS);
        run.evicted = cache.evicted();
        return run.result(cache.size(), cache.size(), capacity);
    }

    /**
     * Asks an empty cache for every object of the trace.
     *
     * @param capacity bytes that fit
     * @throws IllegalArgumentException if the trace has no request, or does not know the objects' sizes
     */
    public static RunResult ofBytes(CacheRequests trace, CachePolicy policy, long capacity, LongConsumer progress)
            throws IOException {
        CacheRun run = new CacheRun(trace, progress);
        SizedCache cache = policy.makeSized(capacity, object -> run.evicted++);
        run.play((object, size) -> {
            if (size < 1) {
                throw new IllegalArgumentException(
                        "request %,d has no size, but the cache counts bytes; name the column of sizes (csv.bytes)"
                                .formatted(run.requests));
            }
            return cache.request(object, size);
        });
        return run.result(cache.size(), cache.bytes(), capacity);
    }

    /** A cache that counts objects or bytes. */
    private interface Asked {
        SizedCache.Answer request(long object, long bytes);
    }

    private void play(Asked cache) throws IOException {
        while (trace.advance()) {
            requests++;
            bytes += trace.bytes();
            switch (cache.request(trace.object(), trace.bytes())) {
                case HIT -> {
                    hits++;
                    bytesHit += trace.bytes();
                }
                case MISS -> misses++;
                case TOO_LARGE -> {
                    misses++;
                    tooLarge++;
                }
            }
            if (requests % REQUESTS_PER_REPORT == 0) {
                progress.accept(requests);
            }
        }
        if (requests == 0) {
            throw new IllegalArgumentException("the trace is empty: it has nothing to simulate");
        }
        progress.accept(requests);
    }

    private RunResult result(int objects, long held, long capacity) {
        BrokenInvariantException.same("requests, and hits and misses", requests, hits + misses);
        BrokenInvariantException.same("objects let in, and evicted and kept", misses - tooLarge, evicted + objects);
        if (held > capacity) {
            throw new BrokenInvariantException("a cache of %,d holds %,d".formatted(capacity, held));
        }
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("requests", (double) requests);
        metrics.put("hits", (double) hits);
        metrics.put("misses", (double) misses);
        metrics.put("too-large", (double) tooLarge);
        metrics.put("hit-rate", hits / (double) requests);
        metrics.put("miss-rate", misses / (double) requests);
        metrics.put("byte-hit-rate", bytes == 0 ? Double.NaN : bytesHit / bytes);
        metrics.putAll(trace.damage().metrics());
        return new RunResult(metrics, List.of(), 0);
    }
}
