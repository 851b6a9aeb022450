// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.bdt.Reach;
import io.packing.bdt.master.cloud.MountStorage;
import io.packing.bdt.master.cloud.ObjectSource;
import io.packing.bdt.master.cloud.SpannedWork;
import io.packing.bdt.master.cloud.Uploader;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.read.CollectionTimes;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Rows;
import io.packing.blob.BlobName;
import io.packing.blob.BlobReader;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.FileVersion;
import io.packing.blob.PackedFile;
import io.packing.encryption.Keystore;
import io.packing.spans.Spans;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The collector that deletes blobs without live files.
 *
 * <p>A blob goes only when three things hold. It has been without live bytes for the grace period, so readers that
 * located a file before it was deleted are done. Both backups that a recovery may start from are younger than its last
 * live byte, so no recovery names it. And its footer lists no version that the table still wants: a claim with a pending commit
 * keeps the blob, despite the counters. The object goes first and its row second: a crash between the two
 * leaves a row that the next pass meets again. Confined to the upkeep thread.
 */
public final class GarbageCollector {
    private static final Logger LOG = LoggerFactory.getLogger(GarbageCollector.class);
    private static final int BLOBS_PER_STEP = 100;

    /**
     * The schedule of collection.
     *
     * @param interval time between two passes
     * @param grace how long a blob without live files is kept at least
     */
    public record CollectionOptions(Duration interval, Duration grace) {}

    /** The table had this position at that time. */
    private record Mark(long nanos, long position) {}

    /** @param deadFrom the position from which on the blob has no live bytes */
    private record Candidate(long number, BlobRow blob, long deadFrom) {}

    private final String mount;
    private final Table table;
    private final ObjectStore objects;
    private final Uploader uploader;
    private final CollectionOptions schedule;
    private final LongSupplier nanoClock;
    private final Keystore keystore;
    private final Spans spans;
    private final Predicate<BlobName> made;
    private final Deque<Mark> marks = new ArrayDeque<>();
    private long nextPass;
    /** Up to where blobs may go in this pass; 0 between passes. */
    private long ripe;

    private long resumeAt;
    private volatile Told told;

    /**
     * The state of the passes, for other threads.
     *
     * @param ripe up to where the grace period has ended
     */
    private record Told(List<Mark> marks, long ripe, long nextPass) {}

    public GarbageCollector(
            MountStorage storage, Uploader uploader, CollectionOptions schedule, LongSupplier nanoClock) {
        this(storage, uploader, schedule, nanoClock, blob -> false);
    }

    /** @param made tells blobs that are pushed at present, and that no file has yet */
    GarbageCollector(
            MountStorage storage,
            Uploader uploader,
            CollectionOptions schedule,
            LongSupplier nanoClock,
            Predicate<BlobName> made) {
        this.made = made;
        this.mount = storage.mount();
        this.table = storage.table();
        this.objects = storage.objects();
        this.uploader = uploader;
        this.schedule = schedule;
        this.keystore = storage.keys().keystore();
        this.spans = storage.spans();
        this.nanoClock = nanoClock;
        this.nextPass = nanoClock.getAsLong();
        this.told = new Told(List.of(), 0, nextPass);
    }

    /** Returns the times at which blobs may go, as of the last pass. Any thread may ask. */
    CollectionTimes times() {
        return new CollectionTimes() {
            @Override
            public Duration graceLeft(long deadFrom) {
                Told now = told;
                if (deadFrom <= now.ripe) {
                    return Duration.ZERO;
                }
                // Without a mark, the next pass makes one.
                long from = now.marks.stream()
                        .filter(mark -> deadFrom <= mark.position)
                        .findFirst()
                        .map(Mark::nanos)
                        .orElse(now.nextPass);
                long left = from + schedule.grace().toNanos() - nanoClock.getAsLong();
                return Duration.ofNanos(Math.max(0, left));
            }

            @Override
            public boolean isBackedUp(long deadFrom) {
                return deadFrom <= uploader.coveredPosition();
            }
        };
    }

    /** Deletes some blobs; returns whether there was anything to do. */
    public boolean step() throws IOException {
        // An object that a recovery could not read may say that files have bytes which the table takes for dead.
        if (uploader.isHeldBack() || (ripe == 0 && !beginPass())) {
            return false;
        }
        List<Candidate> candidates = candidates();
        if (candidates.isEmpty()) {
            ripe = 0;
            return false;
        }
        resumeAt = candidates.get(candidates.size() - 1).number + 1;
        return SpannedWork.run(spans, "collection", span -> {
            coverAndCollect(candidates);
            return true;
        });
    }

    private void coverAndCollect(List<Candidate> candidates) throws IOException {
        // No further than they need: a blob that is kept pass after pass must not cost backups each time.
        if (uploader.coveredPosition()
                < candidates.stream().mapToLong(Candidate::deadFrom).max().orElse(0)) {
            uploader.cover();
        }
        collect(candidates);
    }

    /** Begins a pass if one is due; returns whether a blob may have become old enough for it. */
    private boolean beginPass() {
        long now = nanoClock.getAsLong();
        if (now - nextPass < 0) {
            return false;
        }
        nextPass = now + schedule.interval().toNanos();
        marks.add(new Mark(now, table.position()));
        while (!marks.isEmpty()
                && now - marks.element().nanos >= schedule.grace().toNanos()) {
            ripe = marks.remove().position;
        }
        resumeAt = 0;
        told = new Told(List.copyOf(marks), Math.max(told.ripe, ripe), nextPass);
        return ripe > 0;
    }

    private List<Candidate> candidates() throws IOException {
        Rows rows = table.rows();
        List<Candidate> found = new ArrayList<>();
        rows.scan(Keys.numbered(Keys.DEAD, resumeAt), Keys.kindEnd(Keys.DEAD), (key, value) -> {
            long number = Keys.number(key);
            Optional<BlobRow> blob = rows.get(Keys.numbered(Keys.BLOB, number)).map(BlobRow::decode);
            long deadFrom = new Bytes.In(value).number();
            if (blob.isPresent()
                    && blob.get().settled()
                    && deadFrom <= ripe
                    && !made.test(blob.get().name())) {
                found.add(new Candidate(number, blob.get(), deadFrom));
            }
            return found.size() < BLOBS_PER_STEP;
        });
        return found;
    }

    private void collect(List<Candidate> candidates) throws IOException {
        List<Candidate> dead = new ArrayList<>();
        for (Candidate candidate : candidates) {
            if (isDead(candidate)) {
                dead.add(candidate);
            }
        }
        uploader.checkOwner();
        objects.delete(dead.stream().map(candidate -> key(candidate.blob)).toList());
        int forgotten = Waiting.on(table.writer().submit(t -> {
            int count = 0;
            for (Candidate candidate : dead) {
                count += t.blobs().forgetDead(candidate.number) ? 1 : 0;
            }
            return count;
        }));
        long bytes =
                dead.stream().mapToLong(candidate -> candidate.blob.total()).sum();
        LOG.info("mount {}: deleted {} blobs without live files, {} bytes", mount, forgotten, bytes);
    }

    private boolean isDead(Candidate candidate) throws IOException {
        BlobRow blob = candidate.blob;
        ObjectSource source = new ObjectSource(objects, key(blob), blob.total());
        Reach reach = table.statistics().reach();
        try {
            for (PackedFile file : BlobReader.open(source, blob.name().footerOffset(), keystore)
                    .footer()) {
                if (!reach.has(file.version())) {
                    LOG.warn(
                            "mount {}: {} is kept: its {} has a version that this table never gave out",
                            mount,
                            blob.name(),
                            file.path());
                    return false;
                }
                Optional<LocatedFile> wanted = table.locate(file.version());
                if (wanted.isPresent() && needs(wanted.get().placement(), blob)) {
                    LOG.debug("mount {}: {} is kept for {}", mount, blob.name(), file.path());
                    if (wanted.get().placement() instanceof Placement.Packed) {
                        recount(candidate, source);
                    }
                    return false;
                }
            }
            return true;
        } catch (ObjectNotFoundException e) {
            // A pass before this one deleted it and did not come to its row.
            return true;
        } catch (CorruptBlobException e) {
            LOG.warn("mount {}: {} has no live files, but its footer is damaged: it is kept", mount, blob.name(), e);
            return false;
        }
    }

    /** A file is in a blob that counts as dead: the accounts are wrong, or were when this began. */
    private void recount(Candidate candidate, ObjectSource source) throws IOException {
        List<FileVersion> versions = new ArrayList<>();
        for (PackedFile file : BlobReader.open(source, candidate.blob.name().footerOffset(), keystore)
                .footer()) {
            versions.add(file.version());
        }
        boolean wrong = Waiting.on(table.writer().submit(t -> t.live().recount(candidate.number, versions)));
        LOG.debug("mount {}: {} counted anew, wrong before: {}", mount, candidate.blob.name(), wrong);
    }

    /** A claim may yet be committed to the blob; a file in other blobs, or an empty one, never reads it. */
    private static boolean needs(Placement placement, BlobRow blob) {
        return !(placement instanceof Placement.Packed packed)
                || packed.extents().stream().anyMatch(extent -> extent.blob().equals(blob.name()));
    }

    private static String key(BlobRow blob) {
        return BlobName.FOLDER + blob.name().key();
    }
}
