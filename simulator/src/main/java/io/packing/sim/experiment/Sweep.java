// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.packing.sim.RunResult;
import io.packing.sim.device.OverloadedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A runner of experiments' points on several threads. It keeps each result in a file, named after all parameters that
 * determine it. So a stopped sweep goes on where it was, and experiments that share a point run it once.
 */
public final class Sweep {
    /** The version in the name of every kept result: change it with each change of the simulator's results. */
    private static final String VERSION = "3";

    /** The share of the heap for simulated caches; traces and reports use the rest. */
    private static final double CACHE_SHARE = 0.7;

    private final Path kept;
    private final int threads;
    private final long heapBytes;
    private final ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /**
     * Makes a sweep that keeps results in a directory.
     *
     * @param heapBytes limit of the process's memory
     */
    public Sweep(Path kept, int threads, long heapBytes) {
        if (threads < 1) {
            throw new IllegalArgumentException("bad number of threads: " + threads);
        }
        this.kept = kept;
        this.threads = threads;
        this.heapBytes = heapBytes;
    }

    /**
     * Runs the points that have no result yet. A failed simulation does not stop the others.
     *
     * @param seeds an experiment, once for each seed
     * @throws IllegalArgumentException before any run, if a point would not fit into memory
     */
    Results run(List<Experiment> seeds, SweepListener listener) throws IOException, InterruptedException {
        Files.createDirectories(kept);
        Map<Path, Point> missing = missing(seeds);
        int points = seeds.stream().mapToInt(seed -> seed.points().size()).sum();
        listener.begins(seeds.get(0).name(), points, missing.size(), events(missing));
        runAll(missing, parallel(missing), listener);
        List<List<RunResult>> results = new ArrayList<>();
        for (Experiment seed : seeds) {
            List<RunResult> runs = new ArrayList<>();
            for (Point point : seed.points()) {
                runs.add(json.readValue(file(point).toFile(), RunResult.class));
            }
            results.add(runs);
        }
        return new Results(seeds.get(0), results);
    }

    /** Returns the points without a result, by file: equal simulations run once. */
    private Map<Path, Point> missing(List<Experiment> experiments) throws IOException {
        Map<Path, Point> missing = new LinkedHashMap<>();
        for (Experiment experiment : experiments) {
            for (Point point : experiment.points()) {
                Path file = file(point);
                if (!Files.exists(file)) {
                    missing.putIfAbsent(file, point);
                }
            }
        }
        return missing;
    }

    private static long events(Map<Path, Point> points) {
        return points.values().stream()
                .mapToLong(point -> point.task().expectedEvents())
                .sum();
    }

    /** Returns the events of all missing simulations that claims read, about. */
    public long expectedEventsOfClaims(List<Experiment> experiments) throws IOException {
        return expectedEvents(experiments.stream().map(Experiment::ofClaims).toList());
    }

    /** Returns the events of all missing simulations, about. */
    public long expectedEvents(List<Experiment> experiments) throws IOException {
        return events(missing(experiments));
    }

    /**
     * Requires that every point of an experiment can run: its traces exist, its caches fit into memory.
     *
     * @throws IllegalArgumentException naming the missing trace or the point that is too large
     */
    public void check(Experiment experiment) throws IOException {
        for (Point point : experiment.points()) {
            fits(point);
            name(point);
        }
    }

    private long fits(Point point) {
        long bytes = point.task().memory();
        if (bytes > heapBytes * CACHE_SHARE) {
            throw new IllegalArgumentException(
                    ("point %s takes %,d MiB, the heap has %,d; give more (PACKING_JAVA_OPTS=-Xmx...), a larger"
                                    + " cache.page or fewer files")
                            .formatted(point.labels(), bytes >> 20, heapBytes >> 20));
        }
        return bytes;
    }

    /** Returns the number of threads whose caches fit into memory. */
    private int parallel(Map<Path, Point> points) {
        long largest = 0;
        for (Point point : points.values()) {
            largest = Math.max(largest, fits(point));
        }
        return (int) Math.max(1, Math.min(threads, heapBytes * CACHE_SHARE / Math.max(1, largest)));
    }

    private void runAll(Map<Path, Point> points, int parallel, SweepListener listener)
            throws IOException, InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(parallel);
        try {
            List<Future<?>> tasks = new ArrayList<>();
            points.forEach((file, point) -> tasks.add(pool.submit(() -> {
                try {
                    keep(file, run(point, listener));
                } catch (OverloadedException e) {
                    throw new IllegalStateException("%s: %s".formatted(point.labels(), e.getMessage()), e);
                }
                listener.finished();
                return file;
            })));
            List<Throwable> failures = new ArrayList<>();
            for (Future<?> task : tasks) {
                try {
                    task.get();
                } catch (ExecutionException e) {
                    failures.add(e.getCause() == null ? e : e.getCause());
                }
            }
            if (!failures.isEmpty()) {
                failures.stream().skip(1).forEach(failures.get(0)::addSuppressed);
                throw failure(failures.get(0));
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private static IOException failure(Throwable cause) {
        if (cause instanceof RuntimeException e) {
            throw e;
        }
        if (cause instanceof Error e) {
            throw e;
        }
        return cause instanceof IOException e ? e : new IOException(cause);
    }

    private static RunResult run(Point point, SweepListener listener) throws IOException {
        AtomicLong told = new AtomicLong();
        return point.task().run(events -> listener.played(events - told.getAndSet(events)));
    }

    private void keep(Path file, RunResult result) throws IOException {
        Path half = Files.createTempFile(kept, "point", ".tmp");
        json.writeValue(half.toFile(), result);
        Files.move(half, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private Path file(Point point) throws IOException {
        return kept.resolve(name(point) + ".json");
    }

    private static String name(Point point) throws IOException {
        String text = VERSION + '|' + point.task().identity();
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 12);
        } catch (NoSuchAlgorithmException e) {
            throw new UncheckedIOException(new IOException(e));
        }
    }
}
