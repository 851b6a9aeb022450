// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.packing;

import io.packing.blob.Extent;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.CostComparison;
import io.packing.lab.compare.SideResult;
import io.packing.lab.figure.Throughput;
import io.packing.lab.figure.Throughput.Point;
import io.packing.lab.load.Clients;
import io.packing.lab.load.NumberedFileContent;
import io.packing.lab.load.SmallFiles;
import io.packing.options.PriceTable;
import io.packing.rig.EngineRig;
import io.packing.store.ObjectStore;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import me.tongfei.progressbar.ProgressBar;

/**
 * Throughput by file size (§2.2, Figure 2): the same number of bytes as files of each size, as one object for each file,
 * and, where a file fits into memory, through packing.
 *
 * @param sizes bytes of a file, ascending
 * @param bytes written of each size
 * @param mostFiles fewer bytes are written of sizes that would need more files
 */
public record SizesExperiment(List<Long> sizes, long bytes, long mostFiles, int clients, Narrator narrator) {
    private static final long MOST_SIZE = 5L << 30;
    private static final int MOST_WINDOW = 64;

    public SizesExperiment {
        sizes = List.copyOf(sizes);
        if (sizes.isEmpty() || sizes.stream().anyMatch(size -> size < 1 || size > MOST_SIZE)) {
            throw new IllegalArgumentException("--sizes: from 1 byte to 5GB, after --scale: " + sizes);
        }
        if (bytes < 1 || mostFiles < 1 || clients < 1) {
            throw new IllegalArgumentException("--bytes, --most-files and --clients must be positive");
        }
    }

    /** Gives each size servers of its own, so that none finds the disk full of another's. */
    public interface Rigs {
        List<Point> with(Measure measure) throws IOException, InterruptedException;
    }

    /** Measures one size. */
    public interface Measure {
        List<Point> on(EngineRig rig) throws IOException, InterruptedException;
    }

    public Throughput run(Rigs rigs, PriceTable prices) throws IOException, InterruptedException {
        List<Point> points = new ArrayList<>();
        for (long size : sizes) {
            points.addAll(
                    rigs.with(rig -> size <= Extent.MAX_LENGTH ? small(rig, (int) size, prices) : large(rig, size)));
        }
        return new Throughput(points);
    }

    private long files(long size) {
        return Math.max(1, Math.min(mostFiles, bytes / size));
    }

    private List<Point> small(EngineRig rig, int size, PriceTable prices) throws IOException, InterruptedException {
        IngestSpec spec = new IngestSpec(files(size), size, clients, files(size), prices);
        int window = SmallFiles.window(MOST_WINDOW, clients, size);
        CostComparison both = new EngineDoorIngest(spec, window, spec.files(), Optional.empty(), narrator)
                .run(rig)
                .comparison();
        if (!both.isComplete()) {
            throw new IOException("%d + %d of 2 x %d files of %d bytes were read back with the right bytes"
                    .formatted(both.packed().verified(), both.direct().verified(), spec.files(), size));
        }
        return List.of(
                point(size, Throughput.Side.DIRECT, both.direct()), point(size, Throughput.Side.PACKED, both.packed()));
    }

    private static Point point(long size, Throughput.Side which, SideResult side) {
        return new Point(size, which, side.files(), side.seconds());
    }

    private List<Point> large(EngineRig rig, long size) throws IOException, InterruptedException {
        long files = files(size);
        String what = String.format(Locale.ROOT, "writing one object per file: %,d files of %,d bytes", files, size);
        narrator.accept(what);
        Path file = Files.createTempFile("packing-object", ".bin");
        try (ObjectStore store = rig.direct();
                ProgressBar bar = narrator.bar(what, files)) {
            fill(file, size);
            store.put("warm-up", file, PutCondition.NONE);
            long start = System.nanoTime();
            Clients.run(clients, files, bar::stepBy, numbers -> {
                for (long number = numbers.next(); number >= 0; number = numbers.next()) {
                    store.put("large/" + number, file, PutCondition.NONE);
                }
            });
            double seconds = (System.nanoTime() - start) / 1e9;
            return List.of(new Point(size, Throughput.Side.DIRECT, files, seconds));
        } finally {
            Files.delete(file);
        }
    }

    private static void fill(Path file, long size) throws IOException {
        ByteBuffer block = new NumberedFileContent(1 << 20, size).of(0);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (long left = size; left > 0; left -= channel.write(block)) {
                block.rewind().limit((int) Math.min(left, block.capacity()));
            }
        }
    }
}
