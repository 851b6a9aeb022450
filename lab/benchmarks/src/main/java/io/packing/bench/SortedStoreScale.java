// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.packing.sorted.Cursor;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreOptions;
import io.packing.sorted.SortedStores;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * A benchmark of both engines of the sorted store at size. It inserts {@code entries} of a 60-byte path and a 40-byte
 * value that does not compress, in batches, in path order and in scattered order, and crashes. In a new process it
 * measures the reopening, random hits and misses, scans of 100 entries, resident memory and bytes on disk.
 *
 * <p>Usage: {@code sorted-store [entries]}.
 */
public final class SortedStoreScale {
    private static final int BATCH = 1_000;
    private static final int VALUE_BYTES = 40;
    private static final int GETS = 200_000;
    private static final int WARM_UP = 50_000;
    private static final int SCANS = 5_000;
    private static final int SCANNED = 100;
    private static final int FILES_PER_DIRECTORY = 1_000;
    /** A prime, so that its multiples modulo the number of entries visit each entry once. */
    private static final long STRIDE = 1_000_000_007L;

    private final SortedStoreOptions config;
    private final Path directory;
    private final long entries;

    private SortedStoreScale(String engine, Path directory, long entries) {
        config = new SortedStoreOptions(
                SortedStoreOptions.Engine.valueOf(engine.toUpperCase(Locale.ROOT)), 64 << 20, 16 << 20, 256 << 20);
        this.directory = directory;
        this.entries = entries;
    }

    public static void main(String[] args) throws Exception {
        if (args.length == 5) {
            SortedStoreScale phase = new SortedStoreScale(args[1], Path.of(args[2]), Long.parseLong(args[3]));
            Map<String, Double> figures =
                    args[0].equals("fill") ? phase.fill(args[4].equals("scattered")) : phase.measure();
            System.out.printf(
                    "{\"engine\": \"%s\", \"order\": \"%s\", %s%n",
                    args[1], args[4], Measure.json(figures).substring(1));
            Phase.crash();
        }
        String entries = args.length > 0 ? args[0] : "5000000";
        if (Long.parseLong(entries) < BATCH || Long.parseLong(entries) % STRIDE == 0) {
            throw new IllegalArgumentException("entries: want at least %d".formatted(BATCH));
        }
        for (String engine : List.of("leveldb", "rocksdb")) {
            for (String order : List.of("ascending", "scattered")) {
                Path directory = Files.createTempDirectory("sorted-store");
                try {
                    for (String phase : List.of("fill", "measure")) {
                        Phase.run(
                                SortedStoreScale.class,
                                "256m",
                                List.of(phase, engine, directory.toString(), entries, order));
                    }
                } finally {
                    Phase.deleteTree(directory);
                }
            }
        }
    }

    private static byte[] key(long number) {
        return "/warehouse/events/part-%06d/task-00-file-%09d.parquet"
                .formatted(number / FILES_PER_DIRECTORY, number)
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Returns a key that sorts right behind a file's, and that no file has. */
    private static byte[] absent(long number) {
        byte[] key = key(number);
        key[key.length - 1] = 'u';
        return key;
    }

    private Map<String, Double> fill(boolean scattered) throws IOException {
        Random random = new Random(1);
        SortedStore store = SortedStores.open(directory, config);
        long[] nanos = new long[(int) ((entries + BATCH - 1) / BATCH)];
        long inStore = 0;
        for (int batch = 0; batch < nanos.length; batch++) {
            WriteBatch changes = new WriteBatch();
            long end = Math.min(entries, (batch + 1L) * BATCH);
            for (long n = (long) batch * BATCH; n < end; n++) {
                byte[] value = new byte[VALUE_BYTES];
                random.nextBytes(value);
                changes.put(key(scattered ? Math.multiplyExact(n, STRIDE) % entries : n), value);
            }
            // Only the store's own time counts, since making keys costs as much.
            long from = System.nanoTime();
            store.write(changes, SortedStore.Sync.NONE);
            nanos[batch] = System.nanoTime() - from;
            inStore += nanos[batch];
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("entries", (double) entries);
        figures.put("insert_per_second", entries / (inStore / 1e9));
        figures.put("batch_ms_p50", Measure.millis(nanos, 50));
        figures.put("batch_ms_p99", Measure.millis(nanos, 99));
        figures.put("batch_ms_max", Measure.millis(nanos, 100));
        figures.put("fill_resident_mib", Measure.residentMiB());
        return figures;
    }

    private Map<String, Double> measure() throws IOException {
        long start = System.nanoTime();
        SortedStore store = SortedStores.open(directory, config);
        double reopen = Measure.seconds(start);
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("reopen_seconds", reopen);
        Random random = new Random(2);
        gets(store, random, WARM_UP, true);
        put(figures, "hit", gets(store, random, GETS, true));
        put(figures, "miss", gets(store, random, GETS, false));
        put(figures, "scan", scans(store, random));
        figures.put("bytes_per_entry", store.sizeOnDisk() / (double) entries);
        figures.put("resident_mib", Measure.residentMiB());
        return figures;
    }

    private static void put(Map<String, Double> figures, String name, long[] nanos) {
        figures.put(name + "_us_p50", Measure.millis(nanos, 50) * 1e3);
        figures.put(name + "_us_p99", Measure.millis(nanos, 99) * 1e3);
    }

    private long[] gets(SortedStore store, Random random, int count, boolean present) throws IOException {
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            long number = random.nextLong(entries);
            byte[] key = present ? key(number) : absent(number);
            long from = System.nanoTime();
            boolean found = store.get(key).isPresent();
            nanos[i] = System.nanoTime() - from;
            if (found != present) {
                throw new IllegalStateException("entry %d: found %s, want %s".formatted(number, found, present));
            }
        }
        return nanos;
    }

    private long[] scans(SortedStore store, Random random) throws IOException {
        long[] nanos = new long[SCANS];
        for (int i = 0; i < SCANS; i++) {
            byte[] first = key(random.nextLong(entries - SCANNED + 1));
            long from = System.nanoTime();
            try (Cursor cursor = store.scan(first, new byte[0])) {
                for (int n = 0; n < SCANNED; n++) {
                    if (!cursor.next() || cursor.value().length != VALUE_BYTES) {
                        throw new IllegalStateException("a scan lacks entries");
                    }
                }
            }
            nanos[i] = System.nanoTime() - from;
        }
        return nanos;
    }
}
