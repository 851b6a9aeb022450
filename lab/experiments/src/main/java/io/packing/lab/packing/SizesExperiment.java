// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.packing;

import io.packing.blob.Extent;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.Measurement;
import io.packing.lab.direct.DirectClient;
import io.packing.lab.direct.DirectKind;
import io.packing.lab.direct.DirectStore;
import io.packing.lab.figure.Throughput;
import io.packing.lab.figure.Throughput.Point;
import io.packing.lab.load.Clients;
import io.packing.lab.load.Meter;
import io.packing.lab.load.NumberedFileContent;
import io.packing.lab.load.RunProgress;
import io.packing.lab.load.SmallFiles;
import io.packing.options.PriceTable;
import io.packing.rig.EngineRig;
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
 * @param directs the clients without packing
 */
public record SizesExperiment(
        List<Long> sizes, long bytes, long mostFiles, int clients, List<DirectKind> directs, Narrator narrator) {
    private static final long MOST_SIZE = 5L << 30;
    private static final int MOST_WINDOW = 64;

    public SizesExperiment {
        sizes = List.copyOf(sizes);
        directs = List.copyOf(directs);
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
        List<Point> on(EngineRig rig, DirectStore store) throws IOException, InterruptedException;
    }

    public Throughput run(Rigs rigs, PriceTable prices) throws IOException, InterruptedException {
        List<Point> points = new ArrayList<>();
        for (long size : sizes) {
            points.addAll(rigs.with((rig, store) ->
                    size <= Extent.MAX_LENGTH ? small(rig, store, (int) size, prices) : large(rig, store, size)));
        }
        return new Throughput(points);
    }

    private long files(long size) {
        return Math.max(1, Math.min(mostFiles, bytes / size));
    }

    private List<Point> small(EngineRig rig, DirectStore store, int size, PriceTable prices)
            throws IOException, InterruptedException {
        IngestSpec spec = new IngestSpec(files(size), size, clients, files(size), prices);
        int window = SmallFiles.window(MOST_WINDOW, clients, size);
        IngestResult result = new EngineDoorIngest(
                        spec,
                        new TurnPlan(1, directs),
                        window,
                        spec.files(),
                        Optional.empty(),
                        RunProgress.narrated(narrator))
                .run(rig, store);
        List<Point> points = new ArrayList<>();
        for (DirectRun run : result.direct()) {
            points.add(point(run.client(), run.metered().measurement()));
        }
        points.add(point(Throughput.PACKING, result.packedMiddle().measurement()));
        return points;
    }

    private static Point point(String client, Measurement measured) throws IOException {
        if (measured.verified() < measured.files()) {
            throw new IOException("%s: %d of %d files of %d bytes were read back with the right bytes"
                    .formatted(client, measured.verified(), measured.files(), measured.size()));
        }
        return new Point(
                measured.size(),
                client,
                measured.files(),
                measured.seconds(),
                measured.ingest().throttled());
    }

    private List<Point> large(EngineRig rig, DirectStore store, long size) throws IOException, InterruptedException {
        List<Point> points = new ArrayList<>();
        Path file = Files.createTempFile("packing-object", ".bin");
        try {
            fill(file, size);
            for (DirectKind kind : directs) {
                points.add(large(rig, store.open(kind), kind, file, size));
            }
        } finally {
            Files.delete(file);
        }
        return points;
    }

    private Point large(EngineRig rig, DirectClient opened, DirectKind kind, Path file, long size)
            throws IOException, InterruptedException {
        long files = files(size);
        String what = String.format(Locale.ROOT, "%s writes: %,d files of %,d bytes", kind.title(), files, size);
        narrator.accept(what);
        try (DirectClient client = opened;
                ProgressBar bar = narrator.bar(what, files)) {
            client.put("warm-up", file);
            Meter meter = Meter.start(rig.s3(), EngineRig.DIRECT);
            long start = System.nanoTime();
            Clients.run(clients, files, bar::stepBy, numbers -> {
                for (long number = numbers.next(); number >= 0; number = numbers.next()) {
                    client.put("large/" + number, file);
                }
            });
            double seconds = (System.nanoTime() - start) / 1e9;
            return new Point(size, kind.label(), files, seconds, meter.throttled());
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
