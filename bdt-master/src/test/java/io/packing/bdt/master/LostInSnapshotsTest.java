// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Placement;
import io.packing.bdt.Reclaim;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A file that only snapshots have comes back with its worker after a loss, although every name it had is gone. */
class LostInSnapshotsTest extends LostFilesFixture {
    private void apply(Operation operation) throws IOException {
        assertThat(table.apply(OperationVector.of(operation))).isInstanceOf(VectorResult.Applied.class);
    }

    private void take(String directory, String name) throws IOException {
        apply(new Operation.TakeSnapshot(new FilePath(directory), name));
    }

    private void lose() throws IOException {
        uploadJournal();
        loseMaster();
    }

    private void comesBack(Reclaim file) throws IOException {
        assertThat(session.reclaim(List.of(file))).containsExactly(Optional.of(file.version()));
    }

    /** The file is in a snapshot under a path, and nowhere else in it. */
    private void assertSeen(Reclaim file, String snapshot, String path) throws IOException {
        Map<String, FileStatus> seen = new TreeMap<>();
        list(new FilePath(snapshot), seen);
        assertThat(seen).containsKey(snapshot + path);
        assertThat(seen.values().stream().filter(each -> !each.isDirectory())).hasSize(1);
        Placement placement = table.locate(new FilePath(snapshot + path))
                .map(LocatedFile::placement)
                .orElseThrow();
        assertThat(((Placement.Mapped) placement).pieces())
                .extracting(piece -> piece.content().status().version())
                .containsExactly(file.version());
    }

    /** Whatever became of the worker and the master since. */
    private void staysAfterPushAndLoss(Reclaim file, String snapshot, String path) throws IOException {
        assertSeen(file, snapshot, path);
        lose();
        comesBack(file);
        assertSeen(file, snapshot, path);
        buffered.add(file);
        push(true);
        assertSeen(file, snapshot, path);
        loseMaster();
        assertSeen(file, snapshot, path);
        table.checkpoint();
        loseMaster();
        assertSeen(file, snapshot, path);
    }

    @Test
    void aFileInADirectoryThatWasDeletedIsSeen() throws IOException {
        Reclaim held = granted(session, "/d/e/f");
        take("/", "s");
        delete("/d");
        lose();
        comesBack(held);
        assertThat(names()).isEmpty();
        staysAfterPushAndLoss(held, "/.snapshot/s", "/d/e/f");
    }

    @Test
    void aFileInADirectoryThatWasMovedAndDeletedIsSeenWhereItWas() throws IOException {
        claim("/x/other");
        push(true);
        Reclaim held = granted(session, "/d/e/f");
        take("/d", "s");
        rename("/d/e", "/x/e");
        delete("/x");
        lose();
        comesBack(held);
        staysAfterPushAndLoss(held, "/d/.snapshot/s", "/e/f");
    }

    @Test
    void aFileIsSeenByEachSnapshotWhereItWasThen() throws IOException {
        Reclaim held = granted(session, "/d/e/f");
        take("/d", "first");
        rename("/d/e", "/d/moved");
        take("/d", "second");
        delete("/d/moved");
        lose();
        comesBack(held);
        assertSeen(held, "/d/.snapshot/first", "/e/f");
        staysAfterPushAndLoss(held, "/d/.snapshot/second", "/moved/f");
        assertSeen(held, "/d/.snapshot/first", "/e/f");
    }

    @Test
    void aFileThatWasOverwrittenAfterTheLossIsSeen() throws IOException {
        Reclaim held = granted(session, "/d/f");
        take("/d", "s");
        lose();
        Reclaim newer = granted(session, "/d/f");
        comesBack(held);
        assertThat(table.stat(new FilePath("/d/f")).orElseThrow().version()).isEqualTo(newer.version());
        staysAfterPushAndLoss(held, "/d/.snapshot/s", "/f");
    }

    @Test
    void aFileThatHadOverwrittenAnOlderOneIsSeen() throws IOException {
        claim("/d/e/f");
        push(true);
        take("/d", "before");
        Reclaim held = granted(session, "/d/e/f");
        take("/", "s");
        apply(new Operation.DropSnapshot(new FilePath("/d"), "before"));
        delete("/d");
        lose();
        comesBack(held);
        staysAfterPushAndLoss(held, "/.snapshot/s", "/d/e/f");
    }

    @Test
    void theOneThatItHadOverwrittenIsSeenByTheSnapshotBefore() throws IOException {
        claim("/d/e/f");
        push(true);
        take("/", "before");
        FileVersion older = table.stat(new FilePath("/d/e/f")).orElseThrow().version();
        Reclaim held = granted(session, "/d/e/f");
        take("/", "s");
        delete("/d");
        lose();
        comesBack(held);
        staysAfterPushAndLoss(held, "/.snapshot/s", "/d/e/f");
        assertThat(table.stat(new FilePath("/.snapshot/before/d/e/f"))
                        .orElseThrow()
                        .version())
                .isEqualTo(older);
    }

    @Test
    void aFileOfADroppedSnapshotIsNotKept() throws IOException {
        Reclaim held = granted(session, "/d/e/f");
        take("/d", "s");
        delete("/d/e");
        apply(new Operation.DropSnapshot(new FilePath("/d"), "s"));
        lose();
        assertThat(session.reclaim(List.of(held))).containsExactly(Optional.empty());
    }

    @Test
    void aFileThatCameAfterTheSnapshotIsNotKept() throws IOException {
        claim("/d/other");
        push(true);
        take("/d", "s");
        Reclaim held = granted(session, "/d/e/f");
        delete("/d/e");
        lose();
        assertThat(session.reclaim(List.of(held))).containsExactly(Optional.empty());
        assertThat(table.stat(new FilePath("/d/.snapshot/s/e"))).isEmpty();
    }

    @Test
    void aCloneOfADirectoryShowsAFileThatComesBackToItsSource() throws IOException {
        Reclaim held = granted(session, "/d/e/f");
        apply(new Operation.CloneDirectory(new FilePath("/d"), new FilePath("/c")));
        delete("/d");
        lose();
        comesBack(held);
        assertThat(names()).containsOnlyKeys("/c", "/c/e", "/c/e/f");
    }

    @Test
    void whatLeftACloneDoesNotComeBackWithTheFileOfItsSource() throws IOException {
        Reclaim moved = granted(session, "/d/e/moved");
        Reclaim deleted = granted(session, "/d/e/deleted");
        apply(new Operation.CloneDirectory(new FilePath("/d"), new FilePath("/c")));
        rename("/c/e/moved", "/moved");
        delete("/c/e/deleted");
        lose();
        comesBack(moved);
        comesBack(deleted);
        assertThat(names()).containsOnlyKeys("/c", "/c/e", "/d", "/d/e", "/d/e/deleted", "/d/e/moved", "/moved");
    }

    /** The older file is over only once nothing of the dropped snapshot is left, and the clone is from before that. */
    private List<Reclaim> overwrittenBeforeAClone() throws IOException {
        Reclaim older = granted(session, "/d/e/f");
        take("/d", "s");
        Reclaim newer = granted(session, "/d/e/f");
        // At once: upkeep must not come between them.
        assertThat(table.apply(OperationVector.of(
                        new Operation.DropSnapshot(new FilePath("/d"), "s"),
                        new Operation.CloneDirectory(new FilePath("/d/e"), new FilePath("/c")))))
                .isInstanceOf(VectorResult.Applied.class);
        UpkeepByHand upkeep = new UpkeepByHand(master.openMount(TestStores.MOUNT), stores.objects, work, 0.9);
        while (upkeep.trim()) {
            Thread.onSpinWait();
        }
        lose();
        return List.of(older, newer);
    }

    private void assertClone(Reclaim file) throws IOException {
        assertThat(names()).containsOnlyKeys("/c", "/c/f", "/d", "/d/e", "/d/e/f");
        for (String path : List.of("/c/f", "/d/e/f")) {
            assertThat(table.stat(new FilePath(path)).orElseThrow().version())
                    .as(path)
                    .isEqualTo(file.version());
        }
    }

    @Test
    void aCloneShowsTheNewerFileWhenBothComeBackAtOnce() throws IOException {
        List<Reclaim> both = overwrittenBeforeAClone();
        session.reclaim(both);
        assertClone(both.get(1));
    }

    @Test
    void aCloneShowsTheNewerFileWhenTheOlderComesBackFirst() throws IOException {
        List<Reclaim> both = overwrittenBeforeAClone();
        session.reclaim(List.of(both.get(0)));
        session.reclaim(List.of(both.get(1)));
        assertClone(both.get(1));
        lose();
        session.reclaim(both);
        assertClone(both.get(1));
    }

    @Test
    void aCloneShowsTheNewerFileWhenTheOlderComesBackLast() throws IOException {
        List<Reclaim> both = overwrittenBeforeAClone();
        session.reclaim(List.of(both.get(1)));
        session.reclaim(List.of(both.get(0)));
        assertClone(both.get(1));
    }
}
