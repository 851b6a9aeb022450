// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.packing.bdt.Bdt;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A benchmark of the BDT master at size. It claims and commits {@code files} files of 8 KB, a thousand to a directory,
 * and crashes. In a new process it measures the restart, random locates, pages of a listing, and resident memory. A served master then answers
 * calls over gRPC, backs its table up, dumps and checks it, loses its disk, and recovers from the store.
 *
 * <p>Usage: {@code bdt-scale [files] [leveldb|rocksdb] [milliseconds of a turn of calls]}.
 */
public final class BdtScale {
    private static final int LOCATES = 1_000_000;
    private static final int LISTINGS = 500;

    private final Path directory;
    private final long files;
    private final String engine;
    private final Duration turn;

    private BdtScale(Path directory, long files, String engine, Duration turn) {
        this.directory = directory;
        this.files = files;
        this.engine = engine;
        this.turn = turn;
    }

    public static void main(String[] args) throws Exception {
        if (args.length == 5) {
            Phase.endOnFailure();
            Duration turn = Duration.ofMillis(Long.parseLong(args[4]));
            new BdtScale(Path.of(args[1]), Long.parseLong(args[2]), args[3], turn).run(args[0]);
            return;
        }
        long files = args.length > 0 ? Long.parseLong(args[0]) : 5_000_000;
        String engine = args.length > 1 ? args[1] : "leveldb";
        String turn = args.length > 2 ? args[2] : "2000";
        Path directory = Files.createTempDirectory("bdt-scale");
        System.err.printf("BDT master, %s, %,d files, in %s%n", engine, files, directory);
        try {
            for (String phase : List.of("fill", "measure", "serve", "recover")) {
                Phase.run(
                        BdtScale.class,
                        "256m",
                        List.of(phase, directory.toString(), Long.toString(files), engine, turn));
            }
        } finally {
            Phase.deleteTree(directory);
        }
    }

    private void run(String phase) throws Exception {
        ServedAtSize served = new ServedAtSize(directory, options(), files, turn);
        switch (phase) {
            case "fill" -> fill();
            case "measure" -> measure();
            case "serve" -> served.serve(engine);
            case "recover" -> served.recover(engine);
            default -> throw new IllegalArgumentException("unknown phase '%s'".formatted(phase));
        }
    }

    private BdtMaster master() throws IOException {
        return BdtMaster.start(BdtMasterOptions.from(Map.of(
                "bdt.data.dir",
                directory.resolve("master").toString(),
                "bdt.engine",
                engine,
                "bdt.stores",
                "file://" + directory)));
    }

    private Map<String, String> options() throws IOException {
        Files.createDirectories(directory.resolve("store"));
        return Map.of("packing.store", directory.resolve("store").toUri().toString(), "packing.backup.interval", "10h");
    }

    private void fill() throws Exception {
        BdtMaster master = master();
        Bdt mount = master.open(options());
        long start = System.nanoTime();
        long blobs = new ReportedFiles(files).fill(mount, directory.resolve("store"));
        double seconds = Measure.seconds(start + blobs);
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("files", (double) files);
        figures.put("claimed_and_committed_per_second", files / seconds);
        figures.put("fill_resident_mib", Measure.residentMiB());
        System.out.println(Measure.json(figures));
        // The process crashes: it neither backs the table up nor closes it.
        Phase.crash();
    }

    private void measure() throws IOException {
        long start = System.nanoTime();
        try (BdtMaster master = master()) {
            Bdt mount = master.open(options());
            if (mount.locate(ReportedFiles.path(files - 1)).isEmpty()) {
                throw new IllegalStateException("the last file is gone");
            }
            Map<String, Double> figures = new LinkedHashMap<>();
            figures.put("restart_seconds", Measure.seconds(start));
            Random random = new Random(1);
            locate(mount, random, LOCATES / 4);
            figures.put("locate_per_second", locate(mount, random, LOCATES));
            long[] nanos = new long[LISTINGS];
            for (int i = 0; i < LISTINGS; i++) {
                long number = random.nextLong(files);
                long from = System.nanoTime();
                int entries = mount.list(
                                ReportedFiles.path(number).parent().orElseThrow(), "", ReportedFiles.PER_DIRECTORY)
                        .orElseThrow()
                        .size();
                nanos[i] = System.nanoTime() - from;
                if (entries == 0) {
                    throw new IllegalStateException("an empty page");
                }
            }
            figures.put("list_page_ms_p50", Measure.millis(nanos, 50));
            figures.put("list_page_ms_p99", Measure.millis(nanos, 99));
            figures.put("resident_mib", Measure.residentMiB());
            System.out.println(Measure.json(figures));
            Phase.crash();
        }
    }

    private double locate(Bdt mount, Random random, int count) throws IOException {
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            if (mount.locate(ReportedFiles.path(random.nextLong(files))).isEmpty()) {
                throw new IllegalStateException("a file is gone");
            }
        }
        return count / Measure.seconds(start);
    }
}
