// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.registry;

import io.packing.cache.CachePolicy;
import io.packing.cache.RequestHistory;
import io.packing.cache.SizedCache;
import io.packing.sim.BrokenInvariantException;
import io.packing.sim.RunResult;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * A run of one registry's trace through one cache of layers, in virtual time. A layer that is fetched ahead arrives
 * after a while, and a pull that comes earlier waits for the rest. So each pull is a hit, a wait or a miss, as in
 * §6.5.2.
 */
public final class RegistryCacheRun {
    private static final Set<String> NAMES = Set.of(
            "requests",
            "hits",
            "waits",
            "misses",
            "hit-ratio",
            "wait-ratio",
            "miss-ratio",
            "served-ratio",
            "byte-hit-ratio",
            "mean-wait-ms",
            "fetched",
            "fetched-unused-ratio",
            "capacity-mb",
            "pulled-once-ratio");

    private static final double MICROS = 1e6;
    private static final double MILLION = 1e6;
    private static final int REQUESTS_PER_REPORT = 1 << 16;

    /**
     * The time until a layer is in the cache.
     *
     * @param micros for any layer, such as for its restore
     * @param rate bytes a second
     * @param parallel layers at a time; the others wait
     */
    public record Fetch(long micros, double rate, int parallel) {
        public Fetch {
            if (micros < 0 || !(rate > 0) || parallel < 1) {
                throw new IllegalArgumentException(
                        "bad fetch: %d us, %s bytes/s, %d at a time".formatted(micros, rate, parallel));
            }
        }
    }

    private final RegistryTrace trace;
    private final Prediction prediction;
    private final Fetch fetch;
    private final SizedCache cache;
    private final RequestHistory<Integer, Integer> pulled = new RequestHistory<>(Integer.MAX_VALUE, Integer.MAX_VALUE);
    /** The time at which each layer of the cache is complete. */
    private final Map<Integer, Long> ready = new HashMap<>();
    /** The times at which the fetchers are free. */
    private final PriorityQueue<Long> fetchers = new PriorityQueue<>();
    /** The layers that were fetched, and not pulled since. */
    private final Set<Integer> unused = new HashSet<>();

    private long requests;
    private long hits;
    private long waits;
    private long misses;
    private long fetched;
    private long neverUsed;
    private double bytes;
    private double bytesHit;
    private double waited;

    private RegistryCacheRun(
            RegistryTrace trace, CachePolicy policy, Prediction prediction, long capacity, Fetch fetch) {
        this.trace = trace;
        this.prediction = prediction;
        this.fetch = fetch;
        this.cache = policy.makeSized(capacity, this::left);
        IntStream.range(0, fetch.parallel()).forEach(i -> fetchers.add(0L));
    }

    /** Returns the names of a run's metrics. */
    public static Set<String> metricNames() {
        return new TreeSet<>(NAMES);
    }

    /**
     * Plays a trace against an empty cache.
     *
     * @param share size of the cache, as a share of the bytes of all pulled layers
     * @param progress receives the number of requests, now and then
     * @throws IllegalArgumentException if the trace pulls no layer
     */
    public static RunResult of(
            RegistryTrace trace,
            CachePolicy policy,
            Prediction prediction,
            double share,
            Fetch fetch,
            LongConsumer progress) {
        long capacity = Math.max(1, (long) (share * trace.pulledBytes()));
        RegistryCacheRun run = new RegistryCacheRun(trace, policy, prediction, capacity, fetch);
        run.play(progress);
        return run.result(capacity);
    }

    private void left(long layer) {
        ready.remove((int) layer);
        if (unused.remove((int) layer)) {
            neverUsed++;
        }
    }

    private void play(LongConsumer progress) {
        long played = 0;
        for (RegistryRequest request : trace.requests()) {
            switch (request.kind()) {
                case GET_MANIFEST -> manifest(request);
                case GET_LAYER -> pull(request);
                case PUT_LAYER -> {
                    if (prediction == Prediction.PUT) {
                        // The push brings the layer's bytes to the cache.
                        fetched(request.object(), request.micros());
                    }
                }
            }
            if (++played % REQUESTS_PER_REPORT == 0) {
                progress.accept(played);
            }
        }
        if (requests == 0) {
            throw new IllegalArgumentException("the trace pulls no layer: it has nothing to simulate");
        }
        progress.accept(played);
    }

    private void manifest(RegistryRequest request) {
        if (prediction != Prediction.USER) {
            return;
        }
        List<Integer> layers =
                IntStream.of(trace.image(request.object())).boxed().toList();
        for (int layer : pulled.notAsked(request.user(), layers)) {
            if (!cache.contains(layer)) {
                long begin = Math.max(request.micros(), fetchers.remove());
                long end = begin + fetch.micros() + (long) (trace.layerBytes(layer) * MICROS / fetch.rate());
                fetchers.add(end);
                fetched(layer, end);
            }
        }
    }

    private void fetched(int layer, long when) {
        if (!cache.contains(layer) && cache.request(layer, trace.layerBytes(layer)) == SizedCache.Answer.MISS) {
            ready.put(layer, when);
            unused.add(layer);
            fetched++;
        }
    }

    private void pull(RegistryRequest request) {
        int layer = request.object();
        long size = trace.layerBytes(layer);
        requests++;
        bytes += size;
        boolean unusedNow = pulled.ask(request.user(), layer);
        if (cache.contains(layer)) {
            long at = ready.getOrDefault(layer, 0L);
            if (at <= request.micros()) {
                hits++;
                bytesHit += size;
            } else {
                waits++;
                waited += at - request.micros();
            }
            unused.remove(layer);
        } else {
            misses++;
        }
        if (cache.request(layer, size) == SizedCache.Answer.MISS) {
            ready.put(layer, request.micros());
        }
    }

    private RunResult result(long capacity) {
        BrokenInvariantException.same("requests, and hits, waits and misses", requests, hits + waits + misses);
        if (cache.bytes() > capacity) {
            throw new BrokenInvariantException("a cache of %,d holds %,d".formatted(capacity, cache.bytes()));
        }
        double all = requests;
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("requests", all);
        metrics.put("hits", (double) hits);
        metrics.put("waits", (double) waits);
        metrics.put("misses", (double) misses);
        metrics.put("hit-ratio", hits / all);
        metrics.put("wait-ratio", waits / all);
        metrics.put("miss-ratio", misses / all);
        metrics.put("served-ratio", (hits + waits) / all);
        metrics.put("byte-hit-ratio", bytesHit / bytes);
        metrics.put("mean-wait-ms", waits == 0 ? 0 : waited / waits / 1_000);
        metrics.put("fetched", (double) fetched);
        metrics.put("fetched-unused-ratio", fetched == 0 ? 0 : (neverUsed + unused.size()) / (double) fetched);
        metrics.put("capacity-mb", capacity / MILLION);
        metrics.put("pulled-once-ratio", trace.pulledOnce());
        return new RunResult(metrics, List.of(), 0);
    }
}
