// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.Median;
import io.packing.registry.pull.ImagePull;
import io.packing.registry.pull.ImageReference;
import io.packing.registry.pull.PulledFiles;
import io.packing.rig.EngineRig;
import io.packing.rig.S3Process;
import io.packing.rig.Workspace;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Pulls related images one after the other by a client that says which files it has, and by one that pulls whole layers (DupHunter, §6.3).
 * A layer that several images have is pulled once by either. Clients in processes of their own follow, whose load is measured.
 *
 * @param threads layers that such a client pulls at a time, of each measurement
 * @param rounds clients of each kind; figures are medians
 */
public record OffloadBench(Map<String, String> mountOptions, List<Integer> threads, int rounds, Narrator narrator) {
    private static final String WORKSPACE = "packing-offload";

    /**
     * The cost of an image.
     *
     * @param whole bytes that the client received that pulls whole layers
     * @param gzip bytes of the same layers, gzipped
     * @param lean bytes that the other one received and sent
     */
    public record Image(
            String name,
            @JsonProperty("whole_bytes") long whole,
            @JsonProperty("gzip_bytes") long gzip,
            @JsonProperty("lean_bytes") long lean,
            @JsonProperty("whole_s") double wholeSeconds,
            @JsonProperty("lean_s") double leanSeconds) {}

    /**
     * All of it.
     *
     * @param ratio of whole bytes to lean ones, of all images
     * @param laterRatio the same of all but the first one
     * @param layerRatio the same of a layer, median
     * @param halved share of the layers of which less than half the bytes were sent
     * @param clients load of clients that keep each file once, with and without offloading
     */
    public record Result(
            List<Image> images,
            int layers,
            double ratio,
            @JsonProperty("later_ratio") double laterRatio,
            @JsonProperty("gzip_later_ratio") double gzipLaterRatio,
            @JsonProperty("layer_ratio_p50") double layerRatio,
            @JsonProperty("layers_halved_share") double halved,
            List<OffloadLoad.Client> clients) {
        public Result {
            images = List.copyOf(images);
            clients = List.copyOf(clients);
        }

        /** The form for people. */
        public void print(PrintWriter out) {
            out.printf(
                    "%-16s %16s %16s %16s %8s %8s%n", "", "whole bytes", "gzipped", "lean bytes", "whole s", "lean s");
            images.forEach(image -> out.printf(
                    "%-16s %,16d %,16d %,16d %8.2f %8.2f%n",
                    image.name(),
                    image.whole(),
                    image.gzip(),
                    image.lean(),
                    image.wholeSeconds(),
                    image.leanSeconds()));
            out.printf("%.2f times fewer bytes in all, %.2f after the first image%n", ratio, laterRatio);
            out.printf("%.2f times fewer than gzipped layers after the first image%n", gzipLaterRatio);
            out.printf(
                    "%d layers: %.2f times fewer bytes of the median one, less than half of %.0f %% of them%n",
                    layers, layerRatio, 100 * halved);
            OffloadLoad.print(clients, out);
        }
    }

    /** Runs it; what is missing on the machine is an {@link IllegalArgumentException} that says so. */
    public Result run() throws IOException, InterruptedException {
        DebianImages.check();
        try (Workspace images = Workspace.create(WORKSPACE + "-images")) {
            return run(DebianImages.build(images.directory(), narrator));
        }
    }

    /** Runs it with these images. */
    Result run(ImageSet set) throws IOException, InterruptedException {
        OffloadLoad load = new OffloadLoad(threads, rounds, narrator);
        narrator.accept("compressing layers, to compare with");
        ImageSet gzipped = set.gzip();
        try (Workspace workspace = Workspace.create(WORKSPACE)) {
            EngineRig rig = EngineRig.start(workspace, S3Process.Limits.NONE, 1, mountOptions);
            EngineRig.Registry registry = rig.startRegistry(workspace, "registry", List.of("--no-trees"));
            narrator.accept("pushing");
            push(registry, set);
            Path home = workspace.directory();
            List<Image> images = new ArrayList<>();
            List<Double> ratios = new ArrayList<>();
            try (PulledFiles none = PulledFiles.open(home.resolve("no-files"));
                    PulledFiles files = PulledFiles.open(home.resolve("files"))) {
                for (int i = 0; i < set.images().size(); i++) {
                    String name = set.images().get(i).name();
                    narrator.accept("pulling " + name);
                    Pulled whole = pull(registry, name, none, home.resolve("whole"), false);
                    Pulled lean = pull(registry, name, files, home.resolve("lean"), true);
                    images.add(new Image(
                            name,
                            whole.result().received(),
                            gzipBytes(set.images().get(i), gzipped.images().get(i), whole.result()),
                            lean.result().received() + lean.result().sent(),
                            whole.seconds(),
                            lean.seconds()));
                    for (ImagePull.Layer layer : lean.result().layers()) {
                        ratios.add((double) layer.bytes() / Math.max(1, layer.received()));
                    }
                }
            }
            narrator.accept("pushing gzipped layers");
            ImageSet renamed = OffloadLoad.renamed(gzipped);
            push(registry, renamed);
            return result(images, ratios, load.run(registry.uri(), set, renamed, home));
        }
    }

    private static void push(EngineRig.Registry registry, ImageSet set) throws IOException, InterruptedException {
        double unused = new RegistryLoad(registry.uri()).push(set);
        OwnSide.awaitSplit(registry);
    }

    private static Result result(List<Image> images, List<Double> ratios, List<OffloadLoad.Client> clients) {
        List<Image> later = images.subList(1, images.size());
        double halved = ratios.stream().filter(ratio -> ratio > 2).count() / (double) ratios.size();
        return new Result(
                images,
                ratios.size(),
                (double) images.stream().mapToLong(Image::whole).sum()
                        / images.stream().mapToLong(Image::lean).sum(),
                (double) later.stream().mapToLong(Image::whole).sum()
                        / later.stream().mapToLong(Image::lean).sum(),
                (double) later.stream().mapToLong(Image::gzip).sum()
                        / later.stream().mapToLong(Image::lean).sum(),
                Median.of(ratios),
                halved,
                clients);
    }

    /** Bytes of those layers, gzipped, that were pulled. */
    private static long gzipBytes(ImageSet.Image image, ImageSet.Image gzipped, ImagePull.Result pulled) {
        long bytes = 0;
        for (ImagePull.Layer layer : pulled.layers()) {
            for (int i = 0; i < image.layers().size(); i++) {
                if (image.layers().get(i).digest().equals(layer.digest())) {
                    bytes += gzipped.layers().get(i).size();
                }
            }
        }
        return bytes;
    }

    private record Pulled(ImagePull.Result result, double seconds) {}

    private static Pulled pull(EngineRig.Registry registry, String name, PulledFiles files, Path to, boolean lean)
            throws IOException {
        long start = System.nanoTime();
        ImagePull.Result result = ImagePull.pull(
                registry.uri(),
                new ImageReference(registry.uri().getAuthority(), "images/" + name, "v1"),
                Optional.empty(),
                new ImagePull.Platform("linux", "amd64"),
                files,
                to,
                lean);
        return new Pulled(result, (System.nanoTime() - start) / 1e9);
    }
}
