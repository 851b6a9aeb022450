// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.Median;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * The load of clients that keep each file once: those that deduplicate whole layers themselves, and those that offload it to the registry
 * (DupHunter, Figures 16 and 17). All have the first image, and pull the other layers.
 *
 * @param threads layers that a client pulls at a time, of each measurement
 * @param rounds clients of each kind; figures are medians
 */
record OffloadLoad(List<Integer> threads, int rounds, Narrator narrator) {
    /** The bound leaves room: what a client holds decides its memory. */
    private static final int HEAP_MEGABYTES = 256;

    private static final List<String> SMALL_START = List.of("-Xms16m", "-Xmn8m");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String GZIPPED = "gzipped-";

    OffloadLoad {
        threads = List.copyOf(threads);
        if (rounds < 1 || threads.isEmpty() || threads.stream().anyMatch(each -> each < 1)) {
            throw new IllegalArgumentException("--threads and --rounds must be positive");
        }
    }

    /**
     * The median load of clients of one kind.
     *
     * @param way {@code whole}: without offloading; {@code lean}: with it; {@code made}: with it, and each layer is made
     * @param utilisation processor seconds of a second, of one processor
     * @param low the least one of all rounds
     * @param high the largest
     * @param peak resident bytes
     */
    record Client(
            String way,
            int threads,
            @JsonProperty("cpu_s") double cpuSeconds,
            @JsonProperty("elapsed_s") double elapsedSeconds,
            double utilisation,
            @JsonProperty("utilisation_low") double low,
            @JsonProperty("utilisation_high") double high,
            @JsonProperty("peak_bytes") long peak,
            @JsonProperty("received_bytes") long received,
            @JsonProperty("stored_bytes") long stored) {
        static Client of(OffloadClient.Way way, int threads, List<OffloadClient.Cost> costs) {
            List<Double> utilisations = values(costs, each -> each.cpuSeconds() / each.elapsedSeconds());
            return new Client(
                    way.text(),
                    threads,
                    Median.of(values(costs, OffloadClient.Cost::cpuSeconds)),
                    Median.of(values(costs, OffloadClient.Cost::elapsedSeconds)),
                    Median.of(utilisations),
                    utilisations.stream().min(Double::compare).orElseThrow(),
                    utilisations.stream().max(Double::compare).orElseThrow(),
                    (long) Median.of(values(costs, each -> (double) each.peak())),
                    (long) Median.of(values(costs, each -> (double) each.received())),
                    costs.get(0).stored());
        }

        private static List<Double> values(List<OffloadClient.Cost> costs, ToDoubleFunction<OffloadClient.Cost> value) {
            return costs.stream().map(value::applyAsDouble).toList();
        }
    }

    /** Prints loads for people. */
    static void print(List<Client> clients, PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "%-8s %8s %8s %8s %12s %16s %10s %16s%n",
                "client",
                "threads",
                "cpu s",
                "s",
                "utilisation",
                "least, most",
                "peak MB",
                "received bytes");
        clients.forEach(each -> out.printf(
                Locale.ROOT,
                "%-8s %8d %8.2f %8.2f %12.2f %16s %10.1f %,16d%n",
                each.way(),
                each.threads(),
                each.cpuSeconds(),
                each.elapsedSeconds(),
                each.utilisation(),
                "%.2f, %.2f".formatted(each.low(), each.high()),
                each.peak() / 1e6,
                each.received()));
        out.println("utilisation is of one processor; peak is resident memory of a JVM with a heap of at most "
                + HEAP_MEGABYTES + " MB; made is lean with each layer made of its files");
    }

    /** Returns gzipped images under names of their own, beside those of the tars. */
    static ImageSet renamed(ImageSet gzipped) {
        return new ImageSet(
                gzipped.images().stream()
                        .map(each -> new ImageSet.Image(GZIPPED + each.name(), each.config(), each.layers(), true))
                        .toList(),
                gzipped.distinctFileBytes());
    }

    /**
     * Runs the clients.
     *
     * @param tars images that are pushed and split
     * @param gzipped the same, {@link #renamed} and pushed
     */
    List<Client> run(URI registry, ImageSet tars, ImageSet gzipped, Path home)
            throws IOException, InterruptedException {
        Map<Integer, Map<OffloadClient.Way, List<OffloadClient.Cost>>> all = new LinkedHashMap<>();
        // The first round warms the registry up.
        for (int round = 0; round <= rounds; round++) {
            for (int each : round == 0 ? threads.subList(0, 1) : threads) {
                for (OffloadClient.Way way : OffloadClient.Way.values()) {
                    narrator.accept("a %s client with %d pulls at a time".formatted(way.text(), each));
                    ImageSet images = way == OffloadClient.Way.WHOLE ? gzipped : tars;
                    OffloadClient.Cost cost = run(plan(registry, images, way, each, home.resolve("client")), home);
                    if (round > 0) {
                        all.computeIfAbsent(each, any -> new LinkedHashMap<>())
                                .computeIfAbsent(way, any -> new ArrayList<>())
                                .add(cost);
                    }
                }
            }
        }
        List<Client> clients = new ArrayList<>();
        Set<String> stores = new HashSet<>();
        all.forEach((count, ways) -> ways.forEach((way, costs) -> {
            costs.forEach(cost -> stores.add(cost.names()));
            clients.add(Client.of(way, count, costs));
        }));
        if (stores.size() != 1) {
            throw new IOException("the clients stored %d different sets of files".formatted(stores.size()));
        }
        return clients;
    }

    private static OffloadClient.Plan plan(
            URI registry, ImageSet images, OffloadClient.Way way, int threads, Path directory) {
        Map<String, OffloadClient.Wanted> before = new LinkedHashMap<>();
        Map<String, OffloadClient.Wanted> layers = new LinkedHashMap<>();
        for (ImageSet.Image image : images.images()) {
            Map<String, OffloadClient.Wanted> to = before.isEmpty() ? before : layers;
            for (ImageSet.Blob layer : image.layers()) {
                if (!before.containsKey(layer.digest())) {
                    OffloadClient.Wanted unused = to.putIfAbsent(
                            layer.digest(),
                            new OffloadClient.Wanted(RegistryLoad.repository(image), layer.digest(), layer.size()));
                }
            }
        }
        return new OffloadClient.Plan(
                registry.toString(),
                way,
                threads,
                directory.toString(),
                List.copyOf(before.values()),
                List.copyOf(layers.values()));
    }

    private static OffloadClient.Cost run(OffloadClient.Plan plan, Path home) throws IOException, InterruptedException {
        Path file = home.resolve("plan.json");
        JSON.writeValue(file.toFile(), plan);
        List<String> lines = new ArrayList<>();
        JavaProcess.run(
                new JavaCommand(
                                "offload-client",
                                OffloadClient.class.getName(),
                                List.of(System.getProperty("java.class.path").split(File.pathSeparator)),
                                HEAP_MEGABYTES,
                                Map.of(
                                        "packing.log",
                                        home.resolve("offload-client-inside.log")
                                                .toString()),
                                List.of(file.toString()))
                        .withJvmOptions(SMALL_START),
                home,
                lines::add);
        HostPrograms.run(home, List.of("rm", "-rf", plan.directory()));
        return Objects.requireNonNull(JSON.readValue(lines.get(lines.size() - 1), OffloadClient.Cost.class));
    }
}
