// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.packing.bdt.Durability;
import io.packing.blob.Codec;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.SealPolicy;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreOptions;
import io.packing.sorted.SortedStores;
import io.packing.worker.buffer.Appender;
import io.packing.worker.buffer.BufferLimits;
import io.packing.worker.buffer.BufferedFile;
import io.packing.worker.buffer.FileBuffer;
import io.packing.worker.buffer.Scheduling;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A benchmark of a full buffer with {@code files} granted files of 100 bytes. It measures memory before and after a
 * restart, and the time of a restart after a kill, with and without the index.
 *
 * <p>Usage: {@code buffer-scale [files]}.
 */
public final class BufferScale {
    private static final int GROUP = 1_000;
    private static final int FILE_BYTES = 100;

    private BufferScale() {}

    public static void main(String[] args) throws Exception {
        if (args.length == 3) {
            phase(args[0], Path.of(args[1]), Long.parseLong(args[2]));
            return;
        }
        String files = args.length > 0 ? args[0] : "1000000";
        Path directory = Files.createTempDirectory("buffer-scale");
        try {
            for (String phase : List.of("fill", "restart", "rebuild")) {
                if (phase.equals("rebuild")) {
                    Phase.deleteTree(directory.resolve("index"));
                }
                Phase.run(BufferScale.class, "128m", List.of(phase, directory.toString(), files));
            }
        } finally {
            Phase.deleteTree(directory);
        }
    }

    private static void phase(String phase, Path directory, long files) throws Exception {
        long start = System.nanoTime();
        SortedStore index = SortedStores.open(
                directory.resolve("index"),
                new SortedStoreOptions(SortedStoreOptions.Engine.LEVELDB, 8 << 20, 4 << 20, 256 << 20));
        FileBuffer buffer = FileBuffer.open(
                directory.resolve("segments"),
                new BufferLimits(
                        1L << 40,
                        64 << 20,
                        0,
                        SealPolicy.SealOptions.age(Duration.ofHours(1)),
                        Duration.ofMinutes(1),
                        Duration.ofMillis(50),
                        Durability.BUFFERED),
                index,
                System::nanoTime,
                new SplittableRandom(1)::nextInt);
        double opened = Measure.seconds(start);
        if (phase.equals("fill")) {
            fill(buffer, files);
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("files", (double) buffer.bufferedFiles());
        figures.put("open_seconds", opened);
        figures.put("seconds", Measure.seconds(start));
        figures.put("scanned_bytes", (double) buffer.scannedBytes());
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        figures.put("heap_mib", (runtime.totalMemory() - runtime.freeMemory()) / 1048576.0);
        figures.put("resident_mib", Measure.residentMiB());
        System.out.printf(
                "{\"phase\": \"%s\", %s%n", phase, Measure.json(figures).substring(1));
        Phase.crash();
    }

    private static void fill(FileBuffer buffer, long files) throws IOException, InterruptedException {
        Appender appender = new Appender(buffer, Scheduling.ofMachine());
        FileAttributes attributes = new FileAttributes(FILE_BYTES, 1_700_000_000_000L, "hdfs", "hadoop", 0644);
        byte[] bytes = new byte[FILE_BYTES];
        for (long first = 0; first < files; first += GROUP) {
            List<BufferedFile> group = new ArrayList<>(GROUP);
            for (long id = first + 1; id <= Math.min(files, first + GROUP); id++) {
                FilePath path = new FilePath("/warehouse/table/part=%04d/file-%010d".formatted(id % 1_000, id));
                group.add(appender.append(id, path, attributes, Codec.NONE, ByteBuffer.wrap(bytes)));
            }
            appender.step();
            for (BufferedFile file : group) {
                file.appended().join();
                buffer.granted(file, file.id());
            }
        }
        appender.step();
        appender.close();
    }
}
