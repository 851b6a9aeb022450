package io.packing.bench;

import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What encryption at rest costs: the ingest of small files into a mount that is not encrypted and into one that is. Each has a master and
 * a worker of its own, both up at the same time; they take turns in the order P E E P, so that a drift of the machine hits both alike. A
 * turn has two times: until every file is acknowledged as synced, and until all are in the store, which is where files are encrypted.
 * The first round warms up and is not counted. One line of JSON per round, and one with the medians: {@code acknowledged_…} and
 * {@code stored_encrypted_to_plain} are ratios of rates, {@code cpu_encrypted_to_plain} is that of the processor time of client, worker and
 * master together, which what else runs on the machine disturbs less.
 */
public final class EncryptedIngest {
    private static final List<String> TURNS = List.of("plain", "encrypted", "encrypted", "plain");
    private static final List<String> FIGURES =
            List.of("acknowledged_encrypted_to_plain", "stored_encrypted_to_plain", "cpu_encrypted_to_plain");

    private final Map<String, String> settings =
            new LinkedHashMap<>(Map.of("files", "65536", "size", "8192", "threads", "2", "rounds", "6", "dir", ""));
    private final List<String> options = new ArrayList<>();

    private EncryptedIngest() {}

    public static void main(String[] args) throws Exception {
        EncryptedIngest bench = new EncryptedIngest();
        for (int i = 0; i < args.length; i++) {
            if (args[i].startsWith("packing.")) {
                bench.options.add(args[i]);
                continue;
            }
            String key = args[i].startsWith("--") ? args[i].substring(2) : "";
            if (i + 1 == args.length || bench.settings.put(key, args[++i]) == null) {
                throw new IllegalArgumentException("unknown argument '%s', want --%s or packing.KEY=VALUE"
                        .formatted(args[i], String.join(", --", bench.settings.keySet())));
            }
        }
        bench.run();
    }

    private int setting(String key) {
        return Integer.parseInt(settings.getOrDefault(key, ""));
    }

    /** A cluster, and a client of its. */
    private static final class Cluster implements AutoCloseable {
        private final IngestCluster servers;
        private final RemotePackingFileSystem client;

        /** @param keys options about them; without any the mount is not encrypted */
        Cluster(Path home, List<String> options, List<String> keys) throws IOException {
            List<String> mount = Stream.concat(options.stream(), keys.stream()).toList();
            List<String> ofMaster = keys.stream()
                    .filter(option -> !option.startsWith("packing.encryption.key="))
                    .map(option -> option.replaceFirst("^packing\\.", "bdt."))
                    .toList();
            servers = new IngestCluster(home, ofMaster, mount);
            client = servers.client(mount);
        }

        @Override
        public void close() throws Exception {
            servers.close();
        }
    }

    private void run() throws Exception {
        String parent = settings.getOrDefault("dir", "");
        Path home = parent.isEmpty()
                ? Files.createTempDirectory("encrypted-ingest")
                : Files.createTempDirectory(Files.createDirectories(Path.of(parent)), "encrypted-ingest");
        Path file = Files.writeString(home.resolve("keys"), "bench@0 " + "5c".repeat(32) + "\n");
        List<String> keys = List.of("packing.encryption.key=bench", "packing.encryption.keystore=" + file.toUri());
        try (Cluster plain = new Cluster(home.resolve("plain"), options, List.of());
                Cluster encrypted = new Cluster(home.resolve("encrypted"), options, keys)) {
            Map<String, Cluster> clusters = Map.of("plain", plain, "encrypted", encrypted);
            List<Map<String, Double>> counted = new ArrayList<>();
            for (int round = 0; round <= setting("rounds"); round++) {
                Map<String, Double> figures = round(round, clusters);
                System.out.println(Measure.json(figures));
                if (round > 0) {
                    counted.add(figures);
                }
            }
            System.out.println(Measure.json(IngestTurns.medians(counted, FIGURES)));
        } finally {
            IngestTurns.delete(home);
        }
    }

    private Map<String, Double> round(int round, Map<String, Cluster> clusters) throws Exception {
        IngestTurns turns = new IngestTurns(setting("files"), setting("size"), setting("threads"));
        Map<String, Double> acknowledged = new LinkedHashMap<>();
        Map<String, Double> stored = new LinkedHashMap<>();
        Map<String, Double> cpu = new LinkedHashMap<>();
        for (String turn : TURNS) {
            Cluster cluster = clusters.get(turn);
            if (cluster == null) {
                throw new IllegalStateException(turn);
            }
            double before = cluster.servers.cpuSeconds();
            long start = System.nanoTime();
            acknowledged.merge(turn, turns.turn(cluster.client, cluster.servers.nextTurn()), Double::sum);
            cluster.client.flush();
            stored.merge(turn, Measure.seconds(start), Double::sum);
            cpu.merge(turn, cluster.servers.cpuSeconds() - before, Double::sum);
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("round", (double) round);
        acknowledged.forEach(
                (name, taken) -> figures.put(name + "_acknowledged_per_second", 2.0 * setting("files") / taken));
        stored.forEach((name, taken) -> figures.put(name + "_stored_per_second", 2.0 * setting("files") / taken));
        cpu.forEach((name, taken) -> figures.put(name + "_cpu_seconds", taken));
        figures.put(FIGURES.get(0), IngestTurns.ratio(acknowledged, "plain", "encrypted"));
        figures.put(FIGURES.get(1), IngestTurns.ratio(stored, "plain", "encrypted"));
        figures.put(FIGURES.get(2), IngestTurns.ratio(cpu, "encrypted", "plain"));
        return figures;
    }
}
