// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.certificates.IssuedCertificate;
import io.packing.certificates.TestAuthority;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A benchmark of reads through workers. A client reads packed files from the store, and another one through a worker.
 * They take turns in the order S W W S, so that a drift of the machine hits both alike; the first round warms up.
 * Master and worker are processes of their own, with TLS. The store is a directory in the page cache: it costs nothing,
 * so that the way through a worker shows most. Large means 256 MiB in one file, 1 MiB a read. Small means files of 8
 * KiB, opened and read by several threads. Each turn has a new client with a cold cache. Each round prints one line of
 * JSON, and the last line has the medians. {@code …_ratio} is the rate through a worker divided by that from the store.
 * {@code …_cpu_ratio} divides the processor times of all processes likewise.
 *
 * <p>Usage: {@code read-through [small files] [threads] [rounds]}.
 */
public final class ReadThrough {
    private static final int LARGE_BYTES = 256 << 20;
    private static final int SMALL_BYTES = 8 << 10;
    private static final int PIECE = 1 << 20;
    private static final FilePath LARGE = new FilePath("/large");
    private static final List<String> TURNS = List.of("store", "workers", "workers", "store");

    private final int files;
    private final int threads;
    private final IngestCluster servers;
    private final List<String> identity;

    private ReadThrough(int files, int threads, IngestCluster servers, List<String> identity) {
        this.files = files;
        this.threads = threads;
        this.servers = servers;
        this.identity = identity;
    }

    public static void main(String[] args) throws Exception {
        int files = args.length > 0 ? Integer.parseInt(args[0]) : 20_000;
        int threads = args.length > 1 ? Integer.parseInt(args[1]) : 8;
        int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 6;
        Path home = Files.createTempDirectory("read-through");
        TestAuthority authority = TestAuthority.create(
                home.resolve("keys"), "authority", Clock.systemUTC().instant());
        IssuedCertificate daemon = authority.issue("daemon", "CN=bench, O=packing-daemon");
        IssuedCertificate root = authority.issue("root", "CN=root, O=packing-superuser");
        IssuedCertificate alice = authority.issue("alice", "CN=alice");
        try (IngestCluster servers =
                new IngestCluster(home, options(authority, "bdt", daemon), options(authority, "packing", daemon))) {
            ReadThrough bench = new ReadThrough(files, threads, servers, options(authority, "packing", alice));
            bench.write();
            try (RemotePackingFileSystem flushing = servers.client(options(authority, "packing", root))) {
                flushing.flush();
            }
            bench.run(rounds);
        }
        System.exit(0);
    }

    private static List<String> options(TestAuthority authority, String prefix, IssuedCertificate own) {
        return List.of(
                prefix + ".tls.trust=" + authority.certificate(),
                prefix + ".tls.certificate=" + own.certificate(),
                prefix + ".tls.key=" + own.key());
    }

    private static FilePath small(int number) {
        return new FilePath("/d%d/f%d".formatted(number / 1_000, number));
    }

    private void write() throws Exception {
        CreateOptions options = new CreateOptions("", "", 0644, true, false);
        Random random = new Random(1);
        try (RemotePackingFileSystem mount = servers.client(identity)) {
            byte[] piece = new byte[PIECE];
            try (PackingOutput out = mount.create(LARGE, options)) {
                for (int i = 0; i < LARGE_BYTES / PIECE; i++) {
                    random.nextBytes(piece);
                    out.write(piece);
                }
            }
            byte[] bytes = new byte[SMALL_BYTES];
            random.nextBytes(bytes);
            for (int i = 0; i < files; i++) {
                mount.put(small(i), ByteBuffer.wrap(bytes), options).get();
            }
        }
    }

    /** The times of a turn. */
    private record Turn(double seconds, double cpuSeconds) {}

    private Turn timed(Callable<?> work) throws Exception {
        double cpu = servers.cpuSeconds();
        long start = System.nanoTime();
        Object unused = work.call();
        double seconds = Measure.seconds(start);
        return new Turn(seconds, servers.cpuSeconds() - cpu);
    }

    private RemotePackingFileSystem client(GrpcBdts master, String through) throws IOException {
        List<String> options = new ArrayList<>(identity);
        options.add("packing.read.through=" + through);
        return servers.client(master, options);
    }

    private static long large(RemotePackingFileSystem mount) throws IOException {
        ByteBuffer piece = ByteBuffer.allocate(PIECE);
        long at = 0;
        try (PackingInput in = mount.open(LARGE)) {
            for (int n = 0; n >= 0; n = in.read(at, piece.clear())) {
                at += n;
            }
        }
        if (at != LARGE_BYTES) {
            throw new IOException("%d bytes were read of %d".formatted(at, LARGE_BYTES));
        }
        return at;
    }

    private long small(RemotePackingFileSystem mount) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        List<Future<Long>> parts = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int first = thread;
            parts.add(executor.submit(() -> {
                long bytes = 0;
                ByteBuffer into = ByteBuffer.allocate(SMALL_BYTES);
                for (int i = first; i < files; i += threads) {
                    try (PackingInput in = mount.open(small(i))) {
                        bytes += in.read(0, into.clear());
                    }
                }
                return bytes;
            }));
        }
        long all = 0;
        for (Future<Long> part : parts) {
            all += part.get();
        }
        executor.shutdown();
        if (all != (long) files * SMALL_BYTES) {
            throw new IOException("%d bytes were read of %d files".formatted(all, files));
        }
        return all;
    }

    private void run(int rounds) throws Exception {
        try (GrpcBdts master = servers.connect(identity)) {
            run(master, rounds);
        }
    }

    private void run(GrpcBdts master, int rounds) throws Exception {
        List<Map<String, Double>> counted = new ArrayList<>();
        for (int round = 0; round <= rounds; round++) {
            Map<String, Double> figures = new LinkedHashMap<>();
            Map<String, Turn> large = new LinkedHashMap<>();
            Map<String, Turn> small = new LinkedHashMap<>();
            for (String through : TURNS) {
                try (RemotePackingFileSystem mount = client(master, through)) {
                    large.merge(through, timed(() -> large(mount)), ReadThrough::sum);
                }
                try (RemotePackingFileSystem mount = client(master, through)) {
                    small.merge(through, timed(() -> small(mount)), ReadThrough::sum);
                }
            }
            tell(figures, "large", "mib", large, 2.0 * LARGE_BYTES / (1 << 20));
            tell(figures, "small", "files", small, 2.0 * files);
            if (round > 0) {
                counted.add(figures);
                System.out.println(Measure.json(figures));
            }
        }
        Map<String, Double> medians = new LinkedHashMap<>();
        counted.get(0).keySet().forEach(key -> {
            double[] all = counted.stream()
                    .mapToDouble(each -> each.getOrDefault(key, 0.0))
                    .sorted()
                    .toArray();
            medians.put(
                    key,
                    Arrays.stream(all)
                            .skip((all.length - 1) / 2)
                            .limit(2 - all.length % 2)
                            .average()
                            .orElse(0));
        });
        System.out.println(Measure.json(medians));
    }

    private static Turn sum(Turn one, Turn other) {
        return new Turn(one.seconds() + other.seconds(), one.cpuSeconds() + other.cpuSeconds());
    }

    private static void tell(
            Map<String, Double> figures, String what, String unit, Map<String, Turn> turns, double amount) {
        Turn store = turns.getOrDefault("store", new Turn(0, 0));
        Turn workers = turns.getOrDefault("workers", new Turn(0, 0));
        figures.put("%s_store_%s_per_s".formatted(what, unit), amount / store.seconds());
        figures.put("%s_workers_%s_per_s".formatted(what, unit), amount / workers.seconds());
        figures.put(what + "_ratio", store.seconds() / workers.seconds());
        figures.put(what + "_cpu_ratio", workers.cpuSeconds() / store.cpuSeconds());
    }
}
