// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.FencedException;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.Reclaim;
import io.packing.bdt.master.cloud.MasterObject;
import io.packing.bdt.master.cloud.MountStorage;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.upkeep.GarbageCollector;
import io.packing.bdt.master.upkeep.Reaper;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A blob goes when no reader or recovery can need it, and not before. */
class GarbageCollectorTest extends MountFixture {
    private static final GarbageCollector.CollectionOptions SCHEDULE =
            new GarbageCollector.CollectionOptions(Duration.ofMinutes(10), Duration.ofHours(1));

    private final AtomicLong now = new AtomicLong();
    private GarbageCollector collector;

    @BeforeEach
    void collector() throws IOException {
        Mount mount = master.openMount(TestStores.MOUNT);
        collector = new GarbageCollector(
                new MountStorage("test", mount.table(), stores.objects, work),
                mount.upkeep().uploader(),
                SCHEDULE,
                now::get);
    }

    @Test
    void blobGoesWhenItsLastFileWasDeletedAnHourAgo() throws IOException {
        claim("/a");
        claim("/b");
        push(true);
        delete("/a");
        pass(Duration.ofHours(2));
        assertThat(blobs()).hasSize(1);
        delete("/b");
        pass(Duration.ZERO);
        pass(Duration.ofMinutes(50));
        assertThat(blobs()).hasSize(1);
        pass(Duration.ofMinutes(10));
        assertThat(blobs()).isEmpty();
        assertThat(table.statistics().blobs()).isZero();
        assertThat(table.statistics().blobBytes()).isZero();
    }

    @Test
    void deletedTreeFreesItsBlobThoughNothingElseHappens() throws IOException {
        claim("/tree/a");
        claim("/tree/below/b");
        push(true);
        assertThat(table.delete(new FilePath("/tree"), true)).isEqualTo(Outcome.DONE);
        reap();
        passes();
        assertThat(blobs()).isEmpty();
        assertThat(table.statistics().blobs()).isZero();
        int before = stores.objects.puts();
        passes();
        assertThat(stores.objects.puts()).isEqualTo(before);
    }

    @Test
    void overwrittenFilesFreeTheirBlobToo() throws IOException {
        claim("/a/f");
        push(true);
        claim("/a/f");
        passes();
        assertThat(blobs())
                .as("the new version is in a buffer, the old one is needed by nobody")
                .isEmpty();
        push(true);
        passes();
        assertThat(blobs()).hasSize(1);
        assertThat(packed("/a/f")).isTrue();
    }

    @Test
    void claimWhoseCommitIsUnderWayKeepsItsBlob() throws IOException {
        claim("/late");
        claim("/gone");
        Reclaim late = buffered.get(0);
        push(false);
        // A worker that reports a blob before a file that has slices elsewhere, too.
        reportBlobOnly();
        delete("/gone");
        passes();
        assertThat(blobs()).hasSize(1);
        assertThat(table.locate(late.version())).isPresent();
    }

    @Test
    void nothingIsDeletedBeforeBothBackupsKnowThatItIsDead() throws IOException {
        claim("/a");
        push(true);
        table.checkpoint();
        delete("/a");
        passes();
        assertThat(blobs()).isEmpty();
        List<String> backups = stores.objects.keys("bdt/backup-");
        assertThat(backups).hasSize(2);
        stores.objects.damage(backups.get(1));
        loseMaster();
        assertThat(names()).isEmpty();
    }

    @Test
    void passThatEndedBetweenObjectAndRowIsMadeGoodByTheNext() throws IOException {
        claim("/a");
        push(true);
        delete("/a");
        stores.objects.delete(blobs());
        passes();
        assertThat(table.statistics().blobs()).isZero();
    }

    @Test
    void masterThatWasReplacedDeletesNothing() throws IOException {
        claim("/a");
        push(true);
        delete("/a");
        pass(Duration.ZERO);
        stores.objects.put(MasterObject.epoch(2).key(), ByteBuffer.allocate(1), PutCondition.IF_ABSENT);
        assertThatThrownBy(() -> pass(Duration.ofHours(2))).isInstanceOf(FencedException.class);
        assertThat(blobs()).hasSize(1);
    }

    @Test
    void mountWithoutGarbageCostsNoRequests() throws IOException {
        claim("/a");
        push(true);
        int before = stores.objects.puts();
        passes();
        assertThat(stores.objects.puts()).isEqualTo(before);
    }

    @Test
    void damagedFooterKeepsItsBlobAndNoOther() throws IOException {
        claim("/a");
        push(true);
        String damaged = blobs().get(0);
        claim("/b");
        push(true);
        delete("/a");
        delete("/b");
        int length = (int) stores.objects.head(damaged).orElseThrow().length();
        stores.objects.put(damaged, ByteBuffer.allocate(length), PutCondition.NONE);
        passes();
        assertThat(blobs()).containsExactly(damaged);
        claim("/c");
        int before = stores.objects.puts();
        passes();
        assertThat(stores.objects.puts())
                .as("puts for a blob that is kept again")
                .isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void whateverIsCollectedNoFileLosesItsBlobWhenTheMastersDiskIsLost(long run) throws IOException {
        long seed = Seed.value() + run;
        Random random = new Random(seed);
        for (int round = 0; round < 6; round++) {
            for (int i = 0; i < 40; i++) {
                step(random);
            }
            push(random.nextInt(4) > 0);
            pass(Duration.ofMinutes(random.nextInt(90)));
            everyPackedFileHasItsBlob("seed %d round %d".formatted(seed, round));
            if (random.nextBoolean()) {
                loseMaster();
                collector();
                everyPackedFileHasItsBlob("seed %d round %d, recovered".formatted(seed, round));
            }
        }
        for (FileStatus entry : names().values()) {
            if (!entry.isDirectory()) {
                delete(entry.path().value());
            }
        }
        buffered.clear();
        passes();
        assertThat(blobs()).as("seed %d", seed).allMatch(key -> !known(key));
    }

    private void step(Random random) throws IOException {
        String path = "/" + (char) ('a' + random.nextInt(3)) + "/" + (char) ('a' + random.nextInt(6));
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3, 4, 5 -> assertThat(tryClaim(path)).isTrue();
            case 6 -> push(random.nextInt(4) > 0);
            default -> tryDelete(new FilePath(path), false);
        }
    }

    private void everyPackedFileHasItsBlob(String when) throws IOException {
        Set<String> there = new HashSet<>(blobs());
        for (FileStatus status : names().values()) {
            if (!status.isDirectory()
                    && table.locate(status.path()).orElseThrow().placement() instanceof Placement.Packed packed) {
                packed.extents()
                        .forEach(extent -> assertThat(there)
                                .as("%s: %s", when, status.path())
                                .contains("blobs/" + extent.blob().key()));
            }
        }
    }

    /** Returns whether the table has a row of the blob; only a recovery finds a blob that was pushed and never reported. */
    private boolean known(String key) {
        try {
            Map<String, Boolean> names = new HashMap<>();
            master.openMount(TestStores.MOUNT)
                    .table()
                    .rows()
                    .scan(Keys.kind(Keys.BLOB), Keys.kindEnd(Keys.BLOB), (row, value) -> {
                        names.put("blobs/" + BlobRow.decode(value).name().key(), true);
                        return true;
                    });
            return names.containsKey(key);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void delete(String path) throws IOException {
        assertThat(table.delete(new FilePath(path), false)).isEqualTo(Outcome.DONE);
    }

    /** Removes what is below deleted directories. */
    private void reap() throws IOException {
        Reaper reaper = master.openMount(TestStores.MOUNT).upkeep().reaper();
        List<Boolean> steps = new ArrayList<>();
        while (reaper.step()) {
            steps.add(true);
            assertThat(steps).hasSizeLessThan(100);
        }
    }

    /** A pass after some time. */
    private void pass(Duration later) throws IOException {
        now.addAndGet(later.toNanos());
        List<Boolean> steps = new ArrayList<>();
        while (collector.step()) {
            steps.add(true);
            assertThat(steps).hasSizeLessThan(100);
        }
    }

    /** Passes enough for anything that is dead now. */
    private void passes() throws IOException {
        pass(Duration.ofMinutes(10));
        pass(Duration.ofHours(2));
    }

    private List<String> blobs() {
        return stores.objects.keys("blobs/");
    }
}
