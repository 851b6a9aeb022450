// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.ClaimResult;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.master.table.row.Keys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Quotas and whole trees: moves, clones, removals, and masters that come and go. */
@Timeout(300)
final class QuotaTreesTest extends QuotaFixture {
    private static final int LARGE = 10_500;

    private void tree(String top) throws IOException {
        written(top + "/a/x", 10);
        written(top + "/a/y", 20);
        written(top + "/b/c/z", 30);
    }

    @Test
    void aTreeThatDoesNotFitStaysWhereItIsWhole() throws IOException {
        tree("/from/t");
        make("/to");
        limit("/from", 100, 1_000);
        limit("/to", 7, 1_000);
        counts("/from", 8, 60);
        refused(Outcome.NAMES_QUOTA, () -> table.rename(path("/from/t"), path("/to/t")));
        counts("/from", 8, 60);
        counts("/to", 1, 0);
        assertThat(table.stat(path("/from/t/b/c/z"))).isPresent();
        limit("/to", 8, 59);
        refused(Outcome.BYTES_QUOTA, move("/from/t", "/to/t"));
        limit("/to", 8, 60);
        assertThat(table.rename(path("/from/t"), path("/to/t"))).isEqualTo(Outcome.DONE);
        counts("/from", 1, 0);
        counts("/to", 8, 60);
        assertThat(table.rename(path("/to/t/b"), path("/to/b"))).isEqualTo(Outcome.DONE);
        counts("/to", 8, 60);
    }

    @Test
    void aMergeOfDirectoriesIsCounted() throws IOException {
        tree("/from");
        tree("/to");
        limit("/to", ANY, 100);
        refused(
                Outcome.BYTES_QUOTA,
                new Operation.Rename(path("/from/a/x"), path("/to/big"), false),
                length("/to/big", 41));
        apply(new Operation.MergeDirectory(path("/from"), path("/to")));
        counts("/to", 7, 60);
    }

    @Test
    void aCloneOfATreeCountsAsACopy() throws IOException {
        tree("/from");
        make("/to");
        limit("/to", 8, ANY);
        limit("/from/b", 100, 100);
        apply(new Operation.CloneDirectory(path("/from"), path("/to/c")));
        counts("/to", 8, 60);
        // What becomes the clone's own was counted.
        apply(length("/to/c/a/x", 15));
        counts("/to", 8, 65);
        refused(Outcome.NAMES_QUOTA, file("/to/c/a/new"));
        assertThat(table.delete(path("/to/c/a/y"), false)).isEqualTo(Outcome.DONE);
        counts("/to", 7, 45);
        written("/from/a/later", 5);
        counts("/to", 7, 45);
        limit("/to/c/b", 10, ANY);
        counts("/to/c/b", 3, 30);
        assertThat(table.rename(path("/to/c/b"), path("/out"))).isEqualTo(Outcome.DONE);
        counts("/to", 4, 15);
        counts("/out", 3, 30);
        assertThat(table.delete(path("/to/c"), true)).isEqualTo(Outcome.DONE);
        counts("/to", 1, 0);
        removeDeletedTrees();
        counts("/to", 1, 0);
    }

    @Test
    void whatACloneOrASnapshotShowsHasNoQuotaOfItsOrigin() throws IOException {
        tree("/from");
        limit("/from/b", 3, ANY);
        apply(new Operation.TakeSnapshot(path("/from"), "s"), new Operation.CloneDirectory(path("/from"), path("/to")));
        assertThat(table.quota(path("/to/b"))).isEmpty();
        assertThat(table.quota(path("/from/.snapshot/s/b"))).isEmpty();
        apply(file("/to/b/more"));
        counts("/from/b", 3, 30);
    }

    @Test
    void snapshotsDoNotCount() throws IOException {
        tree("/d/t");
        limit("/d", 8, 60);
        apply(new Operation.TakeSnapshot(path("/d"), "s"));
        counts("/d", 8, 60);
        assertThat(table.delete(path("/d/t/a"), true)).isEqualTo(Outcome.DONE);
        counts("/d", 5, 30);
        apply(copy("/d/.snapshot/s/t/a/x", "/d/x"));
        counts("/d", 6, 40);
        refused(Outcome.NAMES_QUOTA, new Operation.CloneDirectory(path("/d/.snapshot/s/t"), path("/d/u")));
        limit("/d", 100, ANY);
        apply(new Operation.CloneDirectory(path("/d/.snapshot/s/t"), path("/d/u")));
        counts("/d", 13, 100);
    }

    private void large(String directory) throws IOException {
        make(directory);
        List<Operation> files = new ArrayList<>();
        for (int i = 0; i < LARGE; i++) {
            files.add(file("%s/f%05d".formatted(directory, i)));
        }
        apply(files.toArray(Operation[]::new));
    }

    @Test
    void aLargeTreeIsTakenOffAsItIsRemoved() throws IOException {
        large("/d/t/large");
        written("/d/t/small", 5);
        limit("/d", ANY, 100);
        counts("/d", LARGE + 4, 5);
        assertThat(table.delete(path("/d/t"), true)).isEqualTo(Outcome.DONE);
        sound();
        removeDeletedTrees();
        counts("/d", 1, 0);
    }

    @Test
    void aQuotaMayComeGoAndMoveWhileATreeIsRemoved() throws IOException {
        large("/top/d/large");
        large("/top/e/large");
        limit("/top", 100_000, ANY);
        limit("/top/d", 100_000, ANY);
        limit("/top/e", 100_000, ANY);
        make("/other");
        limit("/other", 100_000, ANY);
        List<Operation> both = List.of(
                new Operation.Delete(path("/top/d/large"), true), new Operation.Delete(path("/top/e/large"), true));
        assertThat(table.apply(new OperationVector(List.of(), both))).isNotNull();
        sound();
        limit("/top/d", ANY, ANY);
        sound();
        assertThat(table.rename(path("/top/e"), path("/other/e"))).isEqualTo(Outcome.DONE);
        sound();
        limit("/other/e", 5, ANY);
        sound();
        removeDeletedTrees();
        counts("/top", 2, 0);
        counts("/other", 2, 0);
        counts("/other/e", 1, 0);
    }

    @Test
    void quotasAreThereAfterACrashAndAfterTheMasterLostItsDisk() throws IOException {
        tree("/d/t");
        make("/e");
        limit("/d", 9, 1_000);
        limit("/d/t", ANY, 60);
        limit("/e", 5, 5);
        crashMaster();
        session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        counts("/d", 8, 60);
        counts("/d/t", 7, 60);
        refused(Outcome.BYTES_QUOTA, length("/d/t/a/x", 11));
        table.checkpoint();
        assertThat(table.rename(path("/d/t"), path("/e2"))).isEqualTo(Outcome.DONE);
        limit("/e", ANY, ANY);
        assertThat(table.setQuota(path("/d"), new QuotaChange(OptionalLong.of(4), OptionalLong.empty())))
                .isEqualTo(Outcome.DONE);
        apply(file("/d/own"));
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        loseMaster();
        counts("/d", 2, 0);
        assertThat(table.quota(path("/d")).orElseThrow().mostNames()).hasValue(4);
        assertThat(table.quota(path("/d")).orElseThrow().mostBytes()).hasValue(1_000);
        assertThat(table.quota(path("/e2")).orElseThrow().mostBytes()).hasValue(60);
        assertThat(table.quota(path("/e"))).isEmpty();
        apply(file("/d/a"), file("/d/b"));
        refused(Outcome.NAMES_QUOTA, file("/d/c"));
        sound();
    }

    @Test
    void writersAtTheLimitTogetherNeverPassIt() throws Exception {
        make("/d");
        limit("/d", 101, 500);
        int writers = 4;
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        try {
            List<Future<Integer>> granted = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                int me = i;
                WorkerSession own = table.register(new WorkerRegistration("w" + i, "127.0.0.1:" + (10 + i)));
                granted.add(threads.submit((Callable<Integer>) () -> {
                    int mine = 0;
                    for (int n = 0; n < 100; n++) {
                        mine += write(own, "/d/%d-%d".formatted(me, n), 6, false) instanceof ClaimResult.Granted
                                ? 1
                                : 0;
                    }
                    return mine;
                }));
            }
            int all = 0;
            for (Future<Integer> each : granted) {
                all += each.get();
            }
            // 500 bytes end before 100 names do.
            assertThat(all).isEqualTo(83);
            counts("/d", 84, 498);
            assertThat(table.list(path("/d"), "", 1_000).orElseThrow()).hasSize(83);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aMountWithoutQuotasHasNoRowOfThem() throws IOException {
        tree("/d");
        large("/l");
        assertThat(table.delete(path("/l"), true)).isEqualTo(Outcome.DONE);
        removeDeletedTrees();
        assertThat(rowsOf((byte) 'o')).isZero();
        assertThat(rowsOf(Keys.REAP)).isZero();
    }

    /** So nothing waits for the count of all of it at once. */
    @Test
    void aTreeIsCountedInSlicesByQuotasOfItsParts() throws IOException {
        for (String part : List.of("/t/a", "/t/b/c", "/t/d")) {
            written(part + "/f", 10);
            written(part + "/g", 1);
        }
        limit("/t/a", 1L << 60, ANY);
        written("/t/a/h", 5);
        assertThat(table.delete(path("/t/a/g"), false)).isEqualTo(Outcome.DONE);
        limit("/t/b", 1L << 60, ANY);
        written("/t/b/c/h", 7);
        limit("/t", 100, ANY);
        counts("/t", 12, 44);
        limit("/t/a", ANY, ANY);
        limit("/t/b", ANY, ANY);
        counts("/t", 12, 44);
        assertThat(table.rename(path("/t/b"), path("/elsewhere"))).isEqualTo(Outcome.DONE);
        counts("/t", 7, 26);
    }

    @Test
    void theQuotaOfTheRootLeavesOutWhatIsReserved() throws IOException {
        make("/d");
        limit("/", ANY, 10_000_000);
        counts("/", 2, 0);
        written("/.reserved/scratch/x", 100);
        counts("/", 2, 0);
        apply(move("/.reserved/scratch/x", "/d/x"));
        counts("/", 3, 100);
        apply(move("/d/x", "/.reserved/scratch/y"));
        counts("/", 2, 0);
        assertThat(table.delete(path("/.reserved"), true)).isNotNull();
        counts("/", 2, 0);
    }
}
