package io.packing.sim.cachetrace;

import io.packing.sim.BrokenInvariantException;
import io.packing.sim.RunResult;
import io.packing.sim.cache.BlockCache;
import io.packing.sim.cache.CachePolicy;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/** One run of one trace through one cache, in which every object takes the same room. */
public final class CacheRun {
    /** The names of the metrics of a run, besides those of damage to its trace. */
    public static final Set<String> METRICS =
            Set.of("requests", "hits", "misses", "hit-rate", "miss-rate", "byte-hit-rate");

    private static final int REQUESTS_PER_REPORT = 1 << 20;

    private CacheRun() {}

    private static final class Counter implements BlockCache.Departures {
        private long count;

        @Override
        public void left(long block) {
            count++;
        }
    }

    /**
     * Asks an empty cache for every object of the trace.
     *
     * @param capacity what the cache may hold
     * @param progress is told the number of requests, now and then
     * @throws IllegalArgumentException when the trace has no request
     */
    public static RunResult of(CacheRequests trace, CachePolicy policy, int capacity, LongConsumer progress)
            throws IOException {
        var evicted = new Counter();
        var cache = policy.make(capacity, evicted);
        long requests = 0;
        long hits = 0;
        long misses = 0;
        double bytes = 0;
        double bytesHit = 0;
        while (trace.advance()) {
            requests++;
            bytes += trace.bytes();
            if (cache.request(trace.object())) {
                hits++;
                bytesHit += trace.bytes();
            } else {
                misses++;
            }
            if (requests % REQUESTS_PER_REPORT == 0) {
                progress.accept(requests);
            }
        }
        if (requests == 0) {
            throw new IllegalArgumentException("the trace is empty: there is nothing to simulate");
        }
        progress.accept(requests);
        BrokenInvariantException.same("requests, and hits and misses", requests, hits + misses);
        BrokenInvariantException.same("misses, and objects evicted and kept", misses, evicted.count + cache.size());
        if (cache.size() > capacity) {
            throw new BrokenInvariantException("a cache of %d objects holds %d".formatted(capacity, cache.size()));
        }
        var metrics = new LinkedHashMap<String, Double>();
        metrics.put("requests", (double) requests);
        metrics.put("hits", (double) hits);
        metrics.put("misses", (double) misses);
        metrics.put("hit-rate", hits / (double) requests);
        metrics.put("miss-rate", misses / (double) requests);
        metrics.put("byte-hit-rate", bytes == 0 ? Double.NaN : bytesHit / bytes);
        metrics.putAll(trace.damage().metrics());
        return new RunResult(metrics, List.of(), 0);
    }
}
