// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.bdt.Reclaim;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.change.Recoveries;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.StoreRows;
import io.packing.bdt.master.upkeep.HistoryLimit;
import io.packing.blob.FilePath;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** After a recovery workers bring back what was lost with the master, and nothing that was over. */
class LostFilesTest extends LostFilesFixture {
    private void reap() throws IOException {
        while (master.openMount(TestStores.MOUNT).upkeep().reaper().step()) {
            assertThat(table.stat(new FilePath("/tree"))).isEmpty();
        }
    }

    @Test
    void filesThatWereWrittenAndDeletedAfterARecoveryStayDeleted() throws IOException {
        recoverOnce();
        List<Reclaim> held = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            held.add(granted(session, i % 2 == 0 ? "/f" + i : "/tree/sub/f" + i));
        }
        for (int i = 0; i < 100; i += 2) {
            delete("/f" + i);
        }
        delete("/tree");
        reap();
        WorkerSession restarted = register("w");
        assertThat(restarted.reclaim(held)).containsOnly(Optional.empty());
        assertThat(restarted.reclaim(held.stream().map(LostFilesTest::forgotten).toList()))
                .containsOnly(Optional.empty());
        assertThat(names()).containsOnlyKeys("/before");
    }

    @Test
    void lostFilesBelowATreeThatIsDeletedAfterTheRecoveryStayDeleted() throws IOException {
        recoverOnce();
        claim("/tree/pushed");
        push(true);
        Reclaim known = granted(session, "/tree/known");
        Reclaim unknown = forgotten(granted(session, "/tree/unknown"));
        Reclaim kept = granted(session, "/kept");
        loseMaster();
        delete("/tree");
        claim("/tree/new");
        assertThat(session.reclaim(List.of(known, unknown, kept)))
                .containsExactly(Optional.empty(), Optional.empty(), Optional.of(kept.version()));
        assertThat(names()).containsOnlyKeys("/before", "/kept", "/tree", "/tree/new");
    }

    @Test
    void lostFilesFollowTheRenamesAfterTheRecovery() throws IOException {
        recoverOnce();
        claim("/a/pushed");
        push(true);
        Reclaim known = granted(session, "/a/known");
        Reclaim unknown = forgotten(granted(session, "/a/unknown"));
        loseMaster();
        rename("/a", "/b");
        assertThat(session.reclaim(List.of(known, unknown)).get(0)).contains(known.version());
        assertThat(names()).containsOnlyKeys("/b", "/b/pushed", "/b/known", "/b/unknown", "/before");
    }

    @Test
    void aFileThatWasReclaimedAndDeletedIsNotReclaimedAgain() throws IOException {
        recoverOnce();
        List<Reclaim> held = List.of(granted(session, "/f"), granted(session, "/tree/g"), granted(session, "/over"));
        loseMaster();
        assertThat(session.reclaim(held)).doesNotContain(Optional.empty());
        delete("/f");
        delete("/tree");
        reap();
        granted(session, "/over");
        delete("/over");
        // It never came to tell that it had named everything.
        WorkerSession restarted = register("w");
        assertThat(restarted.reclaim(held)).containsOnly(Optional.empty());
        assertThat(restarted.reclaim(held.stream().map(LostFilesTest::forgotten).toList()))
                .containsOnly(Optional.empty());
        assertThat(names()).containsOnlyKeys("/before");
    }

    @Test
    void aWorkerThatHasReclaimedAfterTheRecoveryHasLostNothingMore() throws IOException {
        recoverOnce();
        Reclaim unnamed = granted(session, "/unnamed");
        loseMaster();
        session.reclaimed();
        WorkerSession restarted = register("w");
        assertThat(restarted.reclaim(List.of(unnamed, forgotten(unnamed)))).containsOnly(Optional.empty());
    }

    @Test
    void whatTheBackupKnewToBeOverIsNotReclaimed() throws IOException {
        Reclaim over = granted(session, "/over");
        delete("/over");
        table.checkpoint();
        table.checkpoint();
        Reclaim kept = granted(session, "/kept");
        loseMaster();
        assertThat(session.reclaim(List.of(over, kept))).containsExactly(Optional.empty(), Optional.of(kept.version()));
    }

    @Test
    void nothingIsLostWhenTheMastersDiskGoesBeforeAnythingWasUploaded() throws IOException {
        Reclaim known = granted(session, "/d/known");
        Reclaim unknown = granted(session, "/d/unknown");
        loseMaster();
        assertThat(session.reclaim(List.of(known, forgotten(unknown))).get(0)).contains(known.version());
        assertThat(names()).containsOnlyKeys("/d", "/d/known", "/d/unknown");
        assertThat(session.newFileId()).isGreaterThan(unknown.version().id());
    }

    @Test
    void ofLostVersionsOfAPathTheNewestComesBackInWhateverOrder() throws IOException {
        recoverOnce();
        Reclaim first = granted(session, "/f");
        Reclaim second = granted(session, "/f");
        loseMaster();
        assertThat(session.reclaim(List.of(forgotten(first), forgotten(second))).get(1))
                .isPresent();
        assertThat(table.stat(new FilePath("/f")).orElseThrow().version().id())
                .isEqualTo(second.version().id());
        assertThat(register("w")
                        .reclaim(List.of(forgotten(second), forgotten(first)))
                        .get(1))
                .isEmpty();
    }

    @Test
    void whatMetSomethingNewerIsKeptBesideIt() throws IOException {
        recoverOnce();
        claim("/a/pushed");
        push(true);
        Reclaim atARename = granted(session, "/b");
        Reclaim atADirectory = granted(session, "/c");
        Reclaim belowAFile = granted(session, "/d/e");
        Reclaim atAClaim = granted(session, "/f");
        loseMaster();
        rename("/a", "/b");
        assertThat(table.mkdir(new FilePath("/c"), DIRECTORY, false)).isEqualTo(Outcome.DONE);
        claim("/d");
        claim("/f");
        assertThat(session.reclaim(List.of(atARename, atADirectory, belowAFile, atAClaim)))
                .containsExactly(
                        Optional.of(atARename.version()),
                        Optional.of(atADirectory.version()),
                        Optional.of(belowAFile.version()),
                        Optional.empty());
        List<String> beside = new ArrayList<>();
        for (FileStatus status : names().values()) {
            if (status.path().value().contains(".recovered-") && !status.isDirectory()) {
                beside.add(status.path().value().replaceAll("[0-9]+", "N"));
            }
        }
        assertThat(beside).containsExactly("/b.recovered-N", "/c.recovered-N", "/d.recovered-N/e");
    }

    @Test
    void bufferedFilesThatEndedBeforeTheLossStayEndedWithoutTheirPositions() throws IOException {
        recoverOnce();
        Reclaim overwritten = forgotten(granted(session, "/tree/over"));
        Reclaim second = forgotten(granted(session, "/tree/over"));
        Reclaim below = forgotten(granted(session, "/tree/below"));
        delete("/tree/over");
        delete("/tree");
        reap();
        Reclaim kept = forgotten(granted(session, "/tree/kept"));
        uploadJournal();
        loseMaster();
        assertThat(session.reclaim(List.of(overwritten, second, below, kept)).stream()
                        .map(Optional::isPresent))
                .containsExactly(false, false, false, true);
        assertThat(names()).containsOnlyKeys("/before", "/tree", "/tree/kept");
    }

    @Test
    void tooManyChangesAfterARecoveryEndTheWaitForWhatItLost() throws IOException {
        recoverOnce();
        Reclaim early = granted(session, "/early");
        Reclaim late = granted(session, "/late");
        loseMaster();
        Table mount = master.openMount(TestStores.MOUNT).table();
        HistoryLimit limit = new HistoryLimit("m", mount, 10);
        for (int i = 0; i < 10; i++) {
            claim("/x");
            delete("/x");
            assertThat(limit.step()).isFalse();
        }
        assertThat(session.reclaim(List.of(early))).containsExactly(Optional.of(early.version()));
        claim("/x");
        delete("/x");
        assertThat(limit.step()).as("ends").isTrue();
        assertThat(limit.step()).as("removes").isTrue();
        assertThat(limit.step()).isFalse();
        assertThat(session.reclaim(List.of(late, early)))
                .containsExactly(Optional.empty(), Optional.of(early.version()));
        delete("/early");
        assertThat(limit.step()).as("nothing is kept any more").isFalse();
        table.checkpoint();
        Reclaim next = granted(session, "/next");
        loseMaster();
        assertThat(session.reclaim(List.of(next, early, late)))
                .as("the next recovery begins afresh")
                .containsExactly(Optional.of(next.version()), Optional.empty(), Optional.empty());
    }

    @Test
    void theMarkOfARecoveryByAnOlderVersionIsRead() throws IOException {
        recoverOnce();
        Reclaim lost = granted(session, "/lost");
        loseMaster();
        long at = Recoveries.load(new StoreRows(stores.table())).newestAt();
        master.kill();
        stores.table()
                .write(
                        new WriteBatch()
                                .put(Recoveries.KEY, new Bytes.Out().number(at).toBytes()),
                        SortedStore.Sync.NONE);
        master = BdtMaster.start(TestStores.config(data), stores);
        table = master.open(TestStores.MOUNT);
        session = register("w");
        Reclaim deleted = granted(session, "/deleted");
        delete("/deleted");
        session = register("w");
        assertThat(session.reclaim(List.of(lost, deleted, forgotten(deleted))))
                .containsExactly(Optional.of(lost.version()), Optional.empty(), Optional.empty());
    }
}
