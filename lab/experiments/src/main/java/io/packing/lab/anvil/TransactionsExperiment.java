// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.anvil;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.Median;
import io.packing.lab.figure.CostBySize;
import io.packing.lab.load.Clients;
import io.packing.rig.DirectoryRig;
import io.packing.rig.EngineRig;
import io.packing.worker.api.AtomicOutput;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.function.ToDoubleFunction;

/**
 * Atomic writes of chunks into a large file (ANViL §5.3, Figure 4): a scratch file whose bytes one vector moves into place,
 * against a journal, for which every byte is written twice. A write in place is a scratch file and a vector on both sides,
 * since a mount has no other; the journal's side writes the chunk to its journal before. One client, which waits for each
 * write to be as durable as the mount says; the sides take turns.
 *
 * @param chunks sizes of a write, in bytes, at most 4 MiB
 * @param fileSize bytes of the file that is written into
 * @param writes of one turn at most; fewer when no more fit into the file
 * @param rounds turns of each side; figures are medians
 */
public record TransactionsExperiment(List<Integer> chunks, long fileSize, int writes, int rounds, Narrator narrator) {
    private static final long SEED = 11;
    private static final int PIECE = 1 << 20;
    private static final CreateOptions NEW = new CreateOptions("hdfs", "hadoop", 0644, true, false);
    private static final CreateOptions REPLACE = new CreateOptions("hdfs", "hadoop", 0644, true, true);
    private static final FilePath ORIGINAL = new FilePath("/transactions/original");
    private static final FilePath TARGET = new FilePath("/transactions/target");
    private static final FilePath JOURNAL = new FilePath("/transactions/journal");

    public TransactionsExperiment {
        chunks = List.copyOf(chunks);
        if (writes < 1 || rounds < 1 || chunks.isEmpty()) {
            throw new IllegalArgumentException("--writes, --rounds and the number of --chunks must be positive");
        }
        for (int chunk : chunks) {
            if (fileSize < chunk) {
                throw new IllegalArgumentException(
                        "--file-size %d is less than a chunk of %d bytes".formatted(fileSize, chunk));
            }
        }
    }

    /** One size of writes. */
    public record Row(
            int chunk,
            @JsonProperty("vector_mb_s") double vectorRate,
            @JsonProperty("journal_mb_s") double journalRate,
            double ratio) {}

    /** All sizes, as JSON a list; MB are 10^6 bytes. */
    public record Result(@JsonValue List<Row> rows) {
        /** Draws both rates by the size of a chunk. */
        public void draw(Path directory) throws IOException {
            new CostBySize(
                            "transactions",
                            "Atomic writes into a large file, by the bytes of each",
                            "MB per second",
                            "mb_s",
                            List.of(line("vector", Row::vectorRate), line("journal", Row::journalRate)))
                    .write(directory);
        }

        private CostBySize.Line line(String way, ToDoubleFunction<Row> rate) {
            return new CostBySize.Line(
                    way,
                    rows.stream()
                            .map(row -> new CostBySize.Point(row.chunk(), rate.applyAsDouble(row)))
                            .toList());
        }

        public void print(PrintWriter out) {
            out.printf(Locale.ROOT, "%12s %14s %14s %8s%n", "chunk, bytes", "vector, MB/s", "journal, MB/s", "ratio");
            rows.forEach(row -> out.printf(
                    Locale.ROOT,
                    "%,12d %,14.2f %,14.2f %8.2f%n",
                    row.chunk(),
                    row.vectorRate(),
                    row.journalRate(),
                    row.ratio()));
        }
    }

    /** Runs it on a mount. */
    public Result run(DirectoryRig rig) throws IOException, InterruptedException {
        try (EngineRig.Client client = rig.client()) {
            return new Run(client.mount()).run();
        }
    }

    private final class Run {
        private final RemotePackingFileSystem mount;
        private final SplittableRandom random = new SplittableRandom(SEED);

        Run(RemotePackingFileSystem mount) {
            this.mount = mount;
        }

        Result run() throws IOException, InterruptedException {
            Map<Integer, List<Double>> vector = new LinkedHashMap<>();
            Map<Integer, List<Double>> journal = new LinkedHashMap<>();
            writeOriginal();
            // The first round warms the processes up.
            for (int round = 0; round <= rounds; round++) {
                narrator.accept(round == 0 ? "warm-up" : "round %d of %d".formatted(round, rounds));
                for (int chunk : chunks) {
                    double byVector = turn(chunk, false);
                    double byJournal = turn(chunk, true);
                    if (round > 0) {
                        vector.computeIfAbsent(chunk, c -> new ArrayList<>()).add(byVector);
                        journal.computeIfAbsent(chunk, c -> new ArrayList<>()).add(byJournal);
                    }
                }
            }
            List<Row> rows = new ArrayList<>();
            vector.forEach((chunk, rates) -> {
                List<Double> others = journal.getOrDefault(chunk, List.of());
                List<Double> ratios = new ArrayList<>();
                for (int i = 0; i < rates.size(); i++) {
                    ratios.add(rates.get(i) / others.get(i));
                }
                rows.add(new Row(chunk, Median.of(rates), Median.of(others), Median.of(ratios)));
            });
            return new Result(rows);
        }

        /** Megabytes per second of one turn, into a file as it was at first. */
        private double turn(int chunk, boolean journalled) throws IOException, InterruptedException {
            apply(new Operation.CloneFile(ORIGINAL, TARGET, true, AttributeChange.NONE));
            mount.flush();
            int count = (int) Math.min(writes, fileSize / chunk);
            byte[] bytes = new byte[chunk];
            random.nextBytes(bytes);
            long start = System.nanoTime();
            for (int i = 0; i < count; i++) {
                if (journalled) {
                    put(JOURNAL, bytes, REPLACE);
                }
                write(bytes, (long) i * chunk);
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            check(bytes, count);
            return (double) chunk * count / seconds / 1e6;
        }

        private void writeOriginal() throws IOException {
            byte[] bytes = new byte[PIECE];
            try (PackingOutput out = mount.create(ORIGINAL, NEW)) {
                for (long left = fileSize; left > 0; left -= PIECE) {
                    random.nextBytes(bytes);
                    out.write(bytes, 0, (int) Math.min(PIECE, left));
                }
            }
        }

        private void put(FilePath path, byte[] bytes, CreateOptions options) throws IOException, InterruptedException {
            try {
                if (mount.put(path, ByteBuffer.wrap(bytes), options).get().id() <= 0) {
                    throw new IllegalStateException("a file without an id");
                }
            } catch (ExecutionException e) {
                throw Clients.failure(e);
            }
        }

        private void write(byte[] bytes, long at) throws IOException {
            try (AtomicOutput out = mount.writeAt(TARGET, at)) {
                out.write(bytes);
            }
        }

        private void apply(Operation... operations) throws IOException {
            if (mount.bdt().apply(OperationVector.of(operations)) instanceof VectorResult.Refused refused) {
                throw new IOException("a write was refused: " + refused.reason());
            }
        }

        /** Checks that a reader gets the written bytes, at both ends at least. */
        private void check(byte[] bytes, int count) throws IOException {
            try (PackingInput in = mount.open(TARGET)) {
                for (long at : new long[] {0, (long) (count - 1) * bytes.length}) {
                    ByteBuffer read = ByteBuffer.allocate(bytes.length);
                    while (read.hasRemaining() && in.read(at + read.position(), read) >= 0) {
                        // Reads on.
                    }
                    if (!read.flip().equals(ByteBuffer.wrap(bytes))) {
                        throw new IOException("the bytes at %d are not those that were written".formatted(at));
                    }
                }
            }
        }
    }
}
