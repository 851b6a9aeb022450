// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Reclaim;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A master that loses its disk again and again: a later recovery keeps the files that an earlier one lost and got back. */
class RecoveriesInARowTest extends LostFilesFixture {
    /** The last recovery's backup is older than the recovery before, which only the journal records. */
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
        // A worker that got the order to forget too late has pushed this one as well.
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

    /** No journal was uploaded that would tell of the directory: each recovery makes it because something is in it. */
    @Test
    void aSnapshotGoesOnToSeeWhatIsInADirectoryThatOnlyARecoveryMade() throws IOException {
        claim("/d/e/f");
        push(true);
        loseMaster();
        seesAfterTheNextLoss(Optional.empty(), "/d/e", "/d/e/f");
    }

    @Test
    void aSnapshotGoesOnToSeeADirectoryThatWasMadeForAFileThatCameBack() throws IOException {
        recoverOnce();
        Reclaim lost = granted(session, "/d/e/f");
        loseMaster();
        assertThat(session.reclaim(List.of(lost))).containsExactly(Optional.of(lost.version()));
        seesAfterTheNextLoss(Optional.of(lost), "/before", "/d/e", "/d/e/f");
    }

    /** The second recovery makes the directory as of an earlier position than the first one did. */
    @Test
    void aSnapshotGoesOnToSeeADirectoryOfWhichALaterBlobTellsEarlier() throws IOException {
        recoverOnce();
        Reclaim older = granted(session, "/d/e/older");
        claim("/between");
        claim("/d/e/newer");
        push(true);
        loseMaster();
        assertThat(session.reclaim(List.of(older))).containsExactly(Optional.of(older.version()));
        seesAfterTheNextLoss(Optional.of(older), "/before", "/between", "/d/e", "/d/e/newer", "/d/e/older");
    }

    /**
     * A snapshot is taken of a file in a buffer, too, which is deleted then.
     *
     * @param pushedLate after the snapshot
     */
    private void seesAfterTheNextLoss(Optional<Reclaim> pushedLate, String... others) throws IOException {
        Reclaim held = granted(session, "/d/e/held");
        assertThat(table.apply(OperationVector.of(new Operation.TakeSnapshot(FilePath.ROOT, "s"))))
                .isInstanceOf(VectorResult.Applied.class);
        delete("/d/e/held");
        uploadJournal();
        pushedLate.ifPresent(buffered::add);
        push(true);
        loseMaster();
        assertThat(session.reclaim(List.of(held))).containsExactly(Optional.of(held.version()));
        Map<String, FileStatus> seen = new TreeMap<>();
        list(new FilePath("/.snapshot/s"), seen);
        assertThat(seen).containsKeys("/.snapshot/s/d", "/.snapshot/s/d/e/held").hasSize(others.length + 2);
        for (String other : others) {
            assertThat(seen).containsKey("/.snapshot/s" + other);
        }
        assertThat(names()).containsKeys(others).hasSize(others.length + 1);
    }
}
