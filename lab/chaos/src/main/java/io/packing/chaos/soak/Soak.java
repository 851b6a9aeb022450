// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.soak;

import io.packing.bdt.client.GrpcBdts;
import io.packing.chaos.cluster.RoundCluster;
import io.packing.chaos.cluster.RoundProcessOptions;
import io.packing.chaos.cluster.SharedProcesses;
import io.packing.chaos.cluster.StoreKind;
import io.packing.process.JavaProcess;
import io.packing.rig.S3Process;
import io.packing.store.ObjectStores;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A master, two workers, an S3 server and clients with a mixed load, whose memory, descriptors, disk and requests are sampled. */
final class Soak {
    private static final int CLIENTS = 4;
    private static final String ROUND = "soak";
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final double THOUSAND = 1_000;
    /** Backups, journals and collections come often, so that a short soak has many of each. */
    private static final Map<String, String> MOUNT = Map.of(
            "packing.seal.after", "2s",
            "packing.backup.interval", "10s",
            "packing.backup.min.changes", "100",
            "packing.journal.interval", "2s",
            "packing.gc.interval", "5s",
            "packing.gc.grace", "5s",
            "packing.read.cache.bytes", "8MB");

    /** A planted leak, which the soak has to find. */
    enum Leak {
        /** A client keeps each of its connections to the master. */
        DESCRIPTORS,
        /** A client deletes none of its files. */
        DISK
    }

    /**
     * The terms of a soak.
     *
     * @param time of the load
     * @param every time between two samples
     * @param pause of a client between two operations
     * @param leak that is planted
     */
    record Terms(Duration time, Duration every, Duration pause, long seed, Optional<Leak> leak) {}

    /** The result of a soak. */
    record Result(long operations, List<Trend.Verdict> verdicts, List<String> failures) {
        boolean isFlat() {
            return failures.isEmpty() && verdicts.stream().allMatch(Trend.Verdict::flat);
        }
    }

    private final Terms terms;
    private final Consumer<String> out;
    private final Map<String, Trend> trends = new TreeMap<>();
    private final List<SoakLoad> loads = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    private Soak(Terms terms, Consumer<String> out) {
        this.terms = terms;
        this.out = out;
    }

    /** Soaks below a directory. */
    static Result run(Path home, Terms terms, Consumer<String> out) throws IOException, InterruptedException {
        return new Soak(terms, out).run(home);
    }

    private Result run(Path home) throws IOException, InterruptedException {
        try (SharedProcesses shared = SharedProcesses.start(home, 0, StoreKind.S3);
                RoundCluster cluster = shared.round(ROUND, new RoundProcessOptions(2, "leveldb", MOUNT))) {
            Map<String, String> options = new LinkedHashMap<>(cluster.mountOptions());
            MountOptions parsed = MountOptions.from(options);
            try (GrpcBdts bdts = GrpcBdts.connect(cluster.masterAddress(), TIMEOUT);
                    RemotePackingFileSystem mount = RemotePackingFileSystem.open(
                            bdts, parsed, ObjectStores.open(parsed.store()), Writers.preferHost("127.0.0.1"))) {
                load(home, cluster, shared, mount);
            }
        }
        long operations = loads.stream().mapToLong(SoakLoad::operations).sum();
        return new Result(
                operations, trends.values().stream().map(Trend::verdict).toList(), failures);
    }

    private void load(Path home, RoundCluster cluster, SharedProcesses shared, RemotePackingFileSystem mount)
            throws IOException, InterruptedException {
        Random random = new Random(terms.seed());
        List<Thread> threads = new ArrayList<>();
        CountDownLatch failed = new CountDownLatch(1);
        boolean keeps = terms.leak().equals(Optional.of(Leak.DISK));
        for (int i = 0; i < CLIENTS; i++) {
            SoakLoad load = new SoakLoad(
                    i,
                    mount,
                    new Random(random.nextLong()),
                    keeps && i == 0,
                    terms.pause().toNanos(),
                    failed);
            loads.add(load);
            Thread thread = new Thread(load, "soak-" + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        List<Socket> kept = new ArrayList<>();
        try {
            long end = System.nanoTime() + terms.time().toNanos();
            long operations = 0;
            long requests = S3Process.metrics(shared.store().endpoint()).total().put();
            while (System.nanoTime() < end && failures.isEmpty()) {
                if (failed.await(
                        Math.min(terms.every().toNanos(), Math.max(1, end - System.nanoTime())),
                        TimeUnit.NANOSECONDS)) {
                    break;
                }
                if (terms.leak().equals(Optional.of(Leak.DESCRIPTORS))) {
                    for (int i = 0; i < CLIENTS; i++) {
                        kept.add(connection(cluster.masterAddress()));
                    }
                }
                long done = loads.stream().mapToLong(SoakLoad::operations).sum();
                long asked =
                        S3Process.metrics(shared.store().endpoint()).total().put();
                sample(home, cluster, done - operations, asked - requests);
                operations = done;
                requests = asked;
            }
        } finally {
            loads.forEach(SoakLoad::end);
            for (Thread thread : threads) {
                thread.join();
            }
            for (Socket socket : kept) {
                socket.close();
            }
        }
        loads.forEach(each -> each.failure().ifPresent(why -> failures.add(why.toString())));
    }

    private static Socket connection(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        return new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    }

    private void sample(Path home, RoundCluster cluster, long operations, long requests)
            throws IOException, InterruptedException {
        for (Map.Entry<String, JavaProcess> each : new TreeMap<>(cluster.processes()).entrySet()) {
            String name = each.getKey();
            if (!each.getValue().isAlive()) {
                failures.add(each.getValue().failure("ended by itself").getMessage());
                return;
            }
            DaemonVitals vitals = DaemonVitals.of(each.getValue().pid());
            trend(name + " heap, MB", 4, 0.15).add(vitals.heapMegabytes());
            trend(name + " other memory, MB", 24, 0.15).add(vitals.nativeMegabytes());
            trend(name + " descriptors", 6, 0.02).add((double) vitals.descriptors());
            trend(name + " threads", 6, 0.05).add((double) vitals.threads());
            trend(name + " disk, MB", 64, 0.25).add(DaemonVitals.megabytes(cluster.directoryOf(name)));
        }
        trend("store, MB", 32, 0.25).add(DaemonVitals.megabytes(home.resolve("s3")));
        if (operations > 0) {
            trend("writes to the store per 1,000 operations", 5, 0.3).add(THOUSAND * requests / operations);
        }
        loads.forEach(each -> each.failure().ifPresent(why -> failures.add(why.toString())));
        out.accept("%,d operations, %d writes to the store".formatted(operations, requests));
    }

    private Trend trend(String name, double floor, double share) {
        return trends.computeIfAbsent(name, of -> new Trend(of, floor, share));
    }
}
