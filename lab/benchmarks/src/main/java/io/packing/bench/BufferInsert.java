// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import com.sun.management.OperatingSystemMXBean;
import io.packing.bdt.Durability;
import io.packing.blob.Codec;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.SealPolicy;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreOptions;
import io.packing.sorted.SortedStores;
import io.packing.sorted.WriteBatch;
import io.packing.worker.buffer.Appender;
import io.packing.worker.buffer.BufferLimits;
import io.packing.worker.buffer.BufferedFile;
import io.packing.worker.buffer.FileBuffer;
import io.packing.worker.buffer.Scheduling;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * A benchmark of buffering: one thread buffers {@code files} files of 8 KB, in batches of 100. The variants are
 * append-only segments with an index (the worker's way), and values inside LevelDB and RocksDB (§7.2, the paper's way).
 * Each runs in a process of its own. Write amplification is the bytes that the process wrote to files, by the kernel's
 * count, over the files' bytes. Disk amplification is the part that reached the disk. No variant syncs, and a log that
 * an engine deletes within seconds may never reach the disk. A buffer that syncs pays for all of it.
 *
 * <p>Usage: {@code buffer-insert [files]}.
 */
public final class BufferInsert {
    private static final int GROUP = 100;
    private static final int FILE_BYTES = 8_192;
    private static final int WRITE_BUFFER_BYTES = 128 << 20;
    private static final List<String> VARIANTS =
            List.of("segments", "leveldb-sequence", "rocksdb-sequence", "leveldb-paths", "rocksdb-paths");

    private interface Sink {
        void add(List<ByteBuffer> group, long first) throws IOException;
    }

    private BufferInsert() {}

    public static void main(String[] args) throws Exception {
        if (args.length == 3) {
            measure(args[0], Path.of(args[1]), Long.parseLong(args[2]));
            return;
        }
        long files = args.length > 0 ? Long.parseLong(args[0]) : 200_000;
        for (String variant : VARIANTS) {
            Path directory = Files.createTempDirectory("buffer-insert");
            try {
                Phase.run(BufferInsert.class, "512m", List.of(variant, directory.toString(), Long.toString(files)));
            } finally {
                Phase.deleteTree(directory);
            }
        }
    }

    private static void measure(String variant, Path directory, long files) throws Exception {
        byte[] bytes = new byte[FILE_BYTES];
        new Random(1).nextBytes(bytes);
        long[] nanos = new long[(int) (files / GROUP)];
        long cpu = processCpu();
        long written = io("write_bytes");
        long cancelled = io("cancelled_write_bytes");
        long start = System.nanoTime();
        try (Closing sink = open(variant, directory)) {
            for (int group = 0; group < nanos.length; group++) {
                List<ByteBuffer> values = new ArrayList<>(GROUP);
                for (int i = 0; i < GROUP; i++) {
                    values.add(ByteBuffer.wrap(bytes));
                }
                long from = System.nanoTime();
                sink.sink.add(values, (long) group * GROUP + 1);
                nanos[group] = System.nanoTime() - from;
            }
        }
        double seconds = Measure.seconds(start);
        // The sync makes the disk write the pages that the page cache still holds.
        if (new ProcessBuilder("sync").start().waitFor() != 0) {
            throw new IOException("sync failed");
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("files_per_second", files / seconds);
        figures.put("cpu_us_per_file", (processCpu() - cpu) / 1e3 / files);
        double userBytes = (double) files * FILE_BYTES;
        long dirtied = io("write_bytes") - written;
        figures.put("write_amplification", dirtied / userBytes);
        figures.put("disk_amplification", (dirtied - (io("cancelled_write_bytes") - cancelled)) / userBytes);
        figures.put("group_ms_p50", Measure.millis(nanos, 50));
        figures.put("group_ms_p99", Measure.millis(nanos, 99));
        System.out.printf(
                "{\"variant\": \"%s\", %s%n", variant, Measure.json(figures).substring(1));
    }

    /** A sink, and the stores to close after it. */
    private record Closing(Sink sink, List<AutoCloseable> owned) implements AutoCloseable {
        @Override
        public void close() throws Exception {
            for (AutoCloseable each : owned) {
                each.close();
            }
        }
    }

    private static Closing open(String variant, Path directory) throws IOException {
        if (variant.equals("segments")) {
            return segments(directory);
        }
        SortedStoreOptions.Engine engine =
                variant.startsWith("leveldb") ? SortedStoreOptions.Engine.LEVELDB : SortedStoreOptions.Engine.ROCKSDB;
        SortedStore store = SortedStores.open(
                directory.resolve("store"), new SortedStoreOptions(engine, 8 << 20, WRITE_BUFFER_BYTES, 256 << 20));
        boolean paths = variant.endsWith("paths");
        Random random = new Random(2);
        Sink sink = (group, first) -> {
            for (int i = 0; i < group.size(); i++) {
                byte[] key = paths
                        ? "/d%04d/file-%010d"
                                .formatted(random.nextInt(1_000), first + i)
                                .getBytes(StandardCharsets.UTF_8)
                        : ByteBuffer.allocate(Long.BYTES).putLong(first + i).array();
                store.write(new WriteBatch().put(key, group.get(i).array()), SortedStore.Sync.NONE);
            }
        };
        return new Closing(sink, List.of(store));
    }

    private static Closing segments(Path directory) throws IOException {
        SortedStore index = SortedStores.open(
                directory.resolve("index"),
                new SortedStoreOptions(SortedStoreOptions.Engine.LEVELDB, 8 << 20, 4 << 20, 256 << 20));
        FileBuffer buffer = FileBuffer.open(
                directory.resolve("segments"),
                new BufferLimits(
                        1L << 40,
                        1L << 30,
                        0,
                        SealPolicy.SealOptions.age(Duration.ofHours(1)),
                        Duration.ofMinutes(1),
                        Duration.ofMillis(50),
                        Durability.BUFFERED),
                index,
                System::nanoTime,
                new SplittableRandom(1)::nextInt);
        Appender appender = new Appender(buffer, Scheduling.ofMachine());
        FileAttributes attributes = new FileAttributes(FILE_BYTES, 1_700_000_000_000L, "hdfs", "hadoop", 0644);
        Random random = new Random(2);
        Sink sink = (group, first) -> {
            List<BufferedFile> files = new ArrayList<>(group.size());
            for (int i = 0; i < group.size(); i++) {
                FilePath path = new FilePath("/d%04d/file-%010d".formatted(random.nextInt(1_000), first + i));
                files.add(appender.append(first + i, path, attributes, Codec.NONE, group.get(i)));
            }
            try {
                appender.step();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            for (BufferedFile file : files) {
                file.appended().join();
                buffer.granted(file, file.id());
            }
        };
        return new Closing(sink, List.of(appender::close, buffer, index));
    }

    private static long processCpu() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private static long io(String counter) throws IOException {
        String prefix = counter + ": ";
        return Files.readAllLines(Path.of("/proc/self/io")).stream()
                .filter(line -> line.startsWith(prefix))
                .mapToLong(line -> Long.parseLong(line.substring(prefix.length())))
                .sum();
    }
}
