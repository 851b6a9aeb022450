// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.packing.bdt.client.GrpcBdts;
import io.packing.certificates.IssuedCertificate;
import io.packing.certificates.TestAuthority;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A benchmark of identity: the ingest of small files over plain connections and over TLS. With TLS the client has a
 * certificate or a token. Each case has a master and a worker of its own, and all run together. They take turns in the
 * order P T K K T P, so that a drift of the machine hits all alike. A turn lasts until every file is acknowledged as
 * synced; the worker pushes its buffer before the next turn. The first round warms up and is not counted. Each round
 * prints one line of JSON, and the last line has the medians. {@code tls_to_plain} and {@code token_to_tls} are ratios
 * of rates. {@code cpu_…} are ratios of the processor time of client, worker and master together, which other processes
 * of the machine disturb less.
 */
public final class SecuredIngest {
    private static final List<String> TURNS = List.of("plain", "tls", "token", "token", "tls", "plain");

    private final Map<String, String> settings =
            new LinkedHashMap<>(Map.of("files", "32768", "size", "8192", "threads", "2", "rounds", "6", "dir", ""));

    private SecuredIngest() {}

    public static void main(String[] args) throws Exception {
        SecuredIngest bench = new SecuredIngest();
        for (int i = 0; i + 1 < args.length; i += 2) {
            String key = args[i].startsWith("--") ? args[i].substring(2) : "";
            if (bench.settings.put(key, args[i + 1]) == null) {
                throw new IllegalArgumentException("unknown argument '%s', want --%s"
                        .formatted(args[i], String.join(", --", bench.settings.keySet())));
            }
        }
        bench.run();
    }

    private int setting(String key) {
        return Integer.parseInt(settings.getOrDefault(key, ""));
    }

    /** A cluster with two of its clients. */
    private static final class Cluster implements AutoCloseable {
        private final IngestCluster servers;
        private final RemotePackingFileSystem measured;
        /** The client with the right to make the worker push. */
        private final RemotePackingFileSystem root;

        Cluster(Path home, Keys keys, boolean secured, boolean byToken) throws IOException {
            servers = new IngestCluster(
                    home,
                    secured ? keys.options("bdt", keys.daemon) : List.of(),
                    secured ? keys.options("packing", keys.daemon) : List.of());
            List<String> ofRoot = secured ? keys.options("packing", keys.root) : List.of();
            root = servers.client(ofRoot);
            if (byToken) {
                Path token = home.resolve("token");
                try (GrpcBdts bdts = servers.connect(ofRoot)) {
                    Files.writeString(token, bdts.tokens().issue("alice", "").text());
                }
                measured = servers.client(
                        List.of("packing.tls.trust=" + keys.authority.certificate(), "packing.tls.token=" + token));
            } else {
                measured = servers.client(secured ? keys.options("packing", keys.alice) : List.of());
            }
        }

        @Override
        public void close() throws Exception {
            servers.close();
        }
    }

    /** The certificates of one run. */
    private static final class Keys {
        private final TestAuthority authority;
        private final IssuedCertificate daemon;
        private final IssuedCertificate root;
        private final IssuedCertificate alice;

        Keys(Path home, Instant now) throws IOException {
            authority = TestAuthority.create(home, "authority", now);
            daemon = authority.issue("daemon", "CN=bench, O=packing-daemon");
            root = authority.issue("root", "CN=root, O=packing-superuser");
            alice = authority.issue("alice", "CN=alice");
        }

        List<String> options(String prefix, IssuedCertificate own) {
            return List.of(
                    prefix + ".tls.trust=" + authority.certificate(),
                    prefix + ".tls.certificate=" + own.certificate(),
                    prefix + ".tls.key=" + own.key());
        }
    }

    private void run() throws Exception {
        String parent = settings.getOrDefault("dir", "");
        Path home = parent.isEmpty()
                ? Files.createTempDirectory("secured-ingest")
                : Files.createTempDirectory(Files.createDirectories(Path.of(parent)), "secured-ingest");
        Keys keys = new Keys(home.resolve("keys"), Clock.systemUTC().instant());
        try (Cluster plain = new Cluster(home.resolve("plain"), keys, false, false);
                Cluster tls = new Cluster(home.resolve("tls"), keys, true, false);
                Cluster token = new Cluster(home.resolve("token"), keys, true, true)) {
            Map<String, Cluster> clusters = Map.of("plain", plain, "tls", tls, "token", token);
            List<Map<String, Double>> counted = new ArrayList<>();
            for (int round = 0; round <= setting("rounds"); round++) {
                Map<String, Double> figures = round(round, clusters);
                System.out.println(Measure.json(figures));
                if (round > 0) {
                    counted.add(figures);
                }
            }
            System.out.println(Measure.json(IngestTurns.medians(
                    counted, List.of("tls_to_plain", "token_to_tls", "cpu_tls_to_plain", "cpu_token_to_tls"))));
        } finally {
            IngestTurns.delete(home);
        }
    }

    private Map<String, Double> round(int round, Map<String, Cluster> clusters) throws Exception {
        IngestTurns turns = new IngestTurns(setting("files"), setting("size"), setting("threads"));
        Map<String, Double> seconds = new LinkedHashMap<>();
        Map<String, Double> cpu = new LinkedHashMap<>();
        for (String turn : TURNS) {
            Cluster cluster = clusters.get(turn);
            if (cluster == null) {
                throw new IllegalStateException(turn);
            }
            double before = cluster.servers.cpuSeconds();
            seconds.merge(turn, turns.turn(cluster.measured, cluster.servers.nextTurn()), Double::sum);
            cpu.merge(turn, cluster.servers.cpuSeconds() - before, Double::sum);
            cluster.root.flush();
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("round", (double) round);
        seconds.forEach((name, taken) -> figures.put(name + "_files_per_second", 2.0 * setting("files") / taken));
        cpu.forEach((name, taken) -> figures.put(name + "_cpu_seconds", taken));
        figures.put("tls_to_plain", IngestTurns.ratio(seconds, "plain", "tls"));
        figures.put("token_to_tls", IngestTurns.ratio(seconds, "tls", "token"));
        figures.put("cpu_tls_to_plain", IngestTurns.ratio(cpu, "tls", "plain"));
        figures.put("cpu_token_to_tls", IngestTurns.ratio(cpu, "token", "tls"));
        return figures;
    }
}
