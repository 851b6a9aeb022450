// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Bdt;
import io.packing.bdt.master.ModelRuns.Count;
import io.packing.bdt.master.cloud.MountStorage;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.change.FragmentedMaps;
import io.packing.bdt.master.table.operation.ContentTrim;
import io.packing.bdt.master.table.operation.PastTrim;
import io.packing.bdt.master.upkeep.Compactor;
import io.packing.bdt.master.upkeep.GarbageCollector;
import io.packing.bdt.master.upkeep.LayerMerger;
import io.packing.bdt.master.upkeep.Reaper;
import io.packing.blob.BlobName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** The upkeep of a mount when a test wants it, over blobs of any size, with a clock that does not wait. */
final class UpkeepByHand {
    private static final Duration INTERVAL = Duration.ofMinutes(10);
    private static final Duration GRACE = Duration.ofHours(1);

    private interface Work {
        boolean step() throws IOException;
    }

    private final AtomicLong now = new AtomicLong();
    private final Table table;
    private final MapObjects objects;
    private final Reaper reaper;
    private final LayerMerger layers;
    private final Compactor compactor;
    private final GarbageCollector collector;

    /** @param below live share under which a blob is compacted */
    UpkeepByHand(Mount mount, MapObjects objects, Path scratch, double below) {
        table = mount.table();
        this.objects = objects;
        reaper = new Reaper(table);
        layers = new LayerMerger(table, Duration.ZERO, new Clocks(Clock.systemUTC(), now::get));
        MountStorage storage = new MountStorage("test", table, objects, scratch);
        compactor = new Compactor(
                storage,
                mount.upkeep().uploader(),
                new Compactor.CompactionOptions(INTERVAL, below, 1 << 20, 1, 1, TestPrices.FREE_REQUESTS),
                new Clocks(Clock.systemUTC(), now::get));
        collector = new GarbageCollector(
                storage, mount.upkeep().uploader(), new GarbageCollector.CollectionOptions(INTERVAL, GRACE), now::get);
    }

    /** A kind of upkeep. */
    enum Kind {
        BACKUP,
        TRIMMING,
        COMPACTION,
        COLLECTION,
        COMPACTION_AND_COLLECTION
    }

    void work(Kind kind, Random random, Bdt bdt) throws IOException {
        switch (kind) {
            case BACKUP -> {
                ModelRuns.count(Count.BACKUPS);
                bdt.checkpoint();
            }
            case TRIMMING -> {
                for (int steps = random.nextInt(10); steps > 0 && trim(); steps--) {
                    ModelRuns.count(Count.TRIMMED);
                }
            }
            case COMPACTION -> compact();
            case COLLECTION -> collect();
            default -> {
                compact();
                collect();
            }
        }
    }

    /** One piece of each work that stands in the table; whether there was any. */
    boolean trim() throws IOException {
        boolean reaped = reaper.step();
        boolean past = table.standing().mayHaveDroppedSnapshots()
                && Waiting.on(table.writer().submit(PastTrim::step));
        boolean maps = FragmentedMaps.isDue(table.rows())
                && Waiting.on(
                        table.writer().submit(transaction -> transaction.maps().step()));
        boolean trimmed =
                ContentTrim.isDue(table.rows()) && Waiting.on(table.writer().submit(ContentTrim::step));
        boolean merged = layers.step();
        return reaped || past || maps || trimmed || merged;
    }

    /** Copies what is live in sparse blobs. */
    void compact() throws IOException {
        int before = blobs();
        passes(compactor::step);
        ModelRuns.count(Count.COMPACTIONS);
        ModelRuns.count(Count.BLOBS_COMPACTED, blobs() - before);
    }

    /** Deletes what is dead. */
    void collect() throws IOException {
        int before = blobs();
        passes(collector::step);
        ModelRuns.count(Count.COLLECTIONS);
        ModelRuns.count(Count.BLOBS_DELETED, before - blobs());
    }

    private int blobs() {
        return objects.keys(BlobName.FOLDER).size();
    }

    /** Enough for anything that is to be done. */
    private void passes(Work work) throws IOException {
        for (Duration later : List.of(INTERVAL, INTERVAL, GRACE)) {
            now.addAndGet(later.plusMinutes(1).toNanos());
            for (int steps = 0; work.step(); steps++) {
                assertThat(steps).isLessThan(1_000);
            }
        }
    }
}
