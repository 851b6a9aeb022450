// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.packing;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.packing.bdt.Bdt;
import io.packing.bdt.BdtOptions;
import io.packing.blob.BlobName;
import io.packing.blob.FilePath;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.Median;
import io.packing.lab.figure.ByWay;
import io.packing.lab.load.Clients;
import io.packing.lab.load.Meter;
import io.packing.lab.load.NumberedFileContent;
import io.packing.lab.load.SmallFiles;
import io.packing.operations.dedup.Dedup;
import io.packing.operations.dedup.Deduplicated;
import io.packing.rig.EngineRig;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The savings of sharing equal files, and the cost of the search for them. Half of the files are copies of others, scattered among
 * them: shared later by {@code packing dedup} and compaction, or when they are written. Then files that are all different,
 * written with and without looking for equal ones, in turns.
 *
 * @param window files that one client has under way at once, or fewer where all clients would have too many bytes
 * @param runs turns of the writes of different files; 0: none are written
 */
public record DedupExperiment(long files, int size, int clients, int window, int runs, Narrator narrator) {
    private static final long SEED = 21;
    /** Spreads the copies over the files before them. */
    private static final long SCATTER = 0x9E3779B97F4A7C15L;

    private static final int PAGE = 1_000;
    private static final int MOST_SECONDS = 300;
    private static final int QUIET_SECONDS = 20;
    /** Options that soon collect dead bytes. Blobs of which a twenty-fifth is dead are compacted, if that wins 64 MiB back. */
    private static final Map<String, String> EAGER = Map.of(
            BdtOptions.GC_INTERVAL.key(), "1s",
            BdtOptions.GC_GRACE.key(), "1s",
            BdtOptions.GC_COMPACT_BELOW.key(), "0.96");

    private static final Map<String, String> WHEN_WRITTEN = Map.of(BdtOptions.DEDUP.key(), "file");

    /**
     * A tree of which half is copies.
     *
     * @param storedRatio bytes of all blobs to those of the different files
     * @param put PUTs until the files were durable
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Tree(double storedRatio, long put) {}

    /** Files a second until acknowledged, all different: medians. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Different(double filesPerS, double lookingFilesPerS, double ratio) {}

    /**
     * The figures.
     *
     * @param before the tree as it is stored without anything
     * @param afterwards after {@code packing dedup} and compaction
     * @param whenWritten with {@code packing.dedup=file}
     * @param different none when they are not written
     * @param wrong files of the trees that were not read back as they were written
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Result(
            long files,
            int size,
            Tree before,
            Tree afterwards,
            Tree whenWritten,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Different different,

            long wrong) {
        /** Returns whether every file had the written bytes. */
        @JsonIgnore
        public boolean isComplete() {
            return wrong == 0;
        }

        /** Draws the stored bytes of a tree; half of its files are copies. */
        public void draw(Path directory) throws IOException {
            new ByWay(
                            "dedup",
                            "%,d files of %,d bytes, half of them copies".formatted(files, size),
                            "stored bytes to the different ones",
                            List.of("as written", "after dedup and compaction", "shared when written"),
                            List.of(new ByWay.Measure(
                                    "stored_ratio",
                                    List.of(
                                            before.storedRatio(),
                                            afterwards.storedRatio(),
                                            whenWritten.storedRatio()))))
                    .write(directory);
        }

        public void print(PrintWriter out) {
            out.printf(Locale.ROOT, "%,d files of %,d bytes, half of them copies%n", files, size);
            line(out, "as written", before);
            line(out, "after dedup and compaction", afterwards);
            line(out, "shared when written", whenWritten);
            if (different != null) {
                out.printf(
                        Locale.ROOT,
                        "different files: %,.0f a second, %,.0f when equal ones are looked for (%.2f)%n",
                        different.filesPerS(),
                        different.lookingFilesPerS(),
                        different.ratio());
            }
            out.printf(Locale.ROOT, "%,d files were read back wrong%n", wrong);
        }

        private static void line(PrintWriter out, String what, Tree tree) {
            out.printf(
                    Locale.ROOT,
                    "%-28s %8.3f times the different bytes stored, %,d PUTs%n",
                    what,
                    tree.storedRatio(),
                    tree.put());
        }
    }

    public DedupExperiment {
        if (files < 2 || size < Long.BYTES || clients < 1 || window < 1 || runs < 0) {
            throw new IllegalArgumentException(
                    "--files must be at least 2, --size at least 8 bytes, and the other numbers positive");
        }
    }

    /** Starts servers for one mount with these options, and stops them. */
    public interface Rigs {
        <T> T with(Map<String, String> options, Measure<T> measure) throws IOException, InterruptedException;
    }

    /** Measures on one mount. */
    public interface Measure<T> {
        T on(EngineRig rig) throws IOException, InterruptedException;
    }

    /** The stored bytes of a tree, and the number of its wrong files. */
    private record Stored(Tree before, Tree after, long wrong) {}

    public Result run(Rigs rigs) throws IOException, InterruptedException {
        Stored later = rigs.with(EAGER, rig -> tree(rig, true));
        Stored atOnce = rigs.with(WHEN_WRITTEN, rig -> tree(rig, false));
        return new Result(
                files,
                size,
                later.before(),
                later.after(),
                atOnce.before(),
                different(rigs),
                later.wrong() + atOnce.wrong());
    }

    private @Nullable Different different(Rigs rigs) throws IOException, InterruptedException {
        if (runs == 0) {
            return null;
        }
        List<Double> plain = new ArrayList<>();
        List<Double> looking = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            plain.add(rigs.with(Map.of(), this::rate));
            looking.add(rigs.with(WHEN_WRITTEN, this::rate));
        }
        double plainRate = Median.of(plain);
        double lookingRate = Median.of(looking);
        return new Different(plainRate, lookingRate, lookingRate / plainRate);
    }

    /** The number of a file that has the same bytes: of an even one its own, of an odd one that of an even one before it. */
    private static long original(long number) {
        return number % 2 == 0 ? number : Long.remainderUnsigned(number * SCATTER, (number + 1) / 2) * 2;
    }

    private SmallFiles numbered(String root, LongUnaryOperator original) {
        NumberedFileContent contents = new NumberedFileContent(size, SEED);
        int fitting = SmallFiles.window(window, clients, size);
        return new SmallFiles(root, size, fitting, number -> contents.of(original.applyAsLong(number)));
    }

    private Stored tree(EngineRig rig, boolean later) throws IOException, InterruptedException {
        SmallFiles tree = numbered("tree", DedupExperiment::original);
        Meter meter = Meter.start(rig.s3(), EngineRig.PACKED);
        try (EngineRig.Client client = rig.client()) {
            narrator.accept(String.format(Locale.ROOT, "writing %,d files, half of them copies", files));
            Clients.run(clients, files, done -> {}, numbers -> tree.write(client.mount(), numbers));
            client.mount().flush();
            Tree written = new Tree(storedRatio(rig), meter.puts());
            if (later) {
                narrator.accept("sharing equal files, and compacting");
                Deduplicated unused = new Dedup(client.mount().bdt(), client.mount()::open, false, narrator)
                        .run(new FilePath("/tree"), seen -> {});
                awaitCompaction(client.mount().bdt());
            }
            AtomicLong right = new AtomicLong();
            Clients.run(clients, files, done -> {}, numbers -> right.addAndGet(tree.verify(client.mount(), numbers)));
            return new Stored(written, new Tree(storedRatio(rig), meter.puts()), files - right.get());
        }
    }

    /** Waits until nothing more is given up for some passes. */
    private static void awaitCompaction(Bdt bdt) throws IOException, InterruptedException {
        long bytes = bdt.statistics().blobBytes();
        int same = 0;
        for (int second = 0; second < MOST_SECONDS && same < QUIET_SECONDS; second++) {
            TimeUnit.SECONDS.sleep(1);
            long now = bdt.statistics().blobBytes();
            same = now == bytes ? same + 1 : 0;
            bytes = now;
        }
    }

    private double storedRatio(EngineRig rig) throws IOException {
        long bytes = 0;
        try (ObjectStore store = rig.packed()) {
            String after = "";
            for (List<ObjectInfo> page = store.list(BlobName.FOLDER, after, PAGE);
                    !page.isEmpty();
                    page = store.list(BlobName.FOLDER, after, PAGE)) {
                bytes += page.stream().mapToLong(ObjectInfo::length).sum();
                after = page.get(page.size() - 1).key();
            }
        }
        return (double) bytes / ((files + 1) / 2 * size);
    }

    private double rate(EngineRig rig) throws IOException, InterruptedException {
        narrator.accept(String.format(Locale.ROOT, "writing %,d different files", files));
        try (EngineRig.Client client = rig.client()) {
            // What is compiled for the first files is not measured; nor are they in the way of the others.
            SmallFiles first = numbered("first", number -> -1 - number);
            Clients.run(clients, files, done -> {}, numbers -> first.write(client.mount(), numbers));
            client.mount().flush();
            SmallFiles different = numbered("different", number -> number);
            long start = System.nanoTime();
            Clients.run(clients, files, done -> {}, numbers -> different.write(client.mount(), numbers));
            return files / ((System.nanoTime() - start) / 1e9);
        }
    }
}
