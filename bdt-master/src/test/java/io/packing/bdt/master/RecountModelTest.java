// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Maps;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.BdtStatistics;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Quota;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.change.FragmentedMaps;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.bdt.master.table.row.Keys;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Counts of a table before and after a recovery from the store, with files, names, clones and snapshots of all kinds. */
class RecountModelTest extends QuotaFixture {
    private static final int ROUNDS = 3;
    private static final int OPERATIONS = 60;

    /** Beside one another, so that names of one file are below several. */
    private static final List<String> COUNTED = List.of("/q0", "/q1", "/q1/d0", "/q2");

    /** Removes deleted trees, dropped snapshots, and bytes that no file has. */
    private void settle() throws IOException {
        while (isUnsettled(master.openMount(TestStores.MOUNT).table())) {
            if (!master.openMount(TestStores.MOUNT).upkeep().step()) {
                Thread.onSpinWait();
            }
        }
    }

    private boolean isUnsettled(Table table) throws IOException {
        return rowsOf(Keys.REAP) + rowsOf(Keys.TRIM) > 0
                || table.standing().mayHaveDroppedSnapshots()
                || FragmentedMaps.isDue(table.rows());
    }

    private void lose() throws IOException {
        settle();
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        loseMaster();
    }

    /** Returns the bytes that files need, as the rows of blobs count them. */
    private long live() throws IOException {
        long[] live = new long[1];
        master.openMount(TestStores.MOUNT)
                .table()
                .rows()
                .scan(Keys.kind(Keys.BLOB), Keys.kindEnd(Keys.BLOB), (key, row) -> {
                    live[0] += Keys.isFence(key) ? 0 : BlobRow.decode(row).live();
                    return true;
                });
        return live[0];
    }

    /** All that is derived from other rows. */
    private Map<String, String> counts() throws IOException {
        Map<String, String> counts = new TreeMap<>();
        for (String each : COUNTED) {
            counts.put(each, table.quota(path(each)).map(Quota::toString).orElse("none"));
        }
        for (FileStatus each : names().values()) {
            counts.put(
                    "file " + each.path(),
                    each.attributes().length() + " bytes, links "
                            + each.extras().links());
        }
        awaitStatistics();
        BdtStatistics all = table.statistics();
        counts.put("files", all.files() + " of " + all.packedBytes());
        counts.put("directories", Long.toString(all.directories()));
        counts.put("live", Long.toString(live()));
        sound();
        return counts;
    }

    @Test
    void aFileThatGrewByOneOfItsNamesCountsAsMuchAfterARebuild() throws IOException {
        make("/q0");
        limit("/q0", ANY, 10_000_000);
        apply(file("/q0/a"), length("/q0/a", 100), new Operation.Link(path("/q0/a"), path("/q0/b")));
        apply(length("/q0/b", 500_000));
        counts("/q0", 3, 500_100);
        lose();
        counts("/q0", 3, 500_100);
    }

    @Test
    void aNameOfACloneCountsAsMuchAfterARebuildAsItsOriginsNameDid() throws IOException {
        make("/q0/t");
        make("/q1");
        limit("/q1", ANY, 10_000_000);
        apply(file("/q0/t/a"), length("/q0/t/a", 100), new Operation.Link(path("/q0/t/a"), path("/q0/t/b")));
        apply(length("/q0/t/b", 500_000), new Operation.CloneDirectory(path("/q0/t"), path("/q1/c")));
        Operation.SetAttributes touch = new Operation.SetAttributes(path("/q1/c/a"), AttributeChange.ofMtime(5));
        apply(touch);
        counts("/q1", 4, 500_100);
        lose();
        counts("/q1", 4, 500_100);
    }

    @Test
    void aCloneCountsNoNameOfATreeThatWasGoneBeforeIt() throws IOException {
        make("/q0/t");
        make("/q1");
        apply(file("/q0/a"), length("/q0/a", 100), new Operation.Link(path("/q0/a"), path("/q0/t/b")));
        apply(new Operation.Delete(path("/q0/t"), true));
        settle();
        apply(new Operation.CloneDirectory(path("/q0"), path("/q1/c")));
        Map<String, String> before = counts();
        assertThat(before).containsEntry("file /q1/c/a", "100 bytes, links 1");
        lose();
        assertThat(counts()).isEqualTo(before);
    }

    @TestFactory
    List<DynamicTest> allCountsAreThoseFromBeforeTheRecovery() {
        return LongStream.rangeClosed(Seed.value(), Seed.value() + 11)
                .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed, () -> play(seed)))
                .toList();
    }

    private void play(long seed) throws IOException {
        Random random = new Random(seed);
        String top = "/s" + seed;
        for (String each : COUNTED) {
            if (table.quota(path(each)).isEmpty()) {
                make(each);
                limit(each, ANY, Long.MAX_VALUE / 2);
            }
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < OPERATIONS; i++) {
                step(random, top);
            }
            push(true);
            settle();
            Map<String, String> before = counts();
            lose();
            settle();
            assertThat(Maps.difference(before, counts()).toString())
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo("equal");
        }
    }

    private void step(Random random, String top) throws IOException {
        String one = any(random, top);
        String other = any(random, top);
        switch (random.nextInt(12)) {
            case 0, 1 -> attempt(file(one), length(one, random.nextInt(1_000)));
            case 2, 3 -> attempt(length(one, random.nextInt(100_000)));
            case 4, 5 -> attempt(new Operation.Link(path(one), path(other)));
            case 6 -> attempt(move(one, other));
            case 7 -> attempt(new Operation.Delete(path(one), true));
            case 8 -> attempt(copy(one, other));
            case 9 -> {
                // A name in a tree that is being removed counts until it is gone, in clones for as long as they are.
                settle();
                attempt(new Operation.CloneDirectory(directory(random), path(other)));
            }
            case 10 -> {
                settle();
                attempt(new Operation.TakeSnapshot(directory(random), "s" + random.nextInt(1_000_000)));
            }
            default -> {
                boolean unused = tryClaim(one);
            }
        }
    }

    private static FilePath directory(Random random) {
        String counted = COUNTED.get(random.nextInt(COUNTED.size()));
        return path(random.nextBoolean() ? counted : counted + "/d" + random.nextInt(3));
    }

    private static String any(Random random, String top) {
        String in = directory(random).value();
        String name = top.substring(1) + random.nextInt(4);
        return random.nextInt(4) == 0 ? in + "/" + name + "/" + name : in + "/" + name;
    }

    /** Applies operations; the master may refuse them as impossible, but reports no defect. */
    private void attempt(Operation... operations) throws IOException {
        try {
            Object unused = table.apply(OperationVector.of(operations));
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageNotContaining("defect");
        }
    }
}
