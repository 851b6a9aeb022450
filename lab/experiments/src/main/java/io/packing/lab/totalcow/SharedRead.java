// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.totalcow;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.cli.launch.Narrator;
import io.packing.lab.figure.ByWay;
import io.packing.rig.EngineRig;
import io.packing.rig.Workspace;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.ReadOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/** Reads clones of a file by a client each, and compares what that fetches and holds with one reading of one file. */
public record SharedRead(int clones, long size, int runs, Narrator narrator) {
    private static final CreateOptions CREATE = new CreateOptions("hdfs", "hadoop", 0644, true, true);
    private static final int DOORS = 2;
    private static final long SEED = 11;
    private static final int BLOCK = 4 << 20;
    private static final long MOST_WARM_UP = 64L << 20;
    private static final long SPARE_BYTES = 64L << 20;
    private static final String WARM_UP = "/shared/warm-up";

    /** The cost of one reading of one file: bytes, and the median of seconds. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Single(long fetchedBytes, long memoryBytes, long heapBytes, double seconds) {}

    /** The cost of many readings, as multiples of one; from the worst of the runs, but for seconds from the median. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Ratios(double fetchedRatio, double memoryRatio, double heapRatio, double secondsRatio) {}

    /**
     * The figures.
     *
     * @param shared clones at two doors of a process; the others are for contrast
     * @param copies as many copies, at two doors of a process
     * @param ownCaches clones, by clients that each have a cache of their own
     * @param afterRestart clones, by another process that has the disk of one that read them
     * @param verified readings that had the bytes that were written, of {@code readings}
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Result(
            int clones,
            long size,
            @JsonUnwrapped Ratios shared,
            Ratios copies,
            Ratios ownCaches,
            Ratios afterRestart,
            Single single,
            int readings,
            int verified) {
        /** Returns whether every reading had the written bytes. */
        @JsonIgnore
        public boolean isComplete() {
            return verified == readings;
        }

        /** Draws what each way of reading took, as multiples of one reading of one file. */
        public void draw(Path directory) throws IOException {
            List<Ratios> all = List.of(shared, copies, ownCaches, afterRestart);
            new ByWay(
                            "shared-read",
                            "%d names of a file read at once, to one file read once".formatted(clones),
                            "times one reading",
                            List.of("clones", "copies", "clones with own caches", "clones after a restart"),
                            List.of(
                                    measure("fetched", all, Ratios::fetchedRatio),
                                    measure("memory", all, Ratios::memoryRatio),
                                    measure("seconds", all, Ratios::secondsRatio)))
                    .write(directory);
        }

        private static ByWay.Measure measure(String name, List<Ratios> ways, Function<Ratios, Double> ratio) {
            return new ByWay.Measure(name, ways.stream().map(ratio).toList());
        }

        public void print(PrintWriter out) {
            out.printf(
                    Locale.ROOT,
                    "one file of %,d bytes: %,d fetched, %,d in memory, heap %,d, %.2f s%n",
                    size,
                    single.fetchedBytes(),
                    single.memoryBytes(),
                    single.heapBytes(),
                    single.seconds());
            out.printf("%-34s %8s %8s %8s %8s%n", "times that", "fetched", "memory", "heap", "seconds");
            line(out, clones + " clones, two doors", shared);
            line(out, clones + " copies, two doors", copies);
            line(out, clones + " clones, a cache for each", ownCaches);
            line(out, clones + " clones, the disk after a restart", afterRestart);
            out.printf("%d of %d readings had the bytes that were written%n", verified, readings);
        }

        private static void line(PrintWriter out, String what, Ratios ratios) {
            out.printf(
                    Locale.ROOT,
                    "%-34s %8.3f %8.3f %8.3f %8.2f%n",
                    what,
                    ratios.fetchedRatio(),
                    ratios.memoryRatio(),
                    ratios.heapRatio(),
                    ratios.secondsRatio());
        }
    }

    public SharedRead {
        if (clones < 2 || size < 1 || runs < 1) {
            throw new IllegalArgumentException("--size and --runs must be positive, and --clones at least 2");
        }
    }

    /** One way of reading, and what it took in each run. */
    private record Way(
            String name,
            int doors,
            boolean ownCaches,
            List<String> paths,
            Map<String, String> options,
            List<SharedReaders.Reading> readings) {
        Way(String name, int doors, boolean ownCaches, List<String> paths, Map<String, String> options) {
            this(name, doors, ownCaches, paths, options, new ArrayList<>());
        }

        double worst(ToDoubleFunction<SharedReaders.Reading> figure) {
            return readings.stream().mapToDouble(figure).max().orElseThrow();
        }

        double seconds() {
            double[] seconds = readings.stream()
                    .mapToDouble(SharedReaders.Reading::seconds)
                    .sorted()
                    .toArray();
            return (seconds[(seconds.length - 1) / 2] + seconds[seconds.length / 2]) / 2;
        }

        int asked() {
            return paths.size() * readings.size();
        }

        int verified() {
            return readings.stream().mapToInt(SharedReaders.Reading::verified).sum();
        }

        Single single() {
            return new Single(
                    (long) worst(SharedReaders.Reading::fetchedBytes),
                    (long) worst(SharedReaders.Reading::memoryBytes),
                    (long) worst(SharedReaders.Reading::heapBytes),
                    seconds());
        }

        Ratios to(Single base) {
            return new Ratios(
                    worst(SharedReaders.Reading::fetchedBytes) / base.fetchedBytes(),
                    worst(SharedReaders.Reading::memoryBytes) / base.memoryBytes(),
                    worst(SharedReaders.Reading::heapBytes) / base.heapBytes(),
                    seconds() / base.seconds());
        }
    }

    public Result run(EngineRig rig, Workspace workspace) throws IOException, InterruptedException {
        List<String> cloned = paths("clone");
        List<String> copied = paths("copy");
        int crc = write(rig, cloned, copied);
        long all = clones * size;
        Map<String, String> enough = Map.of(ReadOptions.CACHE_BYTES.key(), Long.toString(all + SPARE_BYTES));
        Map<String, String> disk = new HashMap<>(enough);
        disk.put(ReadOptions.DISK_BYTES.key(), Long.toString(2 * size + SPARE_BYTES));
        Way single = new Way("single", 1, false, cloned.subList(0, 1), enough);
        Way shared = new Way("shared", DOORS, false, cloned, enough);
        Way copies = new Way("copies", DOORS, false, copied, enough);
        Way own = new Way("own", clones, true, cloned, enough);
        // What one process puts on the disk, the next one reads.
        Way filling = new Way("filling", DOORS, false, cloned, disk);
        Way restarted = new Way("restarted", DOORS, false, cloned, disk);
        List<Way> ways = List.of(single, shared, copies, own, filling, restarted);
        Readers readers = new Readers(rig, workspace, crc, (int) (all / (1 << 20) * 5 / 4) + 1_024);
        for (int run = 0; run < runs; run++) {
            for (Way way : ways) {
                narrator.accept("run %d of %d: %s".formatted(run + 1, runs, way.name()));
                way.readings().add(readers.read(way, run));
            }
        }
        Single base = single.single();
        return new Result(
                clones,
                size,
                shared.to(base),
                copies.to(base),
                own.to(base),
                restarted.to(base),
                base,
                ways.stream().mapToInt(Way::asked).sum(),
                ways.stream().mapToInt(Way::verified).sum());
    }

    private List<String> paths(String name) {
        return IntStream.range(0, clones)
                .mapToObj(i -> "/shared/%s-%d".formatted(name, i))
                .toList();
    }

    /** Writes the file, its clones and its copies; returns the checksum of each. */
    private int write(EngineRig rig, List<String> cloned, List<String> copied)
            throws IOException, InterruptedException {
        narrator.accept("writing a file of %,d bytes, and %d copies".formatted(size, copied.size()));
        try (EngineRig.Client client = rig.client()) {
            int crc = write(client, cloned.get(0), size);
            List<Operation> operations = cloned.stream()
                    .skip(1)
                    .<Operation>map(path -> new Operation.CloneFile(
                            new FilePath(cloned.get(0)), new FilePath(path), false, AttributeChange.NONE))
                    .toList();
            VectorResult result = client.mount().bdt().apply(new OperationVector(List.of(), operations));
            if (!(result instanceof VectorResult.Applied)) {
                throw new IOException("the clones were refused: " + result);
            }
            for (String path : copied) {
                if (write(client, path, size) != crc) {
                    throw new IllegalStateException("a copy of other bytes");
                }
            }
            if (write(client, WARM_UP, Math.min(size, MOST_WARM_UP)) == 0) {
                throw new IllegalStateException("a checksum by which nobody sees that bytes were read");
            }
            client.mount().flush();
            return crc;
        }
    }

    private static int write(EngineRig.Client client, String path, long length) throws IOException {
        Random random = new Random(SEED);
        CRC32C crc = new CRC32C();
        byte[] block = new byte[BLOCK];
        try (PackingOutput out = client.mount().create(new FilePath(path), CREATE)) {
            for (long left = length; left > 0; left -= BLOCK) {
                random.nextBytes(block);
                byte[] part = left < BLOCK ? Arrays.copyOf(block, (int) left) : block;
                out.write(part);
                crc.update(part);
            }
        }
        return (int) crc.getValue();
    }

    /** Starts a process for each reading. */
    private record Readers(EngineRig rig, Workspace workspace, int crc, int megabytes) {
        SharedReaders.Reading read(Way way, int run) throws IOException, InterruptedException {
            Map<String, String> options = new HashMap<>(rig.openOptions());
            options.putAll(way.options());
            options.put(
                    ReadOptions.DISK_DIRECTORY.key(),
                    workspace.directory().resolve("cache-" + run).toString());
            SharedReaders.Plan plan = new SharedReaders.Plan(
                    rig.masterAddress(), options, way.doors(), way.ownCaches(), WARM_UP, way.paths(), crc);
            return SharedReaders.Reading.parse(EngineRig.run(
                    workspace,
                    "%s-%d".formatted(way.name(), run),
                    SharedReaders.class,
                    megabytes,
                    plan.json(),
                    SharedReaders.RESULT));
        }
    }
}
