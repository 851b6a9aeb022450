// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.totalcow;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.Median;
import io.packing.lab.figure.CostBySize;
import io.packing.rig.DirectoryRig;
import io.packing.rig.EngineRig;
import io.packing.store.RequestKind;
import io.packing.worker.api.AtomicOutput;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.ScratchFile;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Overwrites of the first bytes of a file that others share (TotalCOW §3.2, Figures 5 and 6): redirect-on-write by a vector
 * into a clone, against the copy of the whole file that a union file system makes. First 2 MB of files of all sizes, then all
 * sizes of the largest file. Each is as durable as the mount says when the clock stops.
 *
 * @param sizes in bytes, ascending
 * @param rounds turns of each way; milliseconds are medians
 */
public record OverwriteExperiment(List<Long> sizes, int rounds, Narrator narrator) {
    /** The master uploads and collects nothing meanwhile: the store grows by the written bytes. */
    public static final Map<String, String> MOUNT_OPTIONS = Map.of(
            "packing.journal.interval", "10h",
            "packing.backup.interval", "10h",
            "packing.gc.interval", "10h");

    static final long SMALL_WRITE = 2L << 20;
    private static final int PIECE = 1 << 20;
    private static final CreateOptions NEW = new CreateOptions("hdfs", "hadoop", 0644, true, false);
    private static final FilePath TARGET = new FilePath("/overwrites/target");

    public OverwriteExperiment {
        sizes = List.copyOf(sizes);
        if (sizes.isEmpty() || rounds < 1 || sizes.stream().anyMatch(size -> size < 1)) {
            throw new IllegalArgumentException("--sizes and --rounds must be positive");
        }
    }

    /**
     * The cost of an overwrite.
     *
     * @param writtenBytes by which the store grew
     * @param readBytes that were fetched from it
     */
    public record Cost(
            @JsonProperty("ms") double millis,
            @JsonProperty("written_bytes") long writtenBytes,
            @JsonProperty("read_bytes") long readBytes) {
        static Cost median(List<Cost> all) {
            return new Cost(
                    Median.of(all.stream().map(Cost::millis).toList()),
                    all.stream().mapToLong(Cost::writtenBytes).max().orElseThrow(),
                    all.stream().mapToLong(Cost::readBytes).max().orElseThrow());
        }
    }

    /** One size of file and of overwrite, both ways. */
    public record Row(long file, long overwritten, Cost vector, Cost copy, double speedup) {}

    /**
     * All sizes.
     *
     * @param pageCache empty unless it was measured
     */
    public record Result(
            List<Row> rows, @JsonProperty("page_cache") List<PageCacheOverwrites.Row> pageCache) {
        public Result {
            rows = List.copyOf(rows);
            pageCache = List.copyOf(pageCache);
        }

        /** Returns the result with the page cache after overwrites. */
        public Result with(List<PageCacheOverwrites.Row> measured) {
            return new Result(rows, measured);
        }

        /** Draws milliseconds and stored bytes, of files of all sizes and of overwrites of all sizes. */
        public void draw(Path directory) throws IOException {
            long largest = rows.stream().mapToLong(Row::file).max().orElse(0);
            List<Row> byFile = rows.stream()
                    .filter(row -> row.overwritten() == Math.min(row.file(), SMALL_WRITE))
                    .toList();
            List<Row> byOverwrite =
                    rows.stream().filter(row -> row.file() == largest).toList();
            String first = "Overwrite of the first 2 MB, by the size of the file";
            String part = "Overwrite of a part of the largest file, by the size of the part";
            time(directory, "overwrite-files", first, byFile, Row::file);
            stored(directory, "overwrite-files-stored", first, byFile, Row::file);
            time(directory, "overwrite-parts", part, byOverwrite, Row::overwritten);
            stored(directory, "overwrite-parts-stored", part, byOverwrite, Row::overwritten);
        }

        private static void time(Path directory, String name, String title, List<Row> rows, ToLongFunction<Row> size)
                throws IOException {
            new CostBySize(name, title, "milliseconds", "ms", lines(rows, size, Cost::millis)).write(directory);
        }

        private static void stored(Path directory, String name, String title, List<Row> rows, ToLongFunction<Row> size)
                throws IOException {
            new CostBySize(
                            name,
                            title,
                            "bytes by which the store grew",
                            "written_bytes",
                            lines(rows, size, Cost::writtenBytes))
                    .write(directory);
        }

        private static List<CostBySize.Line> lines(
                List<Row> rows, ToLongFunction<Row> size, ToDoubleFunction<Cost> value) {
            return List.of(
                    line("vector", rows, size, row -> value.applyAsDouble(row.vector())),
                    line("copy", rows, size, row -> value.applyAsDouble(row.copy())));
        }

        private static CostBySize.Line line(
                String way, List<Row> rows, ToLongFunction<Row> size, ToDoubleFunction<Row> value) {
            return new CostBySize.Line(
                    way,
                    rows.stream()
                            .map(row -> new CostBySize.Point(size.applyAsLong(row), value.applyAsDouble(row)))
                            .toList());
        }

        public void print(PrintWriter out) {
            out.printf(
                    Locale.ROOT,
                    "%14s %14s %12s %12s %14s %14s %9s%n",
                    "file, bytes",
                    "overwritten",
                    "vector, ms",
                    "copy, ms",
                    "vector wrote",
                    "copy wrote",
                    "speedup");
            rows.forEach(row -> out.printf(
                    Locale.ROOT,
                    "%,14d %,14d %,12.1f %,12.1f %,14d %,14d %9.1f%n",
                    row.file(),
                    row.overwritten(),
                    row.vector().millis(),
                    row.copy().millis(),
                    row.vector().writtenBytes(),
                    row.copy().writtenBytes(),
                    row.speedup()));
            if (!pageCache.isEmpty()) {
                PageCacheOverwrites.print(pageCache, out);
            }
        }
    }

    /** Runs it on a mount. */
    public Result run(DirectoryRig rig) throws IOException, InterruptedException {
        AtomicLong fetched = new AtomicLong();
        List<Row> rows = new ArrayList<>();
        long largest = sizes.get(sizes.size() - 1);
        Run run = new Run(rig, fetched);
        for (long size : sizes) {
            run.write(size);
            rows.add(run.row(size, Math.min(size, SMALL_WRITE)));
        }
        for (long overwritten : sizes) {
            if (overwritten > SMALL_WRITE) {
                rows.add(run.row(largest, overwritten));
            }
        }
        return new Result(rows, List.of());
    }

    /** One way to overwrite. */
    private interface Way {
        void overwrite(RemotePackingFileSystem mount, FilePath file, long length, long overwritten) throws IOException;
    }

    private final class Run {
        private final DirectoryRig rig;
        private final AtomicLong fetched;

        Run(DirectoryRig rig, AtomicLong fetched) {
            this.rig = rig;
            this.fetched = fetched;
        }

        private EngineRig.Client client() throws IOException {
            return rig.client((kind, bytes, outcome) -> fetched.addAndGet(kind == RequestKind.GET ? bytes : 0));
        }

        void write(long size) throws IOException {
            narrator.accept(String.format(Locale.ROOT, "a file of %,d bytes", size));
            try (EngineRig.Client client = client();
                    PackingOutput out = client.mount().create(original(size), NEW)) {
                fill(out, size, 0);
            }
        }

        Row row(long size, long overwritten) throws IOException {
            narrator.accept(String.format(Locale.ROOT, "%,d of %,d bytes are overwritten", overwritten, size));
            List<Cost> vector = new ArrayList<>();
            List<Cost> copy = new ArrayList<>();
            // The first round warms the processes up.
            for (int round = 0; round <= rounds; round++) {
                Cost byVector = cost(OverwriteExperiment::redirect, size, overwritten);
                Cost byCopy = cost(OverwriteExperiment::copy, size, overwritten);
                if (round > 0) {
                    vector.add(byVector);
                    copy.add(byCopy);
                }
            }
            Cost redirected = Cost.median(vector);
            Cost copied = Cost.median(copy);
            return new Row(size, overwritten, redirected, copied, copied.millis() / redirected.millis());
        }

        /** Each time by a client with an empty cache. */
        private Cost cost(Way way, long size, long overwritten) throws IOException {
            rig.flush();
            try (EngineRig.Client client = client()) {
                long stored = client.mount().bdt().statistics().blobBytes();
                long before = fetched.get();
                long start = System.nanoTime();
                way.overwrite(client.mount(), original(size), size, overwritten);
                double millis = (System.nanoTime() - start) / 1e6;
                long read = fetched.get() - before;
                client.mount().flush();
                long written = client.mount().bdt().statistics().blobBytes() - stored;
                check(client.mount(), size, overwritten);
                if (client.mount().bdt().delete(TARGET, false) != Outcome.DONE) {
                    throw new IOException("cannot delete " + TARGET);
                }
                return new Cost(millis, written, read);
            }
        }
    }

    private static FilePath original(long size) {
        return new FilePath("/overwrites/original-" + size);
    }

    /** Bytes of a file, the same for each seed. */
    private static void fill(AtomicOutput out, long length, long seed) throws IOException {
        Random random = new Random(seed);
        byte[] piece = new byte[PIECE];
        for (long left = length; left > 0; left -= PIECE) {
            random.nextBytes(piece);
            out.write(piece, 0, (int) Math.min(PIECE, left));
        }
    }

    private static void redirect(RemotePackingFileSystem mount, FilePath file, long length, long overwritten)
            throws IOException {
        ScratchFile scratch = ScratchFile.create(mount, "", file);
        fill(scratch, overwritten, 1);
        scratch.close();
        OperationVector vector = OperationVector.of(
                new Operation.CloneFile(file, TARGET, false, AttributeChange.NONE),
                scratch.put(0, overwritten, TARGET, 0),
                scratch.delete());
        if (mount.bdt().apply(vector) instanceof VectorResult.Refused refused) {
            throw new IOException("an overwrite was refused: " + refused.reason());
        }
    }

    private static void copy(RemotePackingFileSystem mount, FilePath file, long length, long overwritten)
            throws IOException {
        try (PackingInput in = mount.open(file);
                PackingOutput out = mount.create(TARGET, NEW)) {
            fill(out, overwritten, 1);
            ByteBuffer piece = ByteBuffer.allocate(PIECE);
            for (long at = overwritten; at < length; ) {
                piece.clear();
                int count = in.read(at, piece);
                if (count <= 0) {
                    throw new IOException("%s ends at %d".formatted(file, at));
                }
                out.write(piece.array(), 0, count);
                at += count;
            }
        }
    }

    /** Checks that a reader gets the written bytes, before and behind the end of the overwrite. */
    private static void check(RemotePackingFileSystem mount, long length, long overwritten) throws IOException {
        try (PackingInput in = mount.open(TARGET)) {
            expect(in, 0, 1);
            if (length >= overwritten + PIECE && overwritten % PIECE == 0) {
                Random random = new Random(0);
                byte[] piece = new byte[PIECE];
                for (long at = 0; at <= overwritten; at += PIECE) {
                    random.nextBytes(piece);
                }
                expect(in, overwritten, piece);
            }
            if (in.attributes().length() != length) {
                throw new IOException(
                        "%s has %d bytes".formatted(TARGET, in.attributes().length()));
            }
        }
    }

    private static void expect(PackingInput in, long at, long seed) throws IOException {
        byte[] piece = new byte[PIECE];
        new Random(seed).nextBytes(piece);
        expect(in, at, piece);
    }

    private static void expect(PackingInput in, long at, byte[] expected) throws IOException {
        ByteBuffer read = ByteBuffer.allocate(
                (int) Math.min(expected.length, in.attributes().length() - at));
        while (read.hasRemaining() && in.read(at + read.position(), read) > 0) {
            // Reads on.
        }
        if (!Arrays.equals(read.array(), Arrays.copyOf(expected, read.capacity()))) {
            throw new IOException("the bytes at %d are not those that were written".formatted(at));
        }
    }
}
