// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import io.packing.bdt.CopyOrder;
import io.packing.bdt.master.cloud.MountKeys;
import io.packing.bdt.master.cloud.MountStorage;
import io.packing.bdt.master.cloud.SpannedWork;
import io.packing.bdt.master.cloud.Uploader;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.Table;
import io.packing.blob.CompactedBlob;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.FilePath;
import io.packing.durable.OwnerOnly;
import io.packing.options.PriceTable;
import io.packing.spans.Spans;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wins back what sparse blobs hold for nothing: their live extents become a new blob, so that the garbage collector may
 * take the old ones.
 *
 * <p>The new blob has its row before it is pushed, without a file: if this process ends before the commit, the garbage
 * collector finds it there. Confined to the upkeep thread.
 */
public final class Compactor {
    private static final Logger LOG = LoggerFactory.getLogger(Compactor.class);
    /** A footer with more files is made of too much memory. */
    private static final int MAX_FILES = 1 << 18;
    /** Disk to leave free: the table's engine must not meet a full one. */
    private static final long SPARE_DISK_BYTES = 1L << 30;

    /**
     * The schedule and bounds of compaction.
     *
     * @param interval time between two passes
     * @param below live share under which a blob is compacted; 0: never
     * @param blobBytes at which a new blob is complete
     * @param windowBytes read with one request
     * @param leastCut the fewest dead bytes of an extent that are worth a cut
     * @param prices by which a compaction has to pay
     */
    public record CompactionOptions(
            Duration interval, double below, long blobBytes, int windowBytes, long leastCut, PriceTable prices) {
        private static final long MIB = 1L << 20;

        /** The bounds of docs/bdt-protocol.md. */
        public static CompactionOptions of(Duration interval, double below, PriceTable prices) {
            return new CompactionOptions(interval, below, 256 * MIB, (int) (16 * MIB), 64 << 10, prices);
        }
    }

    private final String mount;
    private final Table table;
    private final Uploader uploader;
    private final CompactionOptions schedule;
    private final CompactionBill bill;
    private final CompactionPlanner planner;
    private final DeadRanges inside;
    private final Path scratch;
    private final MountKeys keys;
    private final Spans spans;
    private final Clocks clocks;
    private final SparseBlobs sparse;
    private final OwnBlobs blobs;
    private final WorkerCopies copies;
    private List<SparseBlobs.Sparse> left = List.of();
    private long nextPass;

    /** Makes a compactor of a mount without workers: this process moves all bytes. */
    public Compactor(MountStorage storage, Uploader uploader, CompactionOptions schedule, Clocks clocks) {
        this(storage, uploader, schedule, new CopyOrders(clocks.nanos()), clocks);
    }

    /** @param orders to workers, which move the bytes if one is alive */
    public Compactor(
            MountStorage storage, Uploader uploader, CompactionOptions schedule, CopyOrders orders, Clocks clocks) {
        this.mount = storage.mount();
        this.table = storage.table();
        this.uploader = uploader;
        this.schedule = schedule;
        this.scratch = storage.scratch();
        this.keys = storage.keys();
        this.spans = storage.spans();
        this.clocks = clocks;
        this.blobs = new OwnBlobs(storage, clocks);
        this.bill = new CompactionBill(schedule.prices(), schedule.blobBytes(), schedule.windowBytes());
        this.planner = new CompactionPlanner(storage, schedule.leastCut());
        this.inside = new DeadRanges(storage.table(), schedule.leastCut());
        this.sparse = new SparseBlobs(storage.table().rows(), schedule.below(), bill, inside);
        this.copies = new WorkerCopies(storage, uploader, orders, blobs, sparse::keep, clocks);
        this.nextPass = clocks.nanoTime() + schedule.interval().toNanos();
    }

    /** Drops the copy that a worker makes: no blob may come or go for a while. Returns false: there is nothing to do. */
    boolean pause() {
        copies.drop();
        return false;
    }

    /** Does a bounded piece, as making a new blob; returns whether there was any. */
    public boolean step() throws IOException {
        if (schedule.below() == 0) {
            return false;
        }
        if (copies.step() || inside.step()) {
            return true;
        }
        if (copies.isUnderWay()) {
            return false;
        }
        if (copies.wasInVain()) {
            left = List.of();
        }
        if (left.isEmpty() && clocks.nanoTime() - nextPass >= 0) {
            nextPass = clocks.nanoTime() + schedule.interval().toNanos();
            left = sparse.next();
            inside.begin();
        }
        List<SparseBlobs.Sparse> batch = batch();
        left = left.subList(batch.size(), left.size());
        if (!bill.pays(batch)) {
            return false;
        }
        return SpannedWork.run(spans, "compaction", span -> {
            if (copies.isPossible()) {
                order(batch);
            } else {
                compact(batch);
            }
            return true;
        });
    }

    /** The next blobs whose live bytes make a new one. */
    private List<SparseBlobs.Sparse> batch() {
        long bytes = 0;
        int count = 0;
        while (count < left.size() && bytes < schedule.blobBytes()) {
            bytes += left.get(count).live();
            count++;
        }
        return List.copyOf(left.subList(0, count));
    }

    /** Orders a worker to copy a batch, or the first part of one that is too large for an order. */
    private void order(List<SparseBlobs.Sparse> batch) throws IOException {
        List<CompactionPlanner.Source> sources = new ArrayList<>();
        CompactionRanks ranks = new CompactionRanks(table.standing().lookups());
        int files = 0;
        int taken = 0;
        while (taken < batch.size() && files < CopyOrder.MOST_FILES) {
            Optional<CompactionPlanner.Source> source = planner.source(batch.get(taken));
            if (source.isEmpty()) {
                sparse.keep(batch.get(taken).number());
            } else {
                ranks.add(source.get());
                sources.add(source.get());
                files += source.get().files().size();
            }
            taken++;
        }
        boolean all = copies.order(sources, ranks.fix());
        List<SparseBlobs.Sparse> later = new ArrayList<>(batch.subList(all ? taken : taken - 1, batch.size()));
        later.addAll(left);
        left = later;
    }

    private void compact(List<SparseBlobs.Sparse> batch) throws IOException {
        long needed = batch.stream().mapToLong(SparseBlobs.Sparse::live).sum();
        if (Files.getFileStore(scratch).getUsableSpace() - 2 * needed < SPARE_DISK_BYTES) {
            LOG.warn("mount {}: {} sparse blobs stay: too little room in {}", mount, batch.size(), scratch);
            return;
        }
        uploader.checkOwner();
        Path file = scratch.resolve("compacted");
        Path waiting = scratch.resolve("compacted-waiting");
        try (FileChannel channel = create(file);
                FileChannel bytes = create(waiting)) {
            CompactedBlob blob = new CompactedBlob(channel, bytes, schedule.windowBytes(), keys.ofBlobs(), this::stays);
            CompactionRanks ranks = new CompactionRanks(table.standing().lookups());
            Map<String, Long> numbers = new HashMap<>();
            for (int i = 0; i < batch.size() && blob.files() < MAX_FILES; i++) {
                Optional<CompactionPlanner.Source> source = planner.source(batch.get(i));
                source.ifPresent(ranks::add);
                if (source.isEmpty() || !add(source.get(), blob)) {
                    sparse.keep(batch.get(i).number());
                }
                numbers.put(batch.get(i).blob().name().toString(), batch.get(i).number());
            }
            if (blob.files() > 0) {
                push(blob.finish(file.toString(), ranks.fix()), file, numbers);
            }
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(waiting);
        }
    }

    private static boolean add(CompactionPlanner.Source source, CompactedBlob blob) throws IOException {
        return blob.add(source.name(), source.object(), source.reader(), source.files());
    }

    private static FileChannel create(Path file) throws IOException {
        return OwnerOnly.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }

    private void stays(FilePath file, String why, Optional<CorruptBlobException> damage) {
        if (damage.isPresent()) {
            LOG.error("mount {}: {} stays in a sparse blob: {}", mount, file, why, damage.get());
        } else {
            LOG.warn("mount {}: {} stays in a sparse blob: {}", mount, file, why);
        }
    }

    private void push(CompactedBlob.Verified verified, Path file, Map<String, Long> numbers) throws IOException {
        OwnBlobs.Pushed pushed = blobs.push(verified.blob(), verified.crc32c(), file);
        int committed = new CompactionCommit(table, numbers, pushed.number()).commit(verified.moved());
        LOG.info(
                "mount {}: {} has {} files of {} sparse blobs; {} had changed meanwhile",
                mount,
                pushed.name(),
                committed,
                numbers.size(),
                verified.moved().size() - committed);
    }
}
