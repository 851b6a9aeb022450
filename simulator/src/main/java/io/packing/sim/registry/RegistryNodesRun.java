// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.registry;

import io.packing.cache.CachePolicy;
import io.packing.cache.RequestHistory;
import io.packing.cache.SizedCache;
import io.packing.placement.FileIndex;
import io.packing.placement.LayerCluster;
import io.packing.placement.ReplicaMode;
import io.packing.placement.RestorePlan;
import io.packing.placement.StoredFile;
import io.packing.sim.BrokenInvariantException;
import io.packing.sim.RunResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * A run of one registry's trace against nodes that store layers and files in one mode, in virtual time. It measures the
 * stored bytes and the latency of pulls (§6.2). Every layer is stored before the trace begins, by its popularity in the
 * trace.
 */
public final class RegistryNodesRun {
    private static final Set<String> NAMES = Set.of(
            "requests",
            "dedup-ratio",
            "stored-mb",
            "intact-mb",
            "files-mb",
            "primaries",
            "mean-ms",
            "p50-ms",
            "p99-ms",
            "cached-ratio",
            "intact-ratio",
            "restored-ratio",
            "disk-busy-ratio",
            "lost-node-copied-share");

    private static final double MILLION = 1e6;
    private static final int REQUESTS_PER_REPORT = 1 << 14;

    /** A node with its cache, and the time at which each layer in it is complete. */
    private static final class Node {
        final NodeTimes times;
        final long cacheBytes;
        final SizedCache cache;
        final Map<Long, Long> ready = new HashMap<>();

        Node(RegistryNodes nodes, long cacheBytes) {
            this.times = new NodeTimes(nodes);
            this.cacheBytes = cacheBytes;
            this.cache = CachePolicy.ARC.makeSized(Math.max(1, cacheBytes), ready::remove);
        }

        boolean has(int layer) {
            return cache.contains(layer);
        }

        void take(int layer, long bytes, long when) {
            if (cache.request(layer, bytes) == SizedCache.Answer.MISS) {
                ready.put((long) layer, when);
            }
        }

        long ready(int layer) {
            return ready.getOrDefault((long) layer, 0L);
        }
    }

    private final RegistryTrace trace;
    private final RegistryNodes spec;
    private final List<List<StoredFile>> files;
    private final LayerCluster cluster;
    private final int primaries;
    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<Integer, RestorePlan> plans = new HashMap<>();
    private final RequestHistory<Integer, Integer> pulled = new RequestHistory<>(Integer.MAX_VALUE, Integer.MAX_VALUE);
    private final long[] layerBytes;
    private long allBytes;
    private long[] latencies = new long[1 << 10];
    private int requests;
    private long cached;
    private long intact;
    private long restored;

    private RegistryNodesRun(RegistryTrace trace, List<List<StoredFile>> files, RegistryNodes spec) {
        this.trace = trace;
        this.files = files;
        this.spec = spec;
        this.layerBytes = files.stream()
                .mapToLong(layer -> layer.stream().mapToLong(StoredFile::bytes).sum())
                .toArray();
        int[] whole = whole(trace);
        this.primaries = primaries(spec, files, whole);
        this.cluster = new LayerCluster(
                names("p", primaries), names("d", spec.nodes() - primaries), spec.replicas(), spec.mode());
        for (int layer = 0; layer < files.size(); layer++) {
            long bytes = bytes(layer);
            allBytes += bytes;
            LayerCluster.Moved unused = cluster.put(name(layer), bytes, files.get(layer), whole[layer]);
        }
        caches(names("p", primaries), spec.cacheShare());
        caches(names("d", spec.nodes() - primaries), spec.preconstructShare());
    }

    private void caches(List<String> names, double share) {
        for (String name : names) {
            nodes.put(name, new Node(spec, (long) (share * allBytes / names.size())));
        }
    }

    private static List<String> names(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
    }

    private static String name(int layer) {
        return "layer-" + layer;
    }

    private long bytes(int layer) {
        return layerBytes[layer];
    }

    /** Returns the names of a run's metrics. */
    public static Set<String> metricNames() {
        return new TreeSet<>(NAMES);
    }

    /** Returns the number of whole replicas of each layer. */
    private int[] whole(RegistryTrace trace) {
        int[] pulls = new int[files.size()];
        for (RegistryRequest request : trace.requests()) {
            if (request.kind() == RegistryRequest.Kind.GET_LAYER) {
                pulls[request.object()]++;
            }
        }
        List<ReplicaMode.Pulled> pulled = new ArrayList<>();
        for (int layer = 0; layer < pulls.length; layer++) {
            if (pulls[layer] > 0) {
                pulled.add(new ReplicaMode.Pulled(name(layer), bytes(layer), pulls[layer]));
            }
        }
        Set<StoredFile> distinct = new HashSet<>();
        files.forEach(distinct::addAll);
        long splitBytes =
                spec.replicas() * distinct.stream().mapToLong(StoredFile::bytes).sum();
        Map<String, Integer> whole = spec.mode().whole(spec.replicas(), pulled, splitBytes);
        int least = spec.mode().least(spec.replicas());
        return IntStream.range(0, pulls.length)
                .map(layer -> whole.getOrDefault(name(layer), least))
                .toArray();
    }

    /** Returns the number of P-servers: by the bytes of both kinds, and at least the need of either kind (§4.2). */
    private static int primaries(RegistryNodes spec, List<List<StoredFile>> files, int[] wholes) {
        Map<StoredFile, Integer> wanted = new HashMap<>();
        double whole = 0;
        int mostWhole = 0;
        int mostSplit = 0;
        for (int layer = 0; layer < files.size(); layer++) {
            int intact = wholes[layer];
            mostWhole = Math.max(mostWhole, intact);
            mostSplit = Math.max(mostSplit, spec.replicas() - intact);
            for (StoredFile file : files.get(layer)) {
                whole += (double) intact * file.bytes();
                wanted.merge(file, spec.replicas() - intact, Math::max);
            }
        }
        double split = wanted.entrySet().stream()
                .mapToDouble(each -> (double) each.getValue() * each.getKey().bytes())
                .sum();
        int least = Math.max(mostWhole, spec.mode().most(spec.replicas()));
        int rest = Math.max(mostSplit, spec.replicas() - spec.mode().least(spec.replicas()));
        int share = (int) Math.round(spec.nodes() * whole / Math.max(1, whole + split));
        return Math.max(least, Math.min(spec.nodes() - rest, share));
    }

    /**
     * Plays a trace.
     *
     * @param files of each layer of the trace
     * @param progress receives the number of requests, now and then
     * @throws IllegalArgumentException if the trace pulls no layer
     */
    public static RunResult of(
            RegistryTrace trace, List<List<StoredFile>> files, RegistryNodes spec, LongConsumer progress) {
        RegistryNodesRun run = new RegistryNodesRun(trace, files, spec);
        run.play(progress);
        return run.result();
    }

    private void play(LongConsumer progress) {
        long played = 0;
        for (RegistryRequest request : trace.requests()) {
            switch (request.kind()) {
                case GET_MANIFEST -> manifest(request);
                case GET_LAYER -> {
                    boolean unused = pulled.ask(request.user(), request.object());
                    count(pull(request.object(), request.micros()) - request.micros());
                }
                // The nodes have all layers from the beginning.
                case PUT_LAYER -> {}
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

    private void count(long latency) {
        if (requests == latencies.length) {
            latencies = Arrays.copyOf(latencies, 2 * requests);
        }
        latencies[requests++] = latency;
    }

    private Node node(String name) {
        Node node = nodes.get(name);
        if (node == null) {
            throw new BrokenInvariantException("there is no node " + name);
        }
        return node;
    }

    /** Fetches the layers that the user lacks ahead (§4.2.4). */
    private void manifest(RegistryRequest request) {
        List<Integer> layers =
                IntStream.of(trace.image(request.object())).boxed().toList();
        for (int layer : pulled.notAsked(request.user(), layers)) {
            Node node = serving(layer);
            if (!node.has(layer) && bytes(layer) <= node.cacheBytes) {
                long there = isWhole(layer)
                        ? node.times.read(request.micros(), 1, bytes(layer))
                        : restore(layer, request.micros());
                node.take(layer, bytes(layer), there);
            }
        }
    }

    /**
     * Returns the node that serves a layer: a P-server that has it in memory, else the P-server that is free first,
     * else the master of its restore.
     */
    private Node serving(int layer) {
        List<String> whole = cluster.intact(name(layer));
        if (whole.isEmpty()) {
            return node(plan(layer).master());
        }
        return whole.stream()
                .map(this::node)
                .min(Comparator.<Node>comparingInt(node -> node.has(layer) ? 0 : 1)
                        .thenComparingLong(node -> node.times.diskFree()))
                .orElseThrow();
    }

    private RestorePlan plan(int layer) {
        return plans.computeIfAbsent(layer, each -> cluster.plan(name(each), Set.of()));
    }

    private long pull(int layer, long now) {
        Node node = serving(layer);
        long bytes = bytes(layer);
        boolean whole = isWhole(layer);
        if (node.has(layer)) {
            cached++;
            long there = Math.max(now, node.ready(layer));
            node.take(layer, bytes, there);
            // A P-server has the layer in memory, a D-server on its disk.
            return node.times.send(there, whole ? there : node.times.read(there, 1, bytes), bytes);
        }
        long there;
        if (whole) {
            intact++;
            there = node.times.read(now, 1, bytes);
        } else {
            restored++;
            there = restore(layer, now);
        }
        node.take(layer, bytes, there);
        return node.times.send(now, there, bytes);
    }

    private boolean isWhole(int layer) {
        return !cluster.intact(name(layer)).isEmpty();
    }

    /** Restores a layer from its files, slices in parallel; returns the time at which the master has it whole. */
    private long restore(int layer, long now) {
        RestorePlan plan = plan(layer);
        long end = now;
        for (Map.Entry<String, List<StoredFile>> slice : new TreeMap<>(plan.slices()).entrySet()) {
            NodeTimes times = node(slice.getKey()).times;
            long bytes = plan.bytes(slice.getKey());
            long read = times.read(now, slice.getValue().size(), bytes);
            long made = times.restore(now, read, bytes);
            end = Math.max(end, slice.getKey().equals(plan.master()) ? made : times.send(now, made, bytes));
        }
        return end;
    }

    private RunResult result() {
        BrokenInvariantException.same("requests, and ways of pulls", requests, cached + intact + restored);
        BrokenInvariantException.same(
                "stored bytes",
                cluster.bytes(),
                cluster.intactBytes() + cluster.files().bytes());
        long[] sorted = Arrays.copyOf(latencies, requests);
        Arrays.sort(sorted);
        long stored = cluster.bytes();
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("requests", (double) requests);
        metrics.put("dedup-ratio", (double) spec.replicas() * allBytes / stored);
        metrics.put("stored-mb", stored / MILLION);
        metrics.put("intact-mb", cluster.intactBytes() / MILLION);
        metrics.put("files-mb", cluster.files().bytes() / MILLION);
        metrics.put("primaries", (double) primaries);
        metrics.put("mean-ms", Arrays.stream(sorted).average().orElse(0) / 1_000);
        metrics.put("p50-ms", sorted[requests / 2] / 1_000.0);
        metrics.put("p99-ms", sorted[(int) (requests * 0.99)] / 1_000.0);
        metrics.put("cached-ratio", cached / (double) requests);
        metrics.put("intact-ratio", intact / (double) requests);
        metrics.put("restored-ratio", restored / (double) requests);
        long end = trace.requests().get(trace.requests().size() - 1).micros();
        metrics.put(
                "disk-busy-ratio",
                nodes.values().stream().mapToLong(node -> node.times.diskBusy()).sum()
                        / (double) (spec.nodes() * Math.max(1, end)));
        metrics.put("lost-node-copied-share", copiedAfterLoss() / (double) stored);
        return new RunResult(metrics, List.of(), 0);
    }

    /** Returns the bytes copied after the loss of the first D-server, or without D-servers of the first P-server. */
    private long copiedAfterLoss() {
        if (spec.nodes() > primaries) {
            return cluster.loseSplitter("d0").stream()
                    .mapToLong((FileIndex.Copy copy) -> copy.file().bytes())
                    .sum();
        }
        Map<String, Long> bytes = new HashMap<>();
        IntStream.range(0, files.size()).forEach(layer -> bytes.put(name(layer), bytes(layer)));
        return cluster.losePrimary("p0").entrySet().stream()
                .mapToLong(each -> bytes.getOrDefault(each.getKey(), 0L) * new HashSet<>(each.getValue()).size())
                .sum();
    }
}
