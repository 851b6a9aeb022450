// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.Median;
import io.packing.placement.ReplicaMode;
import io.packing.registry.dedup.LayerForm;
import io.packing.rig.Workspace;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pushes and pulls images through a registry over a mount, in several modes, and through docker-registry. All registries are processes
 * of their own, and each answers for other images before the clock runs.
 *
 * @param runs pulls of all images through each registry, each by a new process; medians are told
 * @param parts what is measured beside docker-registry and registries over one mount
 */
public record ImagesExperiment(Map<String, String> mountOptions, int runs, Parts parts, Narrator narrator) {
    private static final String WORKSPACE = "packing-images";
    private static final int WARM_UP_PULLS = 3;
    /** The number of pulls of the most popular image. */
    private static final int MOST_PULLS = 8;

    /** Trees of images are for containers: what they cost is no part of pushes. */
    private static final String NO_TREES = "--no-trees";

    private static final List<String> INTACT = List.of("--no-dedup", NO_TREES);

    /**
     * The optional parts of the experiment.
     *
     * @param nodeModes modes of nodes with stores of their own
     * @param gzipped whether the same images are pushed with gzipped layers, too
     */
    public record Parts(List<String> nodeModes, boolean gzipped) {
        /** Everything. */
        public static final Parts ALL = new Parts(List.of("b0", "b1", "b2", "b3", "s"), true);

        public Parts {
            nodeModes = List.copyOf(nodeModes);
            nodeModes.forEach(ReplicaMode::named);
        }
    }

    public ImagesExperiment {
        mountOptions = Map.copyOf(mountOptions);
        if (runs < 1) {
            throw new IllegalArgumentException("--runs: 1 at least, not " + runs);
        }
    }

    /**
     * A registry's cost, without the images of its warm-up.
     *
     * @param storedBytes bytes that the store has to keep for what is pushed
     * @param pushS seconds until all pushes were answered
     * @param pullS median seconds of pulling all images, one blob after the other
     * @param put PUT-class requests to the store, until all is in it
     * @param get median GET requests to the store of pulling all images
     */
    public record Peer(
            @JsonProperty("stored_bytes") long storedBytes,
            @JsonProperty("push_s") double pushS,
            @JsonProperty("pull_s") double pullS,
            long put,
            double get) {}

    /**
     * The cost of our registry in one mode.
     *
     * @param storedRatio stored bytes of one replica to the distinct file bytes
     * @param newStoredRatio the same before any image was pulled, which differs where popular layers are kept in another way
     * @param dedupS seconds from the answer of the last push until all layers were split
     * @param restoreMsP50 median of the pulls of a layer
     * @param restoreMs the same by the sizes of layers
     */
    public record Mode(
            @JsonProperty("stored_bytes") long storedBytes,
            @JsonProperty("stored_ratio") double storedRatio,
            @JsonProperty("new_stored_ratio") double newStoredRatio,
            @JsonProperty("push_s") double pushS,
            @JsonProperty("dedup_s") double dedupS,
            @JsonProperty("pull_s") double pullS,
            long put,
            double get,
            @JsonProperty("restore_ms_p50") double restoreMsP50,
            @JsonProperty("restore_ms") Map<String, Double> restoreMs) {}

    /**
     * All of it.
     *
     * @param layers different ones
     * @param layerBytes of different layers
     * @param distinctFileBytes of different contents in them
     * @param modes by name; null: a mode that there is not
     * @param gzipped the same images with layers as stock clients push them; null: they were left out
     */
    public record Result(
            int images,
            int layers,
            @JsonProperty("layer_bytes") long layerBytes,
            @JsonProperty("distinct_file_bytes") long distinctFileBytes,
            Peer peer,
            Map<String, @Nullable Mode> modes,
            @Nullable Gzipped gzipped,
            @JsonProperty("wrong_digests") long wrongDigests) {
        /** The form for people. */
        public void print(PrintWriter out) {
            out.printf(
                    "%d images, %d layers, %,d bytes, %,d of different files%n",
                    images, layers, layerBytes, distinctFileBytes);
            print(out, peer, modes);
            if (gzipped != null) {
                out.printf("gzipped, %,d bytes%n", gzipped.layerBytes());
                print(out, gzipped.peer(), gzipped.modes());
            }
            out.printf("%d wrong digests%n", wrongDigests);
        }

        private static void print(PrintWriter out, Peer peer, Map<String, @Nullable Mode> modes) {
            out.printf(
                    "%-16s %16s %8s %8s %8s %8s %8s %8s  %s%n",
                    "", "stored bytes", "of files", "push s", "pull s", "PUT", "GET", "layer ms", "by size");
            out.printf(
                    "%-16s %,16d %8s %8.2f %8.2f %8d %8.0f%n",
                    "docker-registry", peer.storedBytes(), "", peer.pushS(), peer.pullS(), peer.put(), peer.get());
            for (Map.Entry<String, @Nullable Mode> each : modes.entrySet()) {
                Mode mode = each.getValue();
                if (mode == null) {
                    out.printf("%-16s there is no such mode yet%n", each.getKey());
                } else {
                    out.printf(
                            "%-16s %,16d %8.3f %8.2f %8.2f %8d %8.0f %8.1f  %s%n",
                            each.getKey(),
                            mode.storedBytes(),
                            mode.storedRatio(),
                            mode.pushS(),
                            mode.pullS(),
                            mode.put(),
                            mode.get(),
                            mode.restoreMsP50(),
                            mode.restoreMs());
                }
            }
        }
    }

    /**
     * The cost of gzipped layers.
     *
     * @param layerBytes of different layers
     * @param modes {@code intact}, and the forms to which the registry translates, once originals were dropped
     */
    public record Gzipped(@JsonProperty("layer_bytes") long layerBytes, Peer peer, Map<String, @Nullable Mode> modes) {}

    /** @param newBytes bytes that were stored before any image was pulled */
    private record Pushed(long storedBytes, long newBytes, double pushS, double dedupS, long put) {
        Pushed(long storedBytes, double pushS, double dedupS, long put) {
            this(storedBytes, storedBytes, pushS, dedupS, put);
        }
    }

    /**
     * The replicas and bytes that a store keeps.
     *
     * @param replicas of everything
     * @param fileBytes of different files that are pushed
     */
    private record Keeping(int replicas, long fileBytes) {
        double ratio(long storedBytes) {
            return (double) storedBytes / replicas / fileBytes;
        }
    }

    private record Pulled(double seconds, double get, List<RegistryLoad.LayerPull> layers, long wrong) {}

    /** Runs it; what is missing on the machine is an {@link IllegalArgumentException} that says so. */
    public Result run() throws IOException, InterruptedException {
        PeerRegistry.check();
        DebianImages.check();
        try (Workspace images = Workspace.create(WORKSPACE)) {
            return run(DebianImages.build(images.directory(), narrator), ImageSet.warmUp(images.directory()));
        }
    }

    /** Runs it with these images. */
    Result run(ImageSet set, ImageSet warmUp) throws IOException, InterruptedException {
        narrator.accept("docker-registry");
        Measured<Peer> peer = peer(set, warmUp);
        long wrong = peer.wrong();
        Map<String, @Nullable Mode> modes = new LinkedHashMap<>();
        wrong += intact(modes, set, warmUp);
        narrator.accept("a registry over a mount, deduplicated");
        try (RegistrySide side = OwnSide.open(WORKSPACE, mountOptions)) {
            Pushed pushed = push(side, List.of(NO_TREES), set, warmUp);
            Keeping keeping = new Keeping(1, set.distinctFileBytes());
            wrong += mode(modes, "b0", keeping, pushed, pull(side, INTACT, set, warmUp, false));
            narrator.accept("pulling, one file of a layer after the other");
            List<String> sequential = List.of("--no-dedup", NO_TREES, "--read-ahead", "0");
            wrong += mode(modes, "b0+sequential", keeping, pushed, pull(side, sequential, set, warmUp, false));
            narrator.accept("pulling from the cache of layers");
            List<String> cached = List.of("--no-dedup", NO_TREES, "--cache-dir", OwnSide.CACHE);
            wrong += mode(modes, "b0+cache", keeping, pushed, pull(side, cached, set, warmUp, true));
        }
        for (String mode : parts.nodeModes()) {
            wrong += nodes(modes, mode, set, warmUp);
        }
        @Nullable Measured<Gzipped> gzipped = parts.gzipped() ? gzipped(set.gzip(), warmUp.gzip()) : null;
        return new Result(
                set.images().size(),
                set.layers().size(),
                bytes(set),
                set.distinctFileBytes(),
                peer.value(),
                modes,
                gzipped == null ? null : gzipped.value(),
                gzipped == null ? wrong : wrong + gzipped.wrong());
    }

    /** @param wrong digests */
    private record Measured<T>(T value, long wrong) {}

    private static long bytes(ImageSet set) {
        return set.layers().stream().mapToLong(ImageSet.Blob::size).sum();
    }

    private Measured<Peer> peer(ImageSet set, ImageSet warmUp) throws IOException, InterruptedException {
        try (RegistrySide side = PeerSide.open(WORKSPACE)) {
            Pushed pushed = push(side, List.of(), set, warmUp);
            Pulled pulled = pull(side, List.of(), set, warmUp, false);
            return new Measured<>(
                    new Peer(pushed.storedBytes(), pushed.pushS(), pulled.seconds(), pushed.put(), pulled.get()),
                    pulled.wrong());
        }
    }

    private long intact(Map<String, @Nullable Mode> modes, ImageSet set, ImageSet warmUp)
            throws IOException, InterruptedException {
        narrator.accept("a registry over a mount, intact");
        try (RegistrySide side = OwnSide.open(WORKSPACE, mountOptions)) {
            Pushed pushed = push(side, INTACT, set, warmUp);
            Keeping keeping = new Keeping(1, set.distinctFileBytes());
            return mode(modes, "intact", keeping, pushed, pull(side, INTACT, set, warmUp, false));
        }
    }

    /** Nodes with stores of their own, as many as the mode wants; the mode of that name over one mount is another one. */
    private long nodes(Map<String, @Nullable Mode> modes, String mode, ImageSet set, ImageSet warmUp)
            throws IOException, InterruptedException {
        narrator.accept("nodes with stores of their own, mode " + mode);
        try (NodesSide side = NodesSide.open(WORKSPACE, mountOptions, mode)) {
            Pushed pushed = push(side, List.of(), set, warmUp);
            String name = mode.equals("b0") ? "b0+nodes" : mode;
            Keeping keeping = new Keeping(NodesSide.REPLICAS, set.distinctFileBytes());
            if (ReplicaMode.named(mode) instanceof ReplicaMode.Basic) {
                return mode(modes, name, keeping, pushed, pull(side, List.of(), set, warmUp, false));
            }
            // Popular layers get more whole replicas: the n-th image is pulled an n-th as often as
            // the first.
            long before = side.storedBytes() - pushed.storedBytes();
            long wrong;
            try (RegistrySide.Running registry = side.start(List.of())) {
                RegistryLoad load = new RegistryLoad(registry.uri());
                for (int i = 0; i < set.images().size(); i++) {
                    ImageSet one = new ImageSet(List.of(set.images().get(i)), 0);
                    for (int pull = 0; pull < Math.max(1, MOST_PULLS / (i + 1)); pull++) {
                        double unused = load.pull(one);
                    }
                }
                side.mend();
                side.flush();
                wrong = load.wrongDigests();
            }
            Pushed popular = new Pushed(
                    side.storedBytes() - before, pushed.storedBytes(), pushed.pushS(), pushed.dedupS(), pushed.put());
            return wrong + mode(modes, name, keeping, popular, pull(side, List.of(), set, warmUp, false));
        }
    }

    private Measured<Gzipped> gzipped(ImageSet set, ImageSet warmUp) throws IOException, InterruptedException {
        narrator.accept("docker-registry with gzipped layers");
        Measured<Peer> peer = peer(set, warmUp);
        long wrong = peer.wrong();
        Map<String, @Nullable Mode> modes = new LinkedHashMap<>();
        wrong += intact(modes, set, warmUp);
        for (LayerForm form : LayerForm.values()) {
            narrator.accept("a registry over a mount, translated to " + form.text());
            List<String> flags = List.of(NO_TREES, OwnSide.TRANSLATE, form.text());
            try (RegistrySide side = OwnSide.open(WORKSPACE, mountOptions)) {
                Pushed pushed = push(side, flags, set, warmUp);
                Keeping keeping = new Keeping(1, set.distinctFileBytes());
                wrong += mode(modes, form.text(), keeping, pushed, pull(side, flags, set, warmUp, false));
            }
        }
        return new Measured<>(new Gzipped(bytes(set), peer.value(), modes), wrong);
    }

    private static Pushed push(RegistrySide side, List<String> flags, ImageSet set, ImageSet warmUp)
            throws IOException, InterruptedException {
        try (RegistrySide.Running registry = side.start(flags)) {
            RegistryLoad load = new RegistryLoad(registry.uri());
            double unused = load.push(warmUp);
            registry.settle();
            side.flush();
            long stored = side.storedBytes();
            long put = side.requests().put();
            double push = load.push(set);
            long start = System.nanoTime();
            registry.settle();
            double split = (System.nanoTime() - start) / 1e9;
            side.flush();
            return new Pushed(
                    side.storedBytes() - stored, push, split, side.requests().put() - put);
        }
    }

    /** @param fills whether all is pulled once before, so that it is in the cache */
    private Pulled pull(RegistrySide side, List<String> flags, ImageSet set, ImageSet warmUp, boolean fills)
            throws IOException, InterruptedException {
        List<Double> seconds = new ArrayList<>();
        List<Double> gets = new ArrayList<>();
        List<RegistryLoad.LayerPull> layers = new ArrayList<>();
        long wrong = 0;
        for (int run = 0; run < runs; run++) {
            try (RegistrySide.Running registry = side.start(flags)) {
                RegistryLoad before = new RegistryLoad(registry.uri());
                for (int i = 0; i < WARM_UP_PULLS; i++) {
                    double unused = before.pull(warmUp);
                }
                if (fills) {
                    double unused = before.pull(set);
                }
                long get = side.requests().get();
                RegistryLoad load = new RegistryLoad(registry.uri());
                seconds.add(load.pull(set));
                gets.add((double) (side.requests().get() - get));
                layers.addAll(load.layerPulls());
                wrong += before.wrongDigests() + load.wrongDigests();
            }
        }
        return new Pulled(Median.of(seconds), Median.of(gets), layers, wrong);
    }

    /** Adds a mode; returns how many digests were wrong. */
    private static long mode(
            Map<String, @Nullable Mode> modes, String name, Keeping keeping, Pushed pushed, Pulled pulled) {
        double all = Median.of(
                pulled.layers().stream().map(RegistryLoad.LayerPull::millis).toList());
        modes.put(
                name,
                new Mode(
                        pushed.storedBytes(),
                        keeping.ratio(pushed.storedBytes()),
                        keeping.ratio(pushed.newBytes()),
                        pushed.pushS(),
                        pushed.dedupS(),
                        pulled.seconds(),
                        pushed.put(),
                        pulled.get(),
                        all,
                        LayerSize.medians(pulled.layers())));
        return pulled.wrong();
    }
}
