package io.packing.bench;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.client.GrpcBlobDirectories;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterConfig;
import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerConfig;
import io.packing.store.ObjectStores;
import io.packing.worker.MountOptions;
import io.packing.worker.PackingFileSystem;
import io.packing.worker.PackingWorker;
import io.packing.worker.WorkerConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * How long one small file takes through Hadoop's {@link FileSystem}: create, write, close, by 1, 8 and 32 threads that wait for
 * each file, into packing, into S3A on the same S3 server, and into any other file system that is named. The S3 server answers
 * a PUT after a latency, as a real one does; master, worker and server are processes of their own. The file systems take turns, and
 * one line of JSON is printed for each turn; the first turn of each is cold.
 */
public final class CreateLatency {
    private static final String BUCKET = "latency";

    private final Map<String, String> settings = new LinkedHashMap<>(Map.of(
            "threads", "1,8,32", "seconds", "5", "turns", "3", "size", "8192", "store-latency", "30", "dir", ""));
    private final Map<String, URI> peers = new LinkedHashMap<>();

    private CreateLatency() {}

    public static void main(String[] args) throws Exception {
        switch (args.length == 0 ? "" : args[0]) {
            case "server" -> server(Path.of(args[1]), Duration.ofMillis(Long.parseLong(args[2])));
            case "master" -> master(Path.of(args[1]));
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
        S3ServerConfig config =
                S3ServerConfig.of(Files.createDirectories(directory), BUCKET).withPutLatency(latency);
        try (S3Server server = S3Server.start(config)) {
            ChildProcess.serve(server.endpoint().toString());
        }
    }

    private static void master(Path data) throws IOException {
        try (BdtMaster master = BdtMaster.start(
                        BdtMasterConfig.from(Map.of("bdt.data.dir", data.toString(), "bdt.port", "0")))
                .serve()) {
            ChildProcess.serve("127.0.0.1:" + master.port());
        }
    }

    private static void worker(String master, Path home, String endpoint) throws IOException {
        try (GrpcBlobDirectories directories = GrpcBlobDirectories.connect(master, Duration.ofSeconds(30));
                PackingWorker worker = PackingWorker.start(
                        new WorkerConfig("bench", home, "127.0.0.1", 0),
                        directories,
                        ObjectStores::open,
                        Clock.systemUTC(),
                        new SimpleMeterRegistry());
                PackingFileSystem mount = worker.open(MountOptions.from(packing(endpoint)))) {
            ChildProcess.serve(mount.directory().workers().get(0).address());
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
                        List.of("master", directory.resolve("master").toString()));
                ChildProcess worker = ChildProcess.start(
                        CreateLatency.class,
                        List.of(
                                "worker",
                                master.ready(),
                                directory.resolve("worker").toString(),
                                server.ready()))) {
            Map<String, URI> systems = new LinkedHashMap<>();
            systems.put("packing", URI.create("packing://" + master.ready() + "/"));
            systems.put("s3a", URI.create("s3a://" + BUCKET + "/"));
            systems.putAll(peers);
            Configuration configuration = configuration(server.ready());
            System.err.printf("worker at %s, S3 server at %s%n", worker.ready(), server.ready());
            for (int turn = 0; turn < number("turns"); turn++) {
                for (String threads : setting("threads").split(",", -1)) {
                    for (Map.Entry<String, URI> system : systems.entrySet()) {
                        try (FileSystem files = FileSystem.newInstance(system.getValue(), configuration)) {
                            System.out.printf(
                                    "{\"system\": \"%s\", \"turn\": %d, \"figures\": %s}%n",
                                    system.getKey(),
                                    turn,
                                    turn(files, system.getValue(), turn, Integer.parseInt(threads)));
                        }
                    }
                }
            }
        } finally {
            delete(directory);
        }
    }

    /** One turn of a file system: every thread makes files for as long as a turn lasts. */
    private String turn(FileSystem files, URI root, int turn, int threads) throws Exception {
        byte[] content = new byte[number("size")];
        new SplittableRandom(1).nextBytes(content);
        long end = System.nanoTime() + Duration.ofSeconds(number("seconds")).toNanos();
        long start = System.nanoTime();
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        List<Future<List<Long>>> writers = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            var folder = new org.apache.hadoop.fs.Path(root.resolve(
                    "%s/latency-%d/%d-%d".formatted(root.getPath().replaceAll("/+$", ""), turn, threads, thread)));
            writers.add(executor.submit(() -> write(files, folder, content, end)));
        }
        List<Long> nanos = new ArrayList<>();
        for (Future<List<Long>> writer : writers) {
            nanos.addAll(writer.get());
        }
        double seconds = Measure.seconds(start);
        executor.shutdown();
        long[] all = nanos.stream().mapToLong(Long::longValue).toArray();
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("threads", (double) threads);
        figures.put("files", (double) all.length);
        figures.put("files_per_second", all.length / seconds);
        figures.put("p50_ms", Measure.millis(all, 50));
        figures.put("p99_ms", Measure.millis(all, 99));
        return Measure.json(figures);
    }

    private static List<Long> write(FileSystem files, org.apache.hadoop.fs.Path folder, byte[] content, long end)
            throws IOException {
        List<Long> nanos = new ArrayList<>();
        while (System.nanoTime() < end) {
            long start = System.nanoTime();
            var path = new org.apache.hadoop.fs.Path(folder, "file-%06d".formatted(nanos.size()));
            try (var out = files.create(path, false)) {
                out.write(content);
            }
            nanos.add(System.nanoTime() - start);
        }
        return nanos;
    }

    private static void delete(Path directory) throws IOException {
        try (var walk = Files.walk(directory)) {
            for (Path path : walk.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
