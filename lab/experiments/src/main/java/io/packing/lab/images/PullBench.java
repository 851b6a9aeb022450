// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.Median;
import io.packing.rig.EngineRig;
import io.packing.rig.S3Process;
import io.packing.rig.Workspace;
import io.packing.s3server.Faults;
import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerMetrics;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Pulls layers from docker-registry and from ours, by turns in one run: as they were pushed, split and put together with slices in parallel or
 * one after the other, and from the cache of layers. docker-registry is there twice: with its S3 driver over a server like ours, and over
 * files of the local disk. All registries run all the time; none keeps what it read in memory.
 */
public record PullBench(Spec spec, Map<String, String> mountOptions, Narrator narrator) {
    /**
     * The size of the benchmark.
     *
     * @param layers of each way
     * @param megabytes of a layer, about
     * @param rounds that count
     * @param warmUps pulls of all layers before that, until methods are compiled
     * @param latencyMillis of each request to the stores while layers are pulled
     */
    public record Spec(int layers, int megabytes, int rounds, int warmUps, int latencyMillis) {
        public Spec {
            if (layers < 1 || megabytes < 1 || rounds < 1) {
                throw new IllegalArgumentException("--layers, --layer-megabytes and --rounds are 1 at least");
            }
            if (warmUps < 1) {
                throw new IllegalArgumentException("--warm-up is 1 at least: the cache of layers has to be full");
            }
            if (latencyMillis < 0) {
                throw new IllegalArgumentException("--store-latency is not negative");
            }
        }
    }

    /**
     * A way of pulling.
     *
     * @param rates MB/s of 10^6 bytes, of each round
     * @param cpuPerGb processor seconds of the registry for 10^9 bytes
     * @param getsPerGb GET requests to the store for 10^9 bytes
     * @param readRatio bytes that the store gave for each byte that the client got
     */
    public record Way(
            @JsonProperty("mb_s") List<Double> rates,
            @JsonProperty("mb_s_p50") double rate,
            @JsonProperty("cpu_s_per_gb") double cpuPerGb,
            @JsonProperty("get_per_gb") double getsPerGb,
            @JsonProperty("read_ratio") double readRatio) {}

    /**
     * All of it.
     *
     * @param ratios of two ways, medians of those within the rounds
     */
    public record Result(
            @JsonProperty("layer_bytes") long layerBytes,
            Map<String, Way> ways,
            Map<String, Double> ratios,
            @JsonProperty("wrong_digests") long wrongDigests) {
        /** The form for people. */
        public void print(PrintWriter out) {
            out.printf("%,d bytes of layers in a round%n", layerBytes);
            ways.forEach((name, way) -> out.printf(
                    "%-24s %8.1f MB/s %8.2f cpu s/GB %8.0f GET/GB %6.2f bytes read for a byte%n",
                    name, way.rate(), way.cpuPerGb(), way.getsPerGb(), way.readRatio()));
            ratios.forEach((name, ratio) -> out.printf("%-36s %6.2f%n", name, ratio));
            out.printf("%d wrong digests%n", wrongDigests);
        }
    }

    static final String PEER = "docker-registry";
    static final String PEER_ON_FILES = "docker-registry on files";
    static final String INTACT = "intact";
    static final String SPLIT = "split";
    static final String SEQUENTIAL = "split, sequential";
    static final String CACHED = "cached";

    private static final String WORKSPACE = "packing-pull";
    /** Pulls of layers that were put together. */
    private static final String RESTORED = "packing_registry_pull_seconds_count{source=\"restored\"";

    private static final int BUFFER = 256 << 10;

    private static final double MEGABYTE = 1e6;
    private static final double GIGABYTE = 1e9;
    /** Pages of blobs are hardly kept: each round reads the store, as docker-registry does. */
    private static final Map<String, String> COLD = Map.of("packing.read.cache.bytes", "8MB");

    /** A store's counts of requests so far. */
    private interface Store {
        S3ServerMetrics.Counts counts() throws IOException, InterruptedException;
    }

    /**
     * A pull of all layers.
     *
     * @param cpu that the registry used
     * @param gets requests to the store
     * @param read bytes that came from there
     */
    private record Pull(double rate, Duration cpu, long gets, long read) {}

    /** A registry that is pulled from. */
    private record Source(URI uri, ImageSet set, Supplier<Duration> cpu, Store store, List<Pull> pulls) {
        Source(URI uri, ImageSet set, Supplier<Duration> cpu, Store store) {
            this(uri, set, cpu, store, new ArrayList<>());
        }

        List<Double> rates() {
            return pulls.stream().map(Pull::rate).toList();
        }

        Way way(long bytes) {
            double all = (double) bytes * pulls.size();
            return new Way(
                    rates(),
                    Median.of(rates()),
                    pulls.stream().mapToLong(each -> each.cpu().toNanos()).sum() / all,
                    pulls.stream().mapToLong(Pull::gets).sum() * GIGABYTE / all,
                    pulls.stream().mapToLong(Pull::read).sum() / all);
        }
    }

    /** Runs it; what is missing on the machine is an {@link IllegalArgumentException} that says so. */
    public Result run() throws IOException, InterruptedException {
        PeerRegistry.check();
        HostPrograms.check("tar", "apt-get install tar");
        try (Workspace workspace = Workspace.create(WORKSPACE);
                Workspace peerWorkspace = Workspace.create(WORKSPACE + "-peer")) {
            narrator.accept("making layers");
            ImageSet whole = layers(workspace.directory(), INTACT, 1);
            ImageSet cut = layers(workspace.directory(), SPLIT, 2);
            Map<String, String> options = new LinkedHashMap<>(COLD);
            options.putAll(mountOptions);
            EngineRig rig = EngineRig.start(workspace, S3Process.Limits.NONE, 1, options);
            Map<String, Source> sources = new LinkedHashMap<>();
            narrator.accept("pushing to docker-registry");
            S3Process peerStore = S3Process.start(peerWorkspace, S3Process.Limits.NONE);
            PeerRegistry peer = peerWorkspace.own(PeerRegistry.start(peerWorkspace.directory(), peerStore));
            double unused = new RegistryLoad(peer.uri()).push(whole);
            sources.put(
                    PEER,
                    new Source(
                            peer.uri(),
                            whole,
                            peer::cpu,
                            () -> peerStore.metrics().prefix(PeerRegistry.PREFIX)));
            Path files = Files.createDirectories(peerWorkspace.directory().resolve("files"));
            PeerRegistry onFiles = peerWorkspace.own(PeerRegistry.startOnFiles(files));
            double unusedOnFiles = new RegistryLoad(onFiles.uri()).push(whole);
            sources.put(
                    PEER_ON_FILES, new Source(onFiles.uri(), whole, onFiles::cpu, () -> S3ServerMetrics.Counts.NONE));
            Store store = () -> rig.s3().metrics().prefix(EngineRig.PACKED);
            narrator.accept("pushing to registries over a mount");
            // In a directory of its own: a registry that splits layers looks for those of others, too.
            EngineRig.Registry intact =
                    rig.startRegistry(workspace, "intact", "/intact", List.of("--no-dedup", "--no-trees"));
            double unusedToo = new RegistryLoad(intact.uri()).push(whole);
            sources.put(INTACT, source(intact, whole, store));
            EngineRig.Registry split = rig.startRegistry(workspace, "split", List.of("--no-trees"));
            double unusedSplit = new RegistryLoad(split.uri()).push(cut);
            OwnSide.awaitSplit(split);
            sources.put(SPLIT, source(split, cut, store));
            List<String> sequential = List.of("--no-dedup", "--no-trees", "--read-ahead", "0");
            sources.put(SEQUENTIAL, source(rig.startRegistry(workspace, "sequential", sequential), cut, store));
            List<String> cached = List.of(
                    "--no-dedup",
                    "--no-trees",
                    "--cache-dir",
                    workspace.directory().resolve("cache").toString());
            sources.put(CACHED, source(rig.startRegistry(workspace, "cached", cached), cut, store));
            try (EngineRig.Client client = rig.client()) {
                client.mount().flush();
            }
            for (S3Process each : List.of(peerStore, rig.s3())) {
                slow(each.endpoint());
            }
            Result result = measure(sources, whole);
            if (OwnSide.metric(intact, RESTORED) > 0) {
                throw new IOException("the intact layers were split");
            }
            return result;
        }
    }

    /** Lets a store take its time before each answer, as one does that is not on this machine. */
    private void slow(URI store) throws IOException, InterruptedException {
        if (spec.latencyMillis() == 0) {
            return;
        }
        Faults late = new Faults(0, 0, 0, 0, 1, 0, Duration.ofMillis(spec.latencyMillis()), 0);
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(store.resolve(S3Server.FAULTS_PATH + "?" + late.toQuery()))
                                .POST(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != HttpURLConnection.HTTP_OK) {
            throw new IOException("the store cannot be slowed: " + answer.body());
        }
    }

    private static Source source(EngineRig.Registry registry, ImageSet set, Store store) {
        return new Source(registry.uri(), set, registry.process()::cpu, store);
    }

    /** Layers of files of all sizes, most of them small and most bytes in large ones. */
    private ImageSet layers(Path directory, String name, long seed) throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        List<ImageSet.Blob> blobs = new ArrayList<>();
        for (int i = 0; i < spec.layers(); i++) {
            String layer = "%s-%d".formatted(name, i);
            Path root = Files.createDirectories(directory.resolve(layer));
            long left = spec.megabytes() * 1_000_000L;
            for (int file = 0; left > 0; file++) {
                // From 1 KB to 4 MB, as many of each power of two.
                byte[] bytes = new byte[(int) Math.min(left, (long) (1_000 * Math.pow(2, random.nextDouble(12))))];
                random.nextBytes(bytes);
                Files.write(root.resolve("file-" + file), bytes);
                left -= bytes.length;
            }
            Path tar = directory.resolve(layer + ".tar");
            HostPrograms.run(directory, List.of("tar", "--create", "--sort=name", "--file", tar.toString(), layer));
            blobs.add(ImageSet.blob(tar));
        }
        return new ImageSet(List.of(ImageSet.image(directory, name, blobs)), 0);
    }

    private Result measure(Map<String, Source> sources, ImageSet set) throws IOException, InterruptedException {
        long wrong = 0;
        for (Source source : sources.values()) {
            RegistryLoad load = new RegistryLoad(source.uri());
            for (int i = 0; i < spec.warmUps(); i++) {
                double unused = load.pull(source.set());
            }
            wrong += load.wrongDigests();
        }
        List<String> names = new ArrayList<>(sources.keySet());
        for (int round = 0; round < spec.rounds(); round++) {
            narrator.accept("round %d of %d".formatted(round + 1, spec.rounds()));
            for (int i = 0; i < names.size(); i++) {
                // The order of the ways changes from round to round.
                pull(source(sources, names.get((round + i) % names.size())));
            }
        }
        long bytes = bytes(set);
        Map<String, Way> ways = new LinkedHashMap<>();
        sources.forEach((name, source) -> ways.put(name, source.way(bytes)));
        Map<String, Double> ratios = new LinkedHashMap<>();
        ratio(ratios, sources, INTACT, PEER);
        ratio(ratios, sources, INTACT, PEER_ON_FILES);
        ratio(ratios, sources, SPLIT, PEER);
        ratio(ratios, sources, SPLIT, SEQUENTIAL);
        ratio(ratios, sources, CACHED, INTACT);
        ratio(ratios, sources, CACHED, PEER);
        return new Result(bytes, ways, ratios, wrong);
    }

    private static Source source(Map<String, Source> sources, String name) {
        Source source = sources.get(name);
        if (source == null) {
            throw new IllegalArgumentException("there is no way " + name);
        }
        return source;
    }

    private static long bytes(ImageSet set) {
        return set.layers().stream().mapToLong(ImageSet.Blob::size).sum();
    }

    private static void pull(Source source) throws IOException, InterruptedException {
        S3ServerMetrics.Counts asked = source.store().counts();
        Duration before = source.cpu().get();
        byte[] buffer = new byte[BUFFER];
        long bytes = 0;
        long start = System.nanoTime();
        for (ImageSet.Image image : source.set().images()) {
            for (ImageSet.Blob layer : image.layers()) {
                HttpURLConnection connection = (HttpURLConnection) source.uri()
                        .resolve("/v2/images/%s/blobs/%s".formatted(image.name(), layer.digest()))
                        .toURL()
                        .openConnection();
                try (InputStream in = connection.getInputStream()) {
                    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                        bytes += n;
                    }
                }
            }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        if (bytes != bytes(source.set())) {
            throw new IOException("%s gave %,d of %,d bytes".formatted(source.uri(), bytes, bytes(source.set())));
        }
        Duration used = source.cpu().get().minus(before);
        S3ServerMetrics.Counts after = source.store().counts();
        source.pulls()
                .add(new Pull(
                        bytes / MEGABYTE / seconds,
                        used,
                        after.get() - asked.get(),
                        after.bytesOut() - asked.bytesOut()));
    }

    private static void ratio(Map<String, Double> ratios, Map<String, Source> sources, String of, String to) {
        List<Double> above = source(sources, of).rates();
        List<Double> below = source(sources, to).rates();
        List<Double> each = new ArrayList<>();
        for (int i = 0; i < above.size(); i++) {
            each.add(above.get(i) / below.get(i));
        }
        ratios.put(of + " / " + to, Median.of(each));
    }
}
