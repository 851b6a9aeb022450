// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.packing.blob.FilePath;
import io.packing.worker.api.AtomicOutput;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A benchmark of writes at random places of one large file. Threads of this process call {@code writeAt}, as every
 * client can, and wait for each close; a master and a worker are processes of their own with a directory as the store.
 * Each write is synced by the worker, claimed, and put into the file by a vector. The figures are those of each tenth
 * of the writes, in the order in which they ended: writes a second, and the bytes that one write adds to the master's
 * log and journal. At the end some of the written ranges are read and compared.
 */
public final class RandomWrites {
    private static final FilePath FILE = new FilePath("/random/file");
    private static final CreateOptions NEW = new CreateOptions("bench", "bench", 0644, true, true);
    private static final int PIECE = 1 << 20;
    private static final int DECILES = 10;
    private static final int COMPARED = 1_000;
    /** The number of times that the master is asked for its counts. */
    private static final int SAMPLES = 1_000;

    private final Map<String, String> settings = new LinkedHashMap<>(Map.of(
            "writes",
            "100000",
            "file-bytes",
            Long.toString(1L << 30),
            "write-bytes",
            "4096",
            "threads",
            "32",
            "seconds",
            "3600",
            "dir",
            ""));
    private final List<String> options = new ArrayList<>(List.of("packing.backup.interval=10h"));
    private boolean isJson;

    private RandomWrites() {}

    public static void main(String[] args) throws Exception {
        System.out.println(Measure.json(measure(args)));
    }

    /** Returns the figures of a run with these words. */
    static Map<String, Double> measure(String... args) throws Exception {
        RandomWrites bench = new RandomWrites();
        bench.parse(args);
        return bench.run();
    }

    private void parse(String[] args) {
        for (int i = 0; i < args.length; i++) {
            String key = args[i].startsWith("--") ? args[i].substring(2) : "";
            if (key.equals("json")) {
                isJson = true;
            } else if (settings.containsKey(key) && i + 1 < args.length) {
                settings.put(key, args[++i]);
            } else if (args[i].matches("packing\\.[a-z.]+=.*")) {
                options.add(args[i]);
            } else {
                throw new IllegalArgumentException("unknown argument '%s', want --json, --%s or packing.KEY=VALUE"
                        .formatted(args[i], String.join(", --", settings.keySet())));
            }
        }
    }

    private long setting(String key) {
        return Long.parseLong(settings.getOrDefault(key, ""));
    }

    private Map<String, Double> run() throws Exception {
        String parent = settings.getOrDefault("dir", "");
        Path home = parent.isEmpty()
                ? Files.createTempDirectory("random-writes")
                : Files.createTempDirectory(Files.createDirectories(Path.of(parent)), "random-writes");
        int metrics = IngestCluster.freePort();
        try (IngestCluster cluster = new IngestCluster(home, List.of("bdt.metrics.port=" + metrics), options)) {
            RemotePackingFileSystem mount = cluster.client(options);
            fill(mount);
            mount.flush();
            Writes writes = new Writes(mount, new MasterBytes(metrics));
            writes.run();
            writes.compare();
            return report(writes);
        } finally {
            IngestTurns.delete(home);
        }
    }

    private void fill(RemotePackingFileSystem mount) throws IOException {
        byte[] piece = new byte[PIECE];
        SplittableRandom random = new SplittableRandom(1);
        try (PackingOutput out = mount.create(FILE, NEW)) {
            for (long left = setting("file-bytes"); left > 0; left -= PIECE) {
                random.nextBytes(piece);
                out.write(piece, 0, (int) Math.min(PIECE, left));
            }
        }
    }

    private Map<String, Double> report(Writes writes) {
        List<Decile> deciles = writes.deciles();
        Decile first = deciles.get(0);
        Decile last = deciles.get(DECILES - 1);
        if (!isJson) {
            System.out.printf(Locale.ROOT, "%8s %12s %14s %14s%n", "writes", "writes/s", "log bytes", "journal bytes");
            deciles.forEach(each -> System.out.printf(
                    Locale.ROOT,
                    "%8d %12.1f %14.0f %14.0f%n",
                    each.upTo(),
                    each.perSecond(),
                    each.logBytes(),
                    each.journalBytes()));
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("writes", (double) writes.count());
        figures.put("seconds", writes.seconds());
        figures.put("first_decile_per_s", first.perSecond());
        figures.put("last_decile_per_s", last.perSecond());
        figures.put("last_to_first", last.perSecond() / first.perSecond());
        figures.put("log_bytes_per_write", mean(deciles.stream().map(Decile::logBytes)));
        figures.put("journal_bytes_per_write", mean(deciles.stream().map(Decile::journalBytes)));
        figures.put("last_decile_log_bytes_per_write", last.logBytes());
        figures.put("last_decile_journal_bytes_per_write", last.journalBytes());
        return figures;
    }

    private static double mean(Stream<Double> values) {
        return values.mapToDouble(Double::doubleValue).average().orElse(0);
    }

    /** A tenth of the writes; bytes are those of one write. */
    private record Decile(int upTo, double perSecond, double logBytes, double journalBytes) {}

    /** All writes of a run. */
    private final class Writes {
        private final RemotePackingFileSystem mount;
        private final MasterBytes master;
        private final int planned = Math.toIntExact(setting("writes"));
        private final int bytes = Math.toIntExact(setting("write-bytes"));
        private final long places = setting("file-bytes") / bytes;
        private final AtomicInteger next = new AtomicInteger();
        private final AtomicInteger ended = new AtomicInteger();
        private final AtomicBoolean over = new AtomicBoolean();
        /** The ends of the writes, in their order. */
        private final long[] nanos = new long[planned];
        /** The master's counts now and then, by the number of writes. */
        private final NavigableSet<MasterBytes.Counts> counts =
                new ConcurrentSkipListSet<>(Comparator.comparingDouble(MasterBytes.Counts::writes));

        private long start;

        Writes(RemotePackingFileSystem mount, MasterBytes master) {
            this.mount = mount;
            this.master = master;
        }

        void run() throws Exception {
            int threads = Math.toIntExact(setting("threads"));
            ExecutorService executor = Executors.newFixedThreadPool(threads);
            counts.add(master.counts());
            start = System.nanoTime();
            List<Future<?>> writers = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                writers.add(executor.submit(() -> {
                    try {
                        while (write()) {
                            // Goes on.
                        }
                        return true;
                    } finally {
                        // One that fails ends the others, too.
                        over.set(true);
                    }
                }));
            }
            for (Future<?> writer : writers) {
                Object unused = writer.get();
            }
            executor.shutdown();
            counts.add(master.counts());
        }

        private boolean write() throws IOException {
            boolean isLate = System.nanoTime() - start > setting("seconds") * 1_000_000_000L;
            int number = isLate || over.get() ? planned : next.getAndIncrement();
            if (number >= planned) {
                return false;
            }
            try (AtomicOutput out = mount.writeAt(FILE, place(number) * bytes)) {
                out.write(content(number));
            }
            int end = ended.getAndIncrement();
            nanos[end] = System.nanoTime() - start;
            if (end % Math.max(1, planned / SAMPLES) == 0) {
                counts.add(master.counts());
            }
            return true;
        }

        private long place(int number) {
            return new SplittableRandom(number).nextLong(places);
        }

        private byte[] content(int number) {
            byte[] content = new byte[bytes];
            new SplittableRandom(~number).nextBytes(content);
            return content;
        }

        int count() {
            return ended.get();
        }

        double seconds() {
            return nanos[count() - 1] / 1e9;
        }

        List<Decile> deciles() {
            if (count() < DECILES) {
                throw new IllegalStateException("only %d writes in %d s".formatted(count(), setting("seconds")));
            }
            Arrays.sort(nanos, 0, count());
            List<Decile> deciles = new ArrayList<>();
            for (int i = 0; i < DECILES; i++) {
                int from = (int) ((long) count() * i / DECILES);
                int to = (int) ((long) count() * (i + 1) / DECILES);
                double seconds = (nanos[to - 1] - (from == 0 ? 0 : nanos[from - 1])) / 1e9;
                MasterBytes.Counts before = countsAt(from);
                MasterBytes.Counts after = countsAt(to);
                double count = to - from;
                deciles.add(new Decile(
                        to,
                        count / seconds,
                        (after.log() - before.log()) / count,
                        (after.journal() - before.journal()) / count));
            }
            return deciles;
        }

        /** Returns the counts after so many writes, between the nearest that were asked for. */
        private MasterBytes.Counts countsAt(int writes) {
            MasterBytes.Counts before = counts.first();
            MasterBytes.Counts after = counts.last();
            for (MasterBytes.Counts each : counts) {
                if (each.writes() <= writes) {
                    before = each;
                } else {
                    return before.towards(each, writes);
                }
            }
            return before.towards(after, writes);
        }

        /** Reads ranges again that were written once only. */
        void compare() throws IOException {
            Map<Long, Integer> writers = new LinkedHashMap<>();
            for (int number = 0; number < Math.min(planned, next.get()); number++) {
                writers.merge(place(number), number, (one, other) -> -1);
            }
            int compared = 0;
            try (PackingInput in = mount.open(FILE)) {
                for (Map.Entry<Long, Integer> each : writers.entrySet()) {
                    if (each.getValue() < 0 || ++compared > COMPARED) {
                        continue;
                    }
                    ByteBuffer read = ByteBuffer.allocate(bytes);
                    long at = each.getKey() * bytes;
                    while (read.hasRemaining() && in.read(at + read.position(), read) > 0) {
                        // Reads on.
                    }
                    if (!Arrays.equals(read.array(), content(each.getValue()))) {
                        throw new IOException("the bytes at %d are not those that were written".formatted(at));
                    }
                }
            }
        }
    }
}
