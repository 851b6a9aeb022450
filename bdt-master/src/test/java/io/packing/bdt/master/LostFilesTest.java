package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.bdt.Reclaim;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.master.table.Bytes;
import io.packing.bdt.master.table.Recoveries;
import io.packing.bdt.master.table.StoreRows;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.upkeep.HistoryLimit;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** After a recovery workers bring back what was lost with the master, and nothing that was over. */
class LostFilesTest extends MountFixture {
    private static final FileAttributes FILE = new FileAttributes(8, 1, "u", "g", 0644);

    /** A claim of a session, as its worker remembers it. */
    static Reclaim granted(WorkerSession session, String path) throws IOException {
        long id = session.newFileId();
        ClaimResult result = session.claim(new Claim(id, new FilePath(path), FILE, true, true))
                .join();
        return new Reclaim(((ClaimResult.Granted) result).version(), new FilePath(path), FILE);
    }

    /** As a worker names it that has lost its index. */
    static Reclaim forgotten(Reclaim file) {
        return new Reclaim(new FileVersion(file.version().id(), 0), file.path(), file.attributes());
    }

    private WorkerSession register(String worker) throws IOException {
        return table.register(new WorkerRegistration(worker, "127.0.0.1:1"));
    }

    private void recoverOnce() throws IOException {
        claim("/before");
        push(true);
        loseMaster();
    }

    private void reap() throws IOException {
        while (master.openMount(TestStores.MOUNT).upkeep().reaper().step()) {
            assertThat(table.stat(new FilePath("/tree"))).isEmpty();
        }
    }

    private void uploadJournal() throws IOException {
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
    }

    private void delete(String path) throws IOException {
        assertThat(table.delete(new FilePath(path), true)).isEqualTo(Outcome.DONE);
    }

    private void rename(String from, String to) throws IOException {
        assertThat(table.rename(new FilePath(from), new FilePath(to))).isEqualTo(Outcome.DONE);
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

    /** The backup that the last recovery begins with is older than the one before, which only the journal tells of. */
    @Test
    void aFileThatWasKeptBesideItsPathComesBackAfterTheNextRecoveryToo() throws IOException {
        recoverOnce();
        claim("/other");
        push(true);
        Reclaim kept = granted(session, "/f");
        loseMaster();
        rename("/other", "/f");
        FileVersion version = session.reclaim(List.of(forgotten(kept))).get(0).orElseThrow();
        String beside = "/f.recovered-" + version.id();
        assertThat(names()).containsOnlyKeys("/before", "/f", beside);
        uploadJournal();
        loseMaster();
        assertThat(session.reclaim(List.of(new Reclaim(version, kept.path(), kept.attributes()))))
                .containsExactly(Optional.of(version));
        assertThat(names()).containsOnlyKeys("/before", "/f", beside);
    }

    /** The second recovery begins with a backup before the first one, so only the journal tells that there was a first one. */
    @Test
    void aFileThatWasLostTwiceIsKeptBesideWhatTookItsPathBetween() throws IOException {
        recoverOnce();
        claim("/other");
        push(true);
        Reclaim lost = granted(session, "/f");
        loseMaster();
        rename("/other", "/f");
        uploadJournal();
        loseMaster();
        assertThat(session.reclaim(List.of(lost))).containsExactly(Optional.of(lost.version()));
        assertThat(names())
                .containsOnlyKeys(
                        "/before", "/f", "/f.recovered-" + lost.version().id());
    }

    /** Its worker pushed it before it heard that the file is over. */
    @Test
    void aFileThatWasOverwrittenDoesNotComeBackBesideWhatTookItsPathLater() throws IOException {
        recoverOnce();
        claim("/other");
        push(true);
        Reclaim over = granted(session, "/f");
        granted(session, "/f");
        rename("/other", "/third");
        uploadJournal();
        loseMaster();
        rename("/third", "/f");
        uploadJournal();
        buffered.add(over);
        push(false);
        loseMaster();
        assertThat(names()).containsOnlyKeys("/before", "/f");
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
    void aWorkerThatWasAwayDuringTwoRecoveriesLosesNothing() throws IOException {
        recoverOnce();
        WorkerSession away = register("v");
        Reclaim known = granted(away, "/d/known");
        Reclaim unknown = granted(away, "/d/unknown");
        Reclaim deleted = granted(away, "/gone/deleted");
        loseMaster();
        claim("/gone/other");
        delete("/gone");
        session.reclaimed();
        table.checkpoint();
        Reclaim own = granted(session, "/own");
        uploadJournal();
        loseMaster();
        away = register("v");
        assertThat(away.reclaim(List.of(known, forgotten(unknown), deleted)).stream()
                        .map(Optional::isPresent))
                .containsExactly(true, true, false);
        assertThat(session.reclaim(List.of(own))).containsExactly(Optional.of(own.version()));
        assertThat(names()).containsOnlyKeys("/before", "/d", "/d/known", "/d/unknown", "/own");
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
    void aFileThatCameBackAfterABackupAndWasPushedIsThereAfterTheNextRecovery() throws IOException {
        recoverOnce();
        claim("/a/known");
        claim("/a/unknown");
        claim("/gone/deleted");
        List<Reclaim> held = List.copyOf(buffered);
        loseMaster();
        table.checkpoint();
        table.checkpoint();
        claim("/a/other");
        rename("/a", "/b");
        claim("/gone/other");
        delete("/gone");
        table.checkpoint();
        List<Reclaim> asked = List.of(held.get(0), forgotten(held.get(1)), held.get(2));
        List<Optional<FileVersion>> answers = session.reclaim(asked);
        buffered.clear();
        for (int i = 0; i < 2; i++) {
            Reclaim file = asked.get(i);
            buffered.add(new Reclaim(answers.get(i).orElseThrow(), file.path(), file.attributes()));
        }
        // A worker that was told too late to forget has pushed this one as well.
        buffered.add(held.get(2));
        push(true);
        loseMaster();
        assertThat(names()).containsOnlyKeys("/b", "/b/known", "/b/unknown", "/b/other", "/before");
        assertThat(packed("/b/known")).isTrue();
        assertThat(packed("/b/unknown")).isTrue();
    }

    @Test
    void idsAndPositionsOfRecoveriesInARowAreNeverUsedAgain() throws IOException {
        long lastId = 0;
        long lastPosition = 0;
        for (int i = 0; i < 4; i++) {
            FileVersion lost = granted(session, "/f" + i).version();
            assertThat(lost.id()).isGreaterThan(lastId);
            assertThat(lost.generation()).isGreaterThan(lastPosition);
            lastId = lost.id();
            lastPosition = lost.generation();
            loseMaster();
        }
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
    void whatIsKeptElsewhereIsThereAfterTheNextRecoveryAsWell() throws IOException {
        recoverOnce();
        claim("/a/pushed");
        push(true);
        claim("/b");
        claim("/c");
        List<Reclaim> held = List.copyOf(buffered);
        loseMaster();
        rename("/a", "/b");
        assertThat(table.mkdir(new FilePath("/c"), DIRECTORY, false)).isEqualTo(Outcome.DONE);
        assertThat(session.reclaim(held)).doesNotContain(Optional.empty());
        buffered.add(held.get(0));
        push(true);
        Set<String> before = names().keySet();
        uploadJournal();
        loseMaster();
        claim("/c/later");
        assertThat(session.reclaim(List.of(held.get(1))))
                .containsExactly(Optional.of(held.get(1).version()));
        assertThat(table.delete(new FilePath("/c/later"), false)).isEqualTo(Outcome.DONE);
        assertThat(names().keySet()).isEqualTo(before);
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
