// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.FileStatus;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.master.cloud.MountStorage;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.upkeep.Compactor;
import io.packing.bdt.master.upkeep.GarbageCollector;
import io.packing.blob.BlobExtent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FilePath;
import io.packing.options.PriceTable;
import io.packing.seed.Seed;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sparse blobs give their room back, and no file is lost or mixed up by it. */
class CompactorTest extends MountFixture {
    private static final Duration INTERVAL = Duration.ofMinutes(10);

    private final AtomicLong now = new AtomicLong();
    private InterruptedObjects objects = new InterruptedObjects(stores.objects);
    private Compactor compactor;
    private GarbageCollector collector;

    @BeforeEach
    void compactor() throws IOException {
        compactor(new Compactor.CompactionOptions(INTERVAL, 0.5, 1 << 20, 1, 1, TestPrices.FREE_REQUESTS));
    }

    private void compactor(Compactor.CompactionOptions schedule) throws IOException {
        Mount mount = master.openMount(TestStores.MOUNT);
        compactor = new Compactor(
                new MountStorage("test", mount.table(), objects, work),
                mount.upkeep().uploader(),
                schedule,
                new Clocks(Clock.systemUTC(), now::get));
        collector = new GarbageCollector(
                new MountStorage("test", mount.table(), stores.objects, work),
                mount.upkeep().uploader(),
                new GarbageCollector.CollectionOptions(INTERVAL, Duration.ofHours(1)),
                now::get);
    }

    @Test
    void theFewLiveFilesOfManyBlobsBecomeOneAndTheirBlobsGo() throws IOException {
        for (int blob = 0; blob < 5; blob++) {
            filledBlob(blob, 20, 2);
        }
        Map<String, Long> before = contents();
        int puts = stores.objects.puts();
        passes(compactor::step);
        assertThat(stores.objects.puts() - puts).as("PUTs for five blobs").isEqualTo(1);
        assertThat(objects.gets()).as("a footer and a window for each blob").isEqualTo(10);
        assertThat(blobs()).as("the old ones stay for readers").hasSize(6);
        passes(collector::step);
        assertThat(blobs()).singleElement().asString().contains(BlobRow.COMPACTED);
        assertThat(contents()).isEqualTo(before);
        loseMaster();
        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void damageOnTheWayKeepsNoBlobFromBeingCompactedOrCollected() throws IOException {
        long seed = Seed.value();
        for (int blob = 0; blob < 5; blob++) {
            filledBlob(blob, 20, 2);
        }
        Map<String, Long> before = contents();
        stores.objects.damageFirstAnswers(new Random(seed));
        passes(compactor::step);
        stores.objects.damageFirstAnswers(new Random(seed));
        passes(collector::step);
        stores.objects.damageNothing();
        assertThat(blobs()).as("seed %d", seed).singleElement().asString().contains(BlobRow.COMPACTED);
        assertThat(contents()).as("seed %d", seed).isEqualTo(before);
    }

    @Test
    void damageInAWindowKeepsNoFileFromBeingCompacted() throws IOException {
        filledBlob(0, 20, 2);
        Map<String, Long> before = contents();
        objects.damageAllButSecondLooks();
        passes(compactor::step);
        passes(collector::step);
        assertThat(blobs()).singleElement().asString().contains(BlobRow.COMPACTED);
        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void aBlobWithEnoughLiveFilesIsLeftAlone() throws IOException {
        filledBlob(0, 20, 15);
        int puts = stores.objects.puts();
        passes(compactor::step);
        assertThat(stores.objects.puts()).isEqualTo(puts);
        assertThat(objects.gets()).isZero();
    }

    @Test
    void zeroTurnsItOff() throws IOException {
        compactor(Compactor.CompactionOptions.of(INTERVAL, 0, TestPrices.FREE_REQUESTS));
        filledBlob(0, 20, 1);
        passes(compactor::step);
        assertThat(blobs()).hasSize(1);
    }

    @Test
    void nothingIsSpentOnWhatWouldWinLittle() throws IOException {
        compactor(new Compactor.CompactionOptions(INTERVAL, 0.5, 1 << 20, 1, 1, PriceTable.ofLocation("s3://bucket/")));
        filledBlob(0, 20, 1);
        passes(compactor::step);
        assertThat(objects.gets()).isZero();
        assertThat(blobs()).hasSize(1);
    }

    @Test
    void whatHappensMeanwhileWins() throws IOException {
        filledBlob(0, 40, 12);
        List<String> live = new ArrayList<>(contents().keySet());
        objects.beforePut(() -> {
            delete(live.get(0));
            assertThat(table.rename(new FilePath(live.get(1)), new FilePath("/moved")))
                    .isEqualTo(Outcome.DONE);
            claim(live.get(2));
        });
        Map<String, Long> before = contents();
        passes(compactor::step);
        Map<String, Long> expected = new HashMap<>(before);
        expected.remove(live.get(0));
        expected.put("/moved", expected.remove(live.get(1)));
        expected.remove(live.get(2));
        assertThat(contents()).isEqualTo(expected);
        assertThat(packed(live.get(2))).as("overwritten").isFalse();
        buffered.removeIf(each -> !each.path().value().equals(live.get(2)));
        push(true);
        passes(collector::step);
        assertThat(contents()).hasSize(expected.size() + 1).containsAllEntriesOf(expected);
    }

    @Test
    void footersAloneGiveTheSameWhenOldAndNewBlobAreThere() throws IOException {
        filledBlob(0, 20, 3);
        filledBlob(1, 20, 3);
        assertThat(table.rename(new FilePath("/d0"), new FilePath("/e"))).isEqualTo(Outcome.DONE);
        passes(compactor::step);
        Map<String, Long> before = contents();
        assertThat(before.keySet()).anyMatch(path -> path.startsWith("/e/"));
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        stores.objects.delete(stores.objects.keys("bdt/backup-"));
        loseMaster();
        assertThat(blobs()).hasSize(3);
        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void aRepeatedCommitDoesNotBringAFileBackToACollectedBlob() throws IOException {
        filledBlob(0, 20, 2);
        Heartbeat first = commits.get(0);
        passes(compactor::step);
        passes(collector::step);
        Map<String, Long> before = contents();
        assertThat(session.heartbeat(first).sealNow()).isFalse();
        assertThat(contents()).isEqualTo(before);
        claim("/later");
        passes(collector::step);
        assertThat(table.statistics().blobs()).isEqualTo(1);
    }

    @Test
    void aDamagedExtentStaysAndTheOthersMove() throws IOException {
        filledBlob(0, 20, 4);
        List<String> live = new ArrayList<>(contents().keySet());
        BlobExtent damaged = extents(live.get(1)).get(0);
        String key = "blobs/" + damaged.blob().key();
        int length = (int) stores.objects.head(key).orElseThrow().length();
        byte[] bytes = new byte[length];
        stores.objects.get(key, 0, length).get(bytes);
        bytes[(int) damaged.extent().blobOffset()] ^= 1;
        stores.objects.put(key, ByteBuffer.wrap(bytes), PutCondition.NONE);
        passes(compactor::step);
        assertThat(extents(live.get(1))).containsExactly(damaged);
        assertThat(extents(live.get(0)).get(0).blob().worker()).isEqualTo(BlobRow.COMPACTED);
        int gets = objects.gets();
        passes(compactor::step);
        assertThat(objects.gets()).as("it is not read again and again").isEqualTo(gets);
    }

    @Test
    void aPutThatFailsLeavesEverythingWhereItIs() throws IOException {
        filledBlob(0, 20, 2);
        Map<String, Long> before = contents();
        objects.failNextPut(false);
        assertThatThrownBy(() -> passes(compactor::step)).hasMessageContaining("injected");
        assertThat(contents()).isEqualTo(before);
        // Its answer is lost, or this master is: the object is there, and garbage.
        objects.failNextPut(true);
        assertThatThrownBy(() -> passes(compactor::step)).hasMessageContaining("injected");
        assertThat(contents()).isEqualTo(before);
        assertThat(blobs()).hasSize(2);
        passes(compactor::step);
        passes(collector::step);
        assertThat(blobs()).hasSize(1);
        assertThat(contents()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void whateverIsCompactedNoFileIsLostOrMixedUp(long seed) throws IOException {
        Random random = new Random(seed);
        int compacted = 0;
        for (int round = 0; round < 12; round++) {
            String when = "seed %d round %d".formatted(seed, round);
            for (int i = 0; i < 40; i++) {
                step(random);
            }
            push(random.nextInt(4) > 0);
            if (random.nextInt(3) == 0) {
                objects.failNextPut(random.nextBoolean());
            }
            try {
                passes(compactor::step);
            } catch (InterruptedObjects.Injected e) {
                // The next pass begins anew.
            }
            compacted += (int) blobs().stream()
                    .filter(key -> key.contains(BlobRow.COMPACTED))
                    .count();
            Map<String, Long> before = contents();
            if (random.nextInt(3) > 0) {
                passes(collector::step);
            }
            if (random.nextInt(3) == 0 && !commits.isEmpty()) {
                assertThat(session.heartbeat(commits.get(random.nextInt(commits.size())))
                                .sealNow())
                        .isFalse();
            }
            Map<String, Long> after = contents();
            assertThat(after).as(when).containsAllEntriesOf(before);
            if (random.nextInt(3) == 0) {
                master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
                loseMaster();
                compactor();
                assertThat(contents()).as("%s, recovered", when).containsAllEntriesOf(after);
            }
            liveBytesAreCounted(when);
        }
        assertThat(compacted).as("seed %d", seed).isPositive();
    }

    private void step(Random random) throws IOException {
        String path = "/" + (char) ('a' + random.nextInt(3)) + "/" + (char) ('a' + random.nextInt(9));
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3, 4, 5 -> assertThat(tryClaim(path)).isTrue();
            case 6 -> {
                if (random.nextInt(4) == 0) {
                    push(random.nextInt(4) > 0);
                }
            }
            case 7 -> tryRename(new FilePath(path), new FilePath(path + random.nextInt(3)));
            default -> tryDelete(new FilePath(path), false);
        }
    }

    /** A blob of so many files, all but some of them deleted. */
    private void filledBlob(int number, int files, int live) throws IOException {
        for (int i = 0; i < files; i++) {
            claim("/d%d/f%02d".formatted(number, i));
        }
        push(true);
        for (int i = live; i < files; i++) {
            delete("/d%d/f%02d".formatted(number, i));
        }
    }

    private void delete(String path) throws IOException {
        assertThat(table.delete(new FilePath(path), false)).isEqualTo(Outcome.DONE);
    }

    /** Returns the file id of each packed path; its bytes in the backing store must be the id, too. */
    private Map<String, Long> contents() throws IOException {
        Map<String, Long> found = new HashMap<>();
        for (FileStatus status : names().values()) {
            if (!status.isDirectory() && status.state() == FileStatus.State.PACKED) {
                for (BlobExtent at : extents(status.path().value())) {
                    ByteBuffer stored = stores.objects.get(
                            "blobs/" + at.blob().key(),
                            at.extent().blobOffset(),
                            at.extent().storedLength());
                    long id = ExtentCodec.decode(at.blob().toString(), at.extent(), stored)
                            .getLong();
                    assertThat(id)
                            .as(status.path().value())
                            .isEqualTo(status.version().id());
                }
                found.put(status.path().value(), status.version().id());
            }
        }
        return found;
    }

    private List<BlobExtent> extents(String path) throws IOException {
        return ((Placement.Packed)
                        table.locate(new FilePath(path)).orElseThrow().placement())
                .extents();
    }

    /** The live bytes of every blob are those that its files have in it. */
    private void liveBytesAreCounted(String when) throws IOException {
        Map<String, Long> live = new HashMap<>();
        for (FileStatus status : names().values()) {
            if (!status.isDirectory() && status.state() == FileStatus.State.PACKED) {
                extents(status.path().value())
                        .forEach(at -> live.merge(at.blob().toString(), 8L, Long::sum));
            }
        }
        master.openMount(TestStores.MOUNT)
                .table()
                .rows()
                .scan(Keys.kind(Keys.BLOB), Keys.kindEnd(Keys.BLOB), (key, value) -> {
                    BlobRow row = BlobRow.decode(value);
                    Optional<Long> counted =
                            Optional.ofNullable(live.get(row.name().toString()));
                    assertThat(row.live()).as("%s: %s", when, row.name()).isEqualTo(counted.orElse(0L));
                    return true;
                });
    }

    private interface Step {
        boolean once() throws IOException;
    }

    /** Passes enough for anything that is to be done. */
    private void passes(Step step) throws IOException {
        for (Duration later : List.of(Duration.ofMinutes(11), Duration.ofMinutes(11), Duration.ofHours(2))) {
            now.addAndGet(later.toNanos());
            List<Boolean> steps = new ArrayList<>();
            while (step.once()) {
                steps.add(true);
                assertThat(steps).hasSizeLessThan(100);
            }
        }
    }

    private List<String> blobs() {
        return stores.objects.keys("blobs/");
    }
}
