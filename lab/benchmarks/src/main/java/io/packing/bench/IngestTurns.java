// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.packing.blob.Extent;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.CreateOptions;
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
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * The load of clusters that take turns, and the figures of their rounds. Files of up to an extent are put, many at once;
 * each thread writes larger ones one after the other.
 *
 * @param files of a turn
 * @param size of each
 * @param threads that write
 */
record IngestTurns(int files, int size, int threads) {
    private static final CreateOptions NEW = new CreateOptions("bench", "bench", 0644, true, false);
    private static final int FILES_PER_DIRECTORY = 1_000;

    /** Plays a turn; returns the seconds until all files are acknowledged. */
    double turn(RemotePackingFileSystem mount, long turn) throws Exception {
        byte[] content = new byte[size];
        new SplittableRandom(1).nextBytes(content);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        long start = System.nanoTime();
        List<Future<Integer>> writers = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int first = thread;
            writers.add(executor.submit(() -> write(mount, turn, content, first)));
        }
        int acknowledged = 0;
        for (Future<Integer> writer : writers) {
            acknowledged += writer.get();
        }
        double seconds = Measure.seconds(start);
        executor.shutdown();
        if (acknowledged != files) {
            throw new IllegalStateException("only %d files are acknowledged".formatted(acknowledged));
        }
        return seconds;
    }

    private int write(RemotePackingFileSystem mount, long turn, byte[] content, int first) throws IOException {
        List<CompletableFuture<FileVersion>> puts = new ArrayList<>();
        int closed = 0;
        for (int number = first; number < files; number += threads) {
            FilePath path =
                    new FilePath("/turn%d/part-%06d/file-%09d".formatted(turn, number / FILES_PER_DIRECTORY, number));
            if (size <= Extent.MAX_LENGTH) {
                puts.add(mount.put(path, ByteBuffer.wrap(content), NEW));
                continue;
            }
            try (PackingOutput output = mount.create(path, NEW)) {
                output.write(content);
            }
            closed++;
        }
        puts.forEach(CompletableFuture::join);
        return closed + puts.size();
    }

    /** Returns the median, the least and the greatest of some figures over all rounds. */
    static Map<String, Double> medians(List<Map<String, Double>> rounds, List<String> names) {
        Map<String, Double> all = new LinkedHashMap<>();
        all.put("rounds", (double) rounds.size());
        for (String name : names) {
            double[] sorted = rounds.stream()
                    .mapToDouble(round -> round.getOrDefault(name, 0.0))
                    .sorted()
                    .toArray();
            int half = sorted.length / 2;
            all.put("median_" + name, sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2);
            all.put("least_" + name, Arrays.stream(sorted).min().orElse(0));
            all.put("most_" + name, Arrays.stream(sorted).max().orElse(0));
        }
        return all;
    }

    /** Returns the ratio of one cluster's figure to another's. */
    static double ratio(Map<String, Double> of, String one, String other) {
        return of.getOrDefault(one, 0.0) / of.getOrDefault(other, 1.0);
    }

    static void delete(Path directory) throws IOException {
        try (Stream<Path> walk = Files.walk(directory)) {
            for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
