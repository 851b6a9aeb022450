// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import io.packing.bdt.master.cloud.MountKeys;
import io.packing.bdt.master.cloud.MountStorage;
import io.packing.bdt.master.cloud.SpannedWork;
import io.packing.bdt.master.cloud.Uploader;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.row.Inode;
import io.packing.durable.OwnerOnly;
import io.packing.spans.Spans;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wins back what sparse blobs hold for nothing: their live extents become a new blob, so that the garbage collector may
 * take the old ones.
 *
 * <p>The new blob has its row before it is pushed, without a file: if this process ends before the commit, the garbage
 * collector finds it there. The commit moves only extents that are still where they were copied from, so a file that was
 * deleted or overwritten meanwhile stays so, and one that was renamed keeps its new name. Confined to the upkeep thread.
 */
public final class Compactor {
    private static final Logger LOG = LoggerFactory.getLogger(Compactor.class);
    private static final int FILES_PER_COMMIT = 5_000;

    /**
     * The schedule and bounds of compaction.
     *
     * @param interval time between two passes
     * @param below live share under which a blob is compacted; 0: never
     * @param blobBytes at which a new blob is complete
     * @param windowBytes read with one request
     * @param minDeadBytes that a blob must have to be worth reading
     * @param minWonBytes that a new blob must win back to be worth a PUT
     */
    public record CompactionOptions(
            Duration interval, double below, long blobBytes, int windowBytes, long minDeadBytes, long minWonBytes) {
        private static final long MIB = 1L << 20;

        /** The bounds of docs/bdt-protocol.md: at most 16 PUTs and 400 GETs for each GB won back. */
        public static CompactionOptions of(Duration interval, double below) {
            return new CompactionOptions(interval, below, 256 * MIB, (int) (16 * MIB), 8 * MIB, 64 * MIB);
        }
    }

    /** A footer with more files is made of too much memory. */
    private static final int MAX_FILES = 1 << 18;
    /** Disk to leave free: the table's engine must not meet a full one. */
    private static final long SPARE_DISK_BYTES = 1L << 30;

    private final String mount;
    private final Table table;
    private final ObjectStore objects;
    private final Uploader uploader;
    private final CompactionOptions schedule;
    private final Path scratch;
    private final MountKeys keys;
    private final Spans spans;
    private final Clocks clocks;
    private final SparseBlobs sparse;
    private final OwnBlobs blobs;
    private List<SparseBlobs.Sparse> left = List.of();
    private long nextPass;

    public Compactor(MountStorage storage, Uploader uploader, CompactionOptions schedule, Clocks clocks) {
        this.mount = storage.mount();
        this.table = storage.table();
        this.objects = storage.objects();
        this.uploader = uploader;
        this.schedule = schedule;
        this.scratch = storage.scratch();
        this.keys = storage.keys();
        this.spans = storage.spans();
        this.clocks = clocks;
        this.blobs = new OwnBlobs(storage, clocks);
        this.sparse = new SparseBlobs(storage.table().rows(), schedule.below(), schedule.minDeadBytes());
        this.nextPass = clocks.nanoTime() + schedule.interval().toNanos();
    }

    /** Makes at most one new blob; returns whether it did. */
    public boolean step() throws IOException {
        if (schedule.below() == 0) {
            return false;
        }
        if (left.isEmpty() && clocks.nanoTime() - nextPass >= 0) {
            nextPass = clocks.nanoTime() + schedule.interval().toNanos();
            left = sparse.next();
        }
        List<SparseBlobs.Sparse> batch = batch();
        left = left.subList(batch.size(), left.size());
        long won = batch.stream().mapToLong(each -> each.blob().dead()).sum();
        if (batch.isEmpty() || won < schedule.minWonBytes()) {
            return false;
        }
        return SpannedWork.run(spans, "compaction", span -> {
            compact(batch);
            return true;
        });
    }

    /** The next blobs whose live bytes make a new one. */
    private List<SparseBlobs.Sparse> batch() {
        long bytes = 0;
        int count = 0;
        while (count < left.size() && bytes < schedule.blobBytes()) {
            bytes += left.get(count).blob().live();
            count++;
        }
        return List.copyOf(left.subList(0, count));
    }

    private void compact(List<SparseBlobs.Sparse> batch) throws IOException {
        long needed = batch.stream().mapToLong(each -> each.blob().live()).sum();
        if (Files.getFileStore(scratch).getUsableSpace() - needed < SPARE_DISK_BYTES) {
            LOG.warn("mount {}: {} sparse blobs stay: too little room in {}", mount, batch.size(), scratch);
            return;
        }
        uploader.checkOwner();
        Path file = scratch.resolve("compacted");
        try (FileChannel channel = OwnerOnly.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
                Compaction compaction = new Compaction(table, objects, schedule.windowBytes(), channel, keys)) {
            int taken = 0;
            while (taken < batch.size() && compaction.files() < MAX_FILES) {
                if (!compaction.add(batch.get(taken))) {
                    sparse.keep(batch.get(taken));
                }
                taken++;
            }
            if (compaction.files() > 0) {
                push(compaction, file, batch.subList(0, taken));
            }
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private void push(Compaction compaction, Path file, List<SparseBlobs.Sparse> from) throws IOException {
        Compaction.Verified verified = compaction.finish(file.toString());
        OwnBlobs.Pushed pushed = blobs.push(verified.blob(), verified.crc32c(), file);
        int committed = commit(compaction.moved(), pushed.number());
        LOG.info(
                "mount {}: {} has {} files of {} sparse blobs of {} bytes; {} had changed meanwhile",
                mount,
                pushed.name(),
                committed,
                from.size(),
                from.stream().mapToLong(each -> each.blob().total()).sum(),
                compaction.files() - committed);
    }

    private int commit(List<Compaction.Moved> moved, long number) throws IOException {
        int committed = 0;
        for (int at = 0; at < moved.size(); at += FILES_PER_COMMIT) {
            List<Compaction.Moved> some = moved.subList(at, Math.min(moved.size(), at + FILES_PER_COMMIT));
            committed += Waiting.on(table.writer().submit(t -> {
                int count = 0;
                for (Compaction.Moved file : some) {
                    count += move(t, file, number) ? 1 : 0;
                }
                // A position of its own: no earlier backup covers the blobs that die by it.
                t.change().nextPosition();
                return count;
            }));
        }
        return committed;
    }

    /** Points a file's extents to their copies, those of them that it still has. */
    private static boolean move(Transaction transaction, Compaction.Moved moved, long number) throws IOException {
        Optional<Inode.Place> place = transaction.namespace().place(moved.version());
        if (!(place.orElse(null) instanceof Inode.Packed packed)) {
            return false;
        }
        List<Inode.StoredExtent> extents = new ArrayList<>(packed.extents());
        for (Compaction.Move move : moved.moves()) {
            extents.replaceAll(extent ->
                    extent.blob() == move.fromBlob() && extent.extent().equals(move.from())
                            ? new Inode.StoredExtent(number, move.to())
                            : extent);
        }
        transaction.place(moved.version(), Inode.Packed.of(extents));
        return true;
    }
}
