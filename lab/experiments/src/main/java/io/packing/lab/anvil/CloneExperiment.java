// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.anvil;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.AnsweredRequests;
import io.packing.lab.compare.Median;
import io.packing.lab.load.Clients;
import io.packing.rig.EngineRig;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * The cost of clones and snapshots (ANViL, Figures 1 and 2): copies and clones of files by size, and clones of small and large files and
 * trees, each over gRPC. Then writes while a snapshot sees the files that they replace.
 *
 * <p>The large file and the trees are in the table only: no client reads them, and a clone of a file asks for none of its bytes.
 *
 * @param files of the large tree; the small one has 1,000
 * @param clones of each kind; figures are medians
 * @param writes files that are overwritten in a turn, through a worker
 * @param rounds turns of copies, and of writes with and without a snapshot; figures are medians
 * @param copied sizes of files that are copied beside clones of them, ascending
 */
public record CloneExperiment(int files, int clones, int writes, int rounds, List<Long> copied, Narrator narrator) {
    /** The master uploads and collects nothing of its own meanwhile, so that every request to the store is a clone's. */
    public static final Map<String, String> MOUNT_OPTIONS = Map.of(
            "packing.journal.interval", "10h",
            "packing.backup.interval", "10h",
            "packing.gc.interval", "10h");

    /** Turns that warm the processes up, for each that counts. */
    private static final int WARM_UP = 20;

    /** A copy of a large file takes seconds. */
    private static final int MOST_COPIES = 3;

    private static final int SMALL_TREE = 1_000;
    private static final int PER_DIRECTORY = 1_000;
    private static final int CLAIMS_AT_ONCE = 5_000;
    private static final int SMALL_FILE = 1 << 10;
    /** As the log has it for a clone of a file. */
    private static final int RECORD_BYTES = 300;

    private static final long LARGE_FILE = 100L << 30;
    private static final String WORKER = "experiment";
    private static final FilePath TREES = new FilePath("/trees");

    public CloneExperiment {
        copied = List.copyOf(copied);
        if (files < SMALL_TREE || clones < 1 || writes < 1 || rounds < 1) {
            throw new IllegalArgumentException(
                    "--clones, --writes and --rounds must be positive, and --files at least %,d".formatted(SMALL_TREE));
        }
    }

    /**
     * The cost of clones of files of 1 KiB and of 100 GiB.
     *
     * @param syncMillis that an append of {@value #RECORD_BYTES} bytes with a sync takes on the same disk, in the same turns: no
     *     synced clone is faster
     */
    public record OfFile(
            @JsonProperty("small_ms") double smallMillis,
            @JsonProperty("large_ms") double largeMillis,
            @JsonProperty("sync_ms") double syncMillis,
            @JsonProperty("store_requests") long storeRequests) {}

    /**
     * The cost of clones of trees.
     *
     * @param rowsBytes that the master's log grew by for a clone of the large one
     */
    public record OfTree(
            @JsonProperty("small_ms") double smallMillis,
            @JsonProperty("large_ms") double largeMillis,
            @JsonProperty("rows_bytes") long rowsBytes) {}

    /** All figures; milliseconds are medians. */
    public record Result(
            OfFile file,
            OfTree tree,
            @JsonProperty("snapshot_write_ratio") double snapshotWriteRatio,
            @JsonProperty("snapshot_writes") SnapshotWrites.Rates snapshotWrites,
            @JsonProperty("by_size") List<CopyAgainstClone.Row> bySize) {
        /** Draws copies and clones by size, and writes with and without a snapshot. */
        public void draw(Path directory) throws IOException {
            CopyAgainstClone.figure(bySize).write(directory);
            snapshotWrites.figure().write(directory);
        }

        public void print(PrintWriter out) {
            out.printf(Locale.ROOT, "%-44s %10s %10s%n", "clone, ms", "small", "large");
            out.printf(
                    Locale.ROOT,
                    "%-44s %10.2f %10.2f%n",
                    "of a file (1 KiB, 100 GiB)",
                    file.smallMillis(),
                    file.largeMillis());
            out.printf(Locale.ROOT, "%-44s %10.2f%n", "a sync of the disk alone", file.syncMillis());
            out.printf(Locale.ROOT, "%-44s %10.2f %10.2f%n", "of a tree", tree.smallMillis(), tree.largeMillis());
            out.printf(Locale.ROOT, "%-44s %10d%n", "requests to the store for clones of files", file.storeRequests());
            out.printf(Locale.ROOT, "%-44s %10d%n", "bytes of the log for the clone of a tree", tree.rowsBytes());
            out.printf(
                    Locale.ROOT,
                    "%-44s %,10.0f %,10.0f%n",
                    "files overwritten a second, without and with",
                    snapshotWrites.without(),
                    snapshotWrites.with());
            out.printf(Locale.ROOT, "%-44s %10.2f%n", "rate of writes with a snapshot to without", snapshotWriteRatio);
            out.printf(Locale.ROOT, "%n%-44s %10s %10s%n", "of a file of as many bytes, ms", "clone", "copy");
            bySize.forEach(row ->
                    out.printf(Locale.ROOT, "%,44d %10.2f %10.2f%n", row.size(), row.cloneMillis(), row.copyMillis()));
        }
    }

    /** The disk with the master's log. */
    public interface LogDisk {
        /** Returns the size of the log in bytes. */
        long bytes() throws IOException;

        /** A directory on the same disk. */
        Path directory();
    }

    /** Runs it on a mount. */
    public Result run(EngineRig rig, LogDisk log) throws IOException, InterruptedException {
        try (EngineRig.Client client = rig.client()) {
            // No worker has the bytes of the files that are claimed later: no flush succeeds from then on.
            SnapshotWrites.Rates writing = new SnapshotWrites(writes, rounds, narrator).run(client.mount());
            List<CopyAgainstClone.Row> bySize =
                    new CopyAgainstClone(copied, Math.min(rounds, MOST_COPIES), narrator).run(client.mount());
            // What was written so far would be pushed while requests are counted.
            client.mount().flush();
            Run run = new Run(client.mount());
            AnsweredRequests before = AnsweredRequests.of(rig.s3().metrics().total());
            OfFile file = run.files(log);
            AnsweredRequests of =
                    AnsweredRequests.of(rig.s3().metrics().total()).since(before);
            OfTree tree = run.trees(log);
            return new Result(
                    new OfFile(
                            file.smallMillis,
                            file.largeMillis,
                            file.syncMillis,
                            of.put() + of.get() + of.list() + of.head()),
                    tree,
                    writing.ratio(),
                    writing,
                    bySize);
        } catch (ExecutionException e) {
            throw Clients.failure(e);
        }
    }

    static void apply(Bdt bdt, Operation operation) throws IOException {
        if (bdt.apply(OperationVector.of(operation)) instanceof VectorResult.Refused refused) {
            throw new IOException("%s was refused: %s".formatted(operation, refused.reason()));
        }
    }

    private final class Run {
        private final Bdt bdt;
        private final WorkerSession session;
        private int made;

        Run(RemotePackingFileSystem mount) throws IOException {
            this.bdt = mount.bdt();
            this.session = bdt.register(new WorkerRegistration(WORKER, "127.0.0.1:1"));
        }

        OfFile files(LogDisk log) throws IOException, InterruptedException, ExecutionException {
            narrator.accept("clones of files of 1 KiB and of 100 GiB");
            FilePath small = new FilePath("/file-small");
            FilePath large = new FilePath("/file-large");
            commit(small, SMALL_FILE);
            commit(large, LARGE_FILE);
            List<Double> smallMillis = new ArrayList<>();
            List<Double> largeMillis = new ArrayList<>();
            List<Double> syncMillis = new ArrayList<>();
            // The first clone of each makes its bytes a content. A master is a daemon: its code is compiled when the
            // clock starts.
            try (FileChannel file = FileChannel.open(
                    log.directory().resolve("sync"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                for (int i = -WARM_UP * clones; i < clones; i++) {
                    // What comes first after another file's sync is faster: the file system has less to write.
                    boolean smallFirst = i % 2 == 0;
                    double first = cloneFile(smallFirst ? small : large);
                    double second = cloneFile(smallFirst ? large : small);
                    if (i >= 0) {
                        smallMillis.add(smallFirst ? first : second);
                        largeMillis.add(smallFirst ? second : first);
                        syncMillis.add(sync(file));
                    }
                }
            }
            return new OfFile(Median.of(smallMillis), Median.of(largeMillis), Median.of(syncMillis), 0);
        }

        private double cloneFile(FilePath source) throws IOException {
            return clone(new Operation.CloneFile(source, next(), false, AttributeChange.NONE));
        }

        private double sync(FileChannel file) throws IOException {
            long start = System.nanoTime();
            int unused = file.write(ByteBuffer.allocate(RECORD_BYTES));
            file.force(false);
            return (System.nanoTime() - start) / 1e6;
        }

        OfTree trees(LogDisk log) throws IOException, InterruptedException, ExecutionException {
            FilePath small = TREES.child("small");
            FilePath large = TREES.child("large");
            claim(small, SMALL_TREE);
            narrator.accept("a tree of %,d files".formatted(files));
            claim(large, files);
            narrator.accept("clones of trees of %,d and of %,d files".formatted(SMALL_TREE, files));
            List<Double> smallMillis = new ArrayList<>();
            List<Double> largeMillis = new ArrayList<>();
            List<Double> bytes = new ArrayList<>();
            for (int i = -WARM_UP * clones; i < clones; i++) {
                double ofSmall = clone(new Operation.CloneDirectory(small, next()));
                long before = log.bytes();
                double ofLarge = clone(new Operation.CloneDirectory(large, next()));
                double grown = log.bytes() - before;
                if (i >= 0) {
                    smallMillis.add(ofSmall);
                    largeMillis.add(ofLarge);
                    bytes.add(grown);
                }
            }
            return new OfTree(Median.of(smallMillis), Median.of(largeMillis), Math.round(Median.of(bytes)));
        }

        private FilePath next() {
            return new FilePath("/clone-" + made++);
        }

        /** Milliseconds of one clone, which stays. */
        private double clone(Operation clone) throws IOException {
            long start = System.nanoTime();
            apply(clone);
            return (System.nanoTime() - start) / 1e6;
        }

        private void apply(Operation operation) throws IOException {
            CloneExperiment.apply(bdt, operation);
        }

        private void claim(FilePath tree, int count) throws IOException, InterruptedException, ExecutionException {
            for (int first = 0; first < count; first += CLAIMS_AT_ONCE) {
                List<CompletableFuture<ClaimResult>> claims = new ArrayList<>();
                for (int i = first; i < Math.min(count, first + CLAIMS_AT_ONCE); i++) {
                    FilePath path = tree.child("part-" + i / PER_DIRECTORY).child("f" + i);
                    claims.add(session.claim(new Claim(session.newFileId(), path, attributes(SMALL_FILE), true, true)));
                }
                for (CompletableFuture<ClaimResult> claim : claims) {
                    granted(claim.get());
                }
            }
        }

        /** A file in the table, as a worker would commit it that had pushed such a blob. */
        private void commit(FilePath path, long length) throws IOException, InterruptedException, ExecutionException {
            ClaimResult.Granted granted =
                    granted(session.claim(new Claim(session.newFileId(), path, attributes(length), true, true))
                            .get());
            BlobName blob = new BlobName(WORKER, length, granted.version().id());
            List<BlobExtent> extents = new ArrayList<>();
            for (long at = 0; at < length; at += Extent.MAX_LENGTH) {
                int part = (int) Math.min(Extent.MAX_LENGTH, length - at);
                extents.add(new BlobExtent(blob, new Extent(at, part, at, part, Codec.NONE, 0)));
            }
            session.heartbeat(new Heartbeat(
                    0,
                    0,
                    List.of(new PushedBlob(blob, length + 1)),
                    List.of(new CommittedFile(granted.version(), extents))));
        }

        private static ClaimResult.Granted granted(ClaimResult result) throws IOException {
            if (result instanceof ClaimResult.Granted granted) {
                return granted;
            }
            throw new IOException("a claim was refused: " + result);
        }

        private static FileAttributes attributes(long length) {
            return new FileAttributes(length, 0, "hdfs", "hadoop", 0644);
        }
    }
}
