// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import io.packing.bdt.master.cloud.MountStorage;
import io.packing.bdt.master.cloud.Uploader;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.change.FragmentedMaps;
import io.packing.bdt.master.table.operation.ContentTrim;
import io.packing.bdt.master.table.operation.PastTrim;
import io.packing.bdt.master.table.read.CollectionTimes;
import io.packing.options.PriceTable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A mount's background work: it removes deleted trees, gives up bytes without files, uploads backups, deletes dead blobs and
 * compacts sparse ones. A failed part does not delay the others: it is tried again at growing intervals, and health reports it.
 * Steppable.
 */
public final class Upkeep implements AutoCloseable {
    /** For how long uploads may fail before the mount counts as ill: what a loss of this disk costs grows meanwhile. */
    private static final Duration LONGEST_WITHOUT_UPLOAD = Duration.ofMinutes(5);

    private static final Duration HASH_PASSES = Duration.ofDays(1);
    private static final Duration LAYER_PASSES = Duration.ofMinutes(1);

    private final Reaper reaper;
    private final Repacker repacker;
    private final LayerMerger layers;
    private final Uploader uploader;
    private final UpkeepPart uploads;
    private final List<UpkeepPart> parts;
    private final GarbageCollector collector;
    private final Losses losses;
    private final BlobEvacuation evacuation;
    private final CopyOrders copies;

    /**
     * The schedule of background work.
     *
     * @param passes time between two passes of collection and compaction
     */
    public record UpkeepOptions(
            Duration passes, GarbageCollector.CollectionOptions collection, Compactor.CompactionOptions compaction) {
        /**
         * The usual one.
         *
         * @param grace how long a blob without live files is kept at least
         * @param compactBelow live share under which a blob is compacted; 0: never
         * @param prices by which a compaction has to pay
         */
        public static UpkeepOptions of(Duration passes, Duration grace, double compactBelow, PriceTable prices) {
            return new UpkeepOptions(
                    passes,
                    new GarbageCollector.CollectionOptions(passes, grace),
                    Compactor.CompactionOptions.of(passes, compactBelow, prices));
        }
    }

    public Upkeep(MountStorage storage, Uploader uploader, UpkeepOptions schedule, Clocks clocks) {
        String mount = storage.mount();
        LongSupplier nanoClock = clocks.nanos();
        this.reaper = new Reaper(storage.table());
        this.uploader = uploader;
        ScratchCleaner scratch = new ScratchCleaner(mount, storage.table(), schedule.passes(), clocks);
        HashCleaner hashes = new HashCleaner(storage.table(), HASH_PASSES, clocks);
        this.losses = new Losses(mount, storage.table(), nanoClock);
        HistoryLimit history = new HistoryLimit(mount, storage.table(), HistoryLimit.MOST_ENTRIES);
        this.copies = new CopyOrders(nanoClock);
        this.collector = new GarbageCollector(storage, uploader, schedule.collection(), nanoClock, copies::isMade);
        this.repacker = new Repacker(storage, uploader, Repacker.RepackOptions.USUAL, clocks);
        this.layers = new LayerMerger(storage.table(), LAYER_PASSES, clocks);
        Compactor compactor = new Compactor(storage, uploader, schedule.compaction(), copies, clocks);
        this.evacuation = new BlobEvacuation(storage, uploader, nanoClock);
        this.uploads = new UpkeepPart(mount, "uploads", uploader::step, Duration.ZERO, nanoClock);
        // What one pass could not do the next one tries again.
        Duration untilNextPass = schedule.passes().multipliedBy(2);
        this.parts = List.of(
                // First: operators learn of a loss at once.
                new UpkeepPart(mount, "lost files", losses::step, Duration.ZERO, nanoClock),
                new UpkeepPart(mount, "reaping", reaper::step, Duration.ZERO, nanoClock),
                new UpkeepPart(mount, "snapshots", () -> cleanUpSnapshots(storage.table()), Duration.ZERO, nanoClock),
                new UpkeepPart(mount, "maps", () -> removeMaps(storage.table()), Duration.ZERO, nanoClock),
                new UpkeepPart(mount, "layers", layers::step, Duration.ZERO, nanoClock),
                new UpkeepPart(mount, "trimming", () -> trim(storage.table()), Duration.ZERO, nanoClock),
                // Those that a master did not end that was asked for them.
                new UpkeepPart(mount, "quotas", storage.table()::countQuota, Duration.ZERO, nanoClock),
                new UpkeepPart(mount, "scratch files", scratch::step, untilNextPass, nanoClock),
                new UpkeepPart(mount, "hashes", hashes::step, Duration.ZERO, nanoClock),
                new UpkeepPart(mount, "history", history::step, Duration.ZERO, nanoClock),
                uploads,
                new UpkeepPart(mount, "evacuation", evacuation::step, Duration.ZERO, nanoClock),
                new UpkeepPart(mount, "collection", () -> deletes() && collector.step(), untilNextPass, nanoClock),
                new UpkeepPart(
                        mount,
                        "compaction",
                        () -> deletes() ? compactor.step() : compactor.pause(),
                        untilNextPass,
                        nanoClock),
                new UpkeepPart(mount, "repacking", repacker::step, untilNextPass, nanoClock));
    }

    /** Returns whether blobs may be deleted: not while their copies are made. */
    private boolean deletes() {
        return !evacuation.isUnderWay();
    }

    private static boolean cleanUpSnapshots(Table table) throws IOException {
        return table.standing().mayHaveDroppedSnapshots()
                && Waiting.on(table.writer().submit(PastTrim::step));
    }

    private static boolean removeMaps(Table table) throws IOException {
        return FragmentedMaps.isDue(table.rows())
                && Waiting.on(
                        table.writer().submit(transaction -> transaction.maps().step()));
    }

    private static boolean trim(Table table) throws IOException {
        return ContentTrim.isDue(table.rows()) && Waiting.on(table.writer().submit(ContentTrim::step));
    }

    /** Does a bounded piece of work; returns whether there was any. */
    public boolean step() {
        boolean worked = false;
        for (UpkeepPart part : parts) {
            worked |= part.step();
        }
        return worked;
    }

    /** The kinds of work there are. */
    public List<UpkeepPart> parts() {
        return parts;
    }

    /** Why operators must see to the mount; empty when they need not, or not yet. */
    public Optional<String> problem() {
        return uploads.trouble()
                .filter(trouble -> trouble.since().compareTo(LONGEST_WITHOUT_UPLOAD) >= 0)
                .map(UpkeepPart.Trouble::toString);
    }

    /** The files that are lost. */
    public Losses losses() {
        return losses;
    }

    /** Returns the parts that fail at present. */
    public List<UpkeepPart.Trouble> troubles() {
        return parts.stream().flatMap(part -> part.trouble().stream()).toList();
    }

    /** Returns the times at which blobs without live bytes may be collected. */
    public CollectionTimes collectionTimes() {
        return collector.times();
    }

    /** Uploads now what a recovery would miss. */
    public void checkpoint() throws IOException {
        uploader.checkpoint();
    }

    /** Uploads the journal now, if there is anything in it. */
    public void uploadJournalNow() throws IOException {
        uploader.uploadJournalNow();
    }

    public Reaper reaper() {
        return reaper;
    }

    /** Returns the merging of layers of maps, with its count. */
    public LayerMerger layers() {
        return layers;
    }

    /** Returns the joining of fragments, with its counts. */
    public Repacker repacker() {
        return repacker;
    }

    /** Returns the copying of blobs to another store, and what it needs to know of workers. */
    public BlobEvacuation evacuation() {
        return evacuation;
    }

    /** Returns the order to copy live bytes that a worker has. */
    public CopyOrders copies() {
        return copies;
    }

    public Uploader uploader() {
        return uploader;
    }

    @Override
    public void close() {
        uploader.close();
    }
}
