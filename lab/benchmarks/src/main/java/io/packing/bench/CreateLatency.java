// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerOptions;
import io.packing.store.ObjectStores;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;

/**
 * A benchmark of small files through Hadoop's {@link FileSystem}. 1, 8 and 32 threads create, write and close files,
 * and wait for each. The targets are packing, S3A on the same S3 server, and any other file system that the user names.
 * The S3 server answers a PUT after a latency, as a real one does. Master, worker and server are processes of their
 * own. The file systems take turns, and each turn prints one line of JSON; the first turn of each is cold.
 */
public final class CreateLatency {
    private static final String BUCKET = "latency";

    private final Map<String, String> settings = new LinkedHashMap<>(Map.of(
            "threads",
            "1,8,32",
            "seconds",
            "5",
            "turns",
            "3",
            "size",
            "8192",
            "store-latency",
            "30",
            "systems",
            "packing,s3a",
            "dir",
            ""));
    private final Map<String, URI> peers = new LinkedHashMap<>();

    private CreateLatency() {}

    public static void main(String[] args) throws Exception {
        switch (args.length == 0 ? "" : args[0]) {
            case "server" -> server(Path.of(args[1]), Duration.ofMillis(Long.parseLong(args[2])));
            case "master" -> master(Path.of(args[1]), args[2]);
            case "worker" -> worker(args[1], Path.of(args[2]), args[3]);
            default -> {
                CreateLatency bench = new CreateLatency();
                bench.parse(args);
                bench.run();
            }
        }
    }

    private void parse(String[] args) {
        for (int i = 0; i < args.length; i++) {
            String key = args[i].startsWith("--") ? args[i].substring(2) : "";
            boolean hasValue = i + 1 < args.length;
            if (key.equals("peer") && hasValue && args[i + 1].contains("=")) {
                String peer = args[++i];
                peers.put(peer.substring(0, peer.indexOf('=')), URI.create(peer.substring(peer.indexOf('=') + 1)));
            } else if (settings.containsKey(key) && hasValue) {
                settings.put(key, args[++i]);
            } else {
                throw new IllegalArgumentException("unknown argument '%s', want --peer NAME=URI or --%s"
                        .formatted(args[i], String.join(", --", settings.keySet())));
            }
        }
    }

    private static void server(Path directory, Duration latency) throws IOException {
        S3ServerOptions config =
                S3ServerOptions.of(Files.createDirectories(directory), BUCKET).withPutLatency(latency);
        try (S3Server server = S3Server.start(config)) {
            ChildProcess.serve(server.endpoint().toString());
        }
    }

    private static void master(Path data, String endpoint) throws IOException {
        try (BdtMaster master = BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir",
                        data.toString(),
                        "bdt.port",
                        "0",
                        "bdt.stores",
                        "s3://%s/packing@%s".formatted(BUCKET, endpoint))))
                .serve()) {
            ChildProcess.serve("127.0.0.1:" + master.port());
        }
    }

    private static void worker(String master, Path home, String endpoint) throws IOException {
        try (GrpcBdts bdts = GrpcBdts.connect(master, Duration.ofSeconds(30));
                PackingWorker worker = PackingWorker.start(
                        new WorkerOptions("bench", home, "127.0.0.1", 0),
                        bdts,
                        ObjectStores::open,
                        Clock.systemUTC(),
                        new SimpleMeterRegistry());
                PackingFileSystem mount = worker.open(MountOptions.from(packing(endpoint)))) {
            ChildProcess.serve(mount.bdt().workers().get(0).address());
        }
    }

    private static Map<String, String> packing(String endpoint) {
        return Map.of(
                "packing.store",
                "s3://" + BUCKET + "/packing",
                "packing.s3.endpoint",
                endpoint,
                "packing.s3.access.key",
                "access",
                "packing.s3.secret.key",
                "secret");
    }

    private static Configuration configuration(String endpoint) {
        Configuration configuration = new Configuration();
        packing(endpoint).forEach(configuration::set);
        configuration.set("fs.s3a.endpoint", endpoint);
        configuration.set("fs.s3a.endpoint.region", "us-east-1");
        configuration.set("fs.s3a.access.key", "access");
        configuration.set("fs.s3a.secret.key", "secret");
        configuration.set("fs.s3a.path.style.access", "true");
        configuration.set("fs.s3a.connection.ssl.enabled", "false");
        return configuration;
    }

    private String setting(String key) {
        return settings.getOrDefault(key, "");
    }

    private int number(String key) {
        return Integer.parseInt(setting(key));
    }

    private void run() throws Exception {
        Path directory = setting("dir").isEmpty()
                ? Files.createTempDirectory("create-latency")
                : Files.createTempDirectory(Files.createDirectories(Path.of(setting("dir"))), "create-latency");
        try (ChildProcess server = ChildProcess.start(
                        CreateLatency.class,
                        List.of("server", directory.resolve("s3").toString(), setting("store-latency")));
                ChildProcess master = ChildProcess.start(
                        CreateLatency.class,
                        List.of("master", directory.resolve("master").toString(), server.ready()));
                ChildProcess worker = ChildProcess.start(
                        CreateLatency.class,
                        List.of(
                                "worker",
                                master.ready(),
                                directory.resolve("worker").toString(),
                                server.ready()))) {
            List<ChildProcess> children = List.of(server, master, worker);
            Map<String, URI> systems = new LinkedHashMap<>();
            systems.put("packing", URI.create("packing://" + master.ready() + "/"));
            systems.put("s3a", URI.create("s3a://" + BUCKET + "/"));
            systems.keySet().retainAll(List.of(setting("systems").split(",", -1)));
            systems.putAll(peers);
            Configuration configuration = configuration(server.ready());
            System.err.printf("worker at %s, S3 server at %s%n", worker.ready(), server.ready());
            for (int turn = 0; turn < number("turns"); turn++) {
                for (String threads : setting("threads").split(",", -1)) {
                    for (Map.Entry<String, URI> system : systems.entrySet()) {
                        try (FileSystem files = FileSystem.newInstance(system.getValue(), configuration)) {
                            Map<String, Double> figures =
                                    turn(files, system.getValue(), turn, Integer.parseInt(threads), children);
                            System.out.printf(
                                    "{\"system\": \"%s\", \"turn\": %d, \"figures\": %s}%n",
                                    system.getKey(), turn, Measure.json(figures));
                        }
                    }
                }
            }
        } finally {
            delete(directory);
        }
    }

    /** Plays one turn of a file system: every thread makes files until the turn ends. */
    private Map<String, Double> turn(FileSystem files, URI root, int turn, int threads, List<ChildProcess> children)
            throws Exception {
        byte[] content = new byte[number("size")];
        new SplittableRandom(1).nextBytes(content);
        long end = System.nanoTime() + Duration.ofSeconds(number("seconds")).toNanos();
        double cpu = cpuSeconds(children);
        long start = System.nanoTime();
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        List<Future<List<Times>>> writers = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            org.apache.hadoop.fs.Path folder = new org.apache.hadoop.fs.Path(root.resolve(
                    "%s/latency-%d/%d-%d".formatted(root.getPath().replaceAll("/+$", ""), turn, threads, thread)));
            writers.add(executor.submit(() -> write(files, folder, content, end)));
        }
        List<Times> times = new ArrayList<>();
        for (Future<List<Times>> writer : writers) {
            times.addAll(writer.get());
        }
        double seconds = Measure.seconds(start);
        cpu = cpuSeconds(children) - cpu;
        executor.shutdown();
        long[] all = times.stream().mapToLong(Times::all).toArray();
        long[] create = times.stream().mapToLong(Times::create).toArray();
        long[] close = times.stream().mapToLong(Times::close).toArray();
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("threads", (double) threads);
        figures.put("files", (double) all.length);
        figures.put("files_per_second", all.length / seconds);
        figures.put("p50_ms", Measure.millis(all, 50));
        figures.put("p99_ms", Measure.millis(all, 99));
        figures.put("create_p50_ms", Measure.millis(create, 50));
        figures.put("close_p50_ms", Measure.millis(close, 50));
        figures.put("cpu_ms", 1_000 * cpu / all.length);
        return figures;
    }

    /** Returns the processor time of this process and the children. */
    private static double cpuSeconds(List<ChildProcess> children) throws IOException {
        double seconds = ChildProcess.cpuSeconds(ProcessHandle.current().pid());
        for (ChildProcess child : children) {
            seconds += child.cpuSeconds();
        }
        return seconds;
    }

    /** The nanoseconds of one file until its output is open, and from then on until it is closed. */
    private record Times(long create, long close) {
        long all() {
            return create + close;
        }
    }

    private static List<Times> write(FileSystem files, org.apache.hadoop.fs.Path folder, byte[] content, long end)
            throws IOException {
        List<Times> times = new ArrayList<>();
        while (System.nanoTime() < end) {
            long start = System.nanoTime();
            long created;
            org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(folder, "file-%06d".formatted(times.size()));
            try (FSDataOutputStream out = files.create(path, false)) {
                created = System.nanoTime();
                out.write(content);
            }
            times.add(new Times(created - start, System.nanoTime() - created));
        }
        return times;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> walk = Files.walk(directory)) {
            for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
