// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.anvil;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.Median;
import io.packing.lab.figure.CostBySize;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Copies of files against clones of them, by size (ANViL, Figure 1). A copy reads the file from the store and writes its bytes
 * into a new one, as durable as the mount says; the reader's cache is warm from the second turn on. Both take turns.
 *
 * @param sizes in bytes, ascending
 * @param rounds turns of each way, ten times as many of files up to 1 MiB; milliseconds are medians
 */
public record CopyAgainstClone(List<Long> sizes, int rounds, Narrator narrator) {
    private static final int PIECE = 1 << 20;
    private static final int WARM_UP = 100;
    private static final long SMALL = 1 << 20;
    private static final int SMALL_TURNS = 10;
    private static final FilePath FILES = new FilePath("/copied");
    private static final CreateOptions NEW = new CreateOptions("hdfs", "hadoop", 0644, true, false);

    public CopyAgainstClone {
        sizes = List.copyOf(sizes);
        if (rounds < 1 || sizes.stream().anyMatch(size -> size < 1)) {
            throw new IllegalArgumentException("--copy-sizes and --rounds must be positive");
        }
    }

    /**
     * One size.
     *
     * @param size of the file in bytes
     */
    public record Row(
            long size,
            @JsonProperty("copy_ms") double copyMillis,
            @JsonProperty("clone_ms") double cloneMillis) {}

    /** Milliseconds of both ways by size. */
    static CostBySize figure(List<Row> rows) {
        return new CostBySize(
                "clone",
                "Copy and clone of a file",
                "milliseconds",
                "ms",
                List.of(
                        new CostBySize.Line(
                                "clone",
                                rows.stream()
                                        .map(row -> new CostBySize.Point(row.size(), row.cloneMillis()))
                                        .toList()),
                        new CostBySize.Line(
                                "copy",
                                rows.stream()
                                        .map(row -> new CostBySize.Point(row.size(), row.copyMillis()))
                                        .toList())));
    }

    List<Row> run(PackingFileSystem mount) throws IOException {
        for (long size : sizes) {
            write(mount, size);
        }
        mount.flush();
        // A master is a daemon: its code is compiled when the clock starts.
        for (int i = 0; i < WARM_UP && !sizes.isEmpty(); i++) {
            double unused = millis(mount, sizes.get(0), CopyAgainstClone::copy)
                    + millis(mount, sizes.get(0), CopyAgainstClone::clone);
        }
        List<Row> rows = new ArrayList<>();
        for (long size : sizes) {
            narrator.accept(String.format(Locale.ROOT, "copies and clones of a file of %,d bytes", size));
            List<Double> copies = new ArrayList<>();
            List<Double> clones = new ArrayList<>();
            // In the first turn the cache is cold, and the bytes become a content.
            int turns = size <= SMALL ? SMALL_TURNS * rounds : rounds;
            for (int turn = 0; turn <= turns; turn++) {
                double copy = millis(mount, size, CopyAgainstClone::copy);
                // The flush keeps the copy's pushes out of the time and the requests of the clone.
                mount.flush();
                double clone = millis(mount, size, CopyAgainstClone::clone);
                if (turn > 0) {
                    copies.add(copy);
                    clones.add(clone);
                }
            }
            rows.add(new Row(size, Median.of(copies), Median.of(clones)));
        }
        return rows;
    }

    private static FilePath original(long size) {
        return FILES.child("original-" + size);
    }

    private static void write(PackingFileSystem mount, long size) throws IOException {
        byte[] piece = new byte[PIECE];
        Random random = new Random(size);
        try (PackingOutput out = mount.create(original(size), NEW)) {
            for (long left = size; left > 0; left -= PIECE) {
                random.nextBytes(piece);
                out.write(piece, 0, (int) Math.min(PIECE, left));
            }
        }
    }

    /** One way to a file of the same bytes. */
    private interface Way {
        void take(PackingFileSystem mount, FilePath from, FilePath to) throws IOException;
    }

    /** Returns the milliseconds of one turn; deletes the new file afterwards. */
    private static double millis(PackingFileSystem mount, long size, Way way) throws IOException {
        FilePath to = FILES.child("new");
        long start = System.nanoTime();
        way.take(mount, original(size), to);
        double millis = (System.nanoTime() - start) / 1e6;
        try (PackingInput in = mount.open(to)) {
            if (in.attributes().length() != size) {
                throw new IOException(
                        "%s has %d bytes".formatted(to, in.attributes().length()));
            }
        }
        if (mount.bdt().delete(to, false) != Outcome.DONE) {
            throw new IOException("cannot delete " + to);
        }
        return millis;
    }

    private static void clone(PackingFileSystem mount, FilePath from, FilePath to) throws IOException {
        CloneExperiment.apply(mount.bdt(), new Operation.CloneFile(from, to, false, AttributeChange.NONE));
    }

    private static void copy(PackingFileSystem mount, FilePath from, FilePath to) throws IOException {
        try (PackingInput in = mount.open(from);
                PackingOutput out = mount.create(to, NEW)) {
            ByteBuffer piece = ByteBuffer.allocate(PIECE);
            for (long at = 0; in.read(at, piece.clear()) > 0; at += piece.position()) {
                out.write(piece.array(), 0, piece.position());
            }
        }
    }
}
