// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.Reclaim;
import io.packing.bdt.master.table.row.Keys;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Files with several names have them after a master lost its disk, also when only a worker has their bytes. */
class RecoveredLinksTest extends LinksFixture {
    /** A file that only a worker has, as {@code /d/a} and {@code /d/b}. */
    private Reclaim bufferedUnderTwoNames() throws IOException {
        recoverOnce();
        session = register("w");
        Reclaim file = granted(session, "/d/a");
        link(A, B);
        return file;
    }

    @Test
    void aFileWhoseBytesWereSharedBeforeItGotANameIsNotLostWithTheMastersDisk() throws IOException {
        assertThat(table.mkdir(D, DIRECTORY, false)).isEqualTo(Outcome.DONE);
        Claim claim = hashed(session.newFileId(), A, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        assertThat(session.claim(claim).join()).isInstanceOf(ClaimResult.Granted.class);
        Reclaim held = new Reclaim(stat(A).version(), A, claim.attributes());
        apply(new Operation.CloneFile(A, B, false, AttributeChange.NONE));
        apply(new Operation.Link(A, new FilePath("/d/c")));
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        loseMaster();
        assertThat(session.reclaim(List.of(held))).containsExactly(Optional.of(held.version()));
        session.reclaimed();
        for (FilePath path : List.of(A, B, new FilePath("/d/c"))) {
            assertThat(stat(path).state()).as("%s", path).isEqualTo(FileStatus.State.MAPPED);
            Placement.Mapped mapped =
                    (Placement.Mapped) table.locate(path).orElseThrow().placement();
            assertThat(mapped.pieces().get(0).content().placement()).isInstanceOf(Placement.Buffered.class);
        }
    }

    /** Seed 671500845 of {@link SharedBytesModelTest}: two rows of the past held its bytes once, and the second one could not be removed. */
    @Test
    void aSnapshotFromBeforeItsSecondNameIsDroppedWhole() throws IOException {
        assertThat(table.mkdir(D, DIRECTORY, false)).isEqualTo(Outcome.DONE);
        Claim claim = hashed(session.newFileId(), A, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        assertThat(session.claim(claim).join()).isInstanceOf(ClaimResult.Granted.class);
        Reclaim held = new Reclaim(stat(A).version(), A, claim.attributes());
        apply(new Operation.CloneFile(A, B, false, AttributeChange.NONE));
        apply(new Operation.TakeSnapshot(D, "s"));
        apply(new Operation.Link(A, new FilePath("/d/c")));
        uploadJournal();
        loseMaster();
        assertThat(session.reclaim(List.of(held))).containsExactly(Optional.of(held.version()));
        session.reclaimed();
        apply(new Operation.DropSnapshot(D, "s"));
        delete("/d");
        removeDeletedTrees();
        UpkeepByHand upkeep = new UpkeepByHand(master.openMount(TestStores.MOUNT), stores.objects, work, 0.9);
        while (upkeep.trim()) {
            Thread.onSpinWait();
        }
        assertThat(rowsOf(Keys.PAST)).isZero();
        assertThat(rowsOf(Keys.CONTENT)).isZero();
    }

    @Test
    void aRebuildFromTheStoreHasThem() throws IOException {
        file();
        push(true);
        table.checkpoint();
        link(A, B);
        link(A, C);
        rename("/d/b", "/d/x");
        chmod(C, 0600);
        uploadJournal();
        loseMaster();
        FilePath x = new FilePath("/d/x");
        assertThat(stat(x).version()).isEqualTo(stat(A).version());
        assertThat(links(C)).isEqualTo(3);
        assertThat(stat(A).attributes().mode()).isEqualTo(0600);
        assertThat(packed("/d/x")).isTrue();
        delete("/d/a");
        delete("/d/x");
        uploadJournal();
        loseMaster();
        assertThat(links(C)).isEqualTo(1);
        assertThat(packed("/e/c")).isTrue();
        delete("/e/c");
        assertThat(liveBytes()).isZero();
    }

    @Test
    void aFileThatWasInABufferOnlyComesBackUnderAllOfItsNames() throws IOException {
        Reclaim file = bufferedUnderTwoNames();
        chmod(B, 0600);
        rename("/d/a", "/d/c");
        uploadJournal();
        loseMaster();
        FilePath c = new FilePath("/d/c");
        assertThat(table.stat(A)).isEmpty();
        assertThat(stat(c).state()).isEqualTo(FileStatus.State.LOST);
        session = register("w");
        assertThat(session.reclaim(List.of(file)).get(0)).isPresent();
        assertThat(stat(c).state()).isEqualTo(FileStatus.State.BUFFERED);
        assertThat(stat(c).version()).isEqualTo(stat(B).version());
        assertThat(stat(c).attributes().mode()).isEqualTo(0600);
        assertThat(links(B)).isEqualTo(2);
        buffered.add(file);
        push(true);
        assertThat(packed("/d/b")).isTrue();
        assertThat(packed("/d/c")).isTrue();
    }

    @Test
    void whatAMissingFileOverwroteDoesNotComeBack() throws IOException {
        recoverOnce();
        session = register("w");
        claim("/d/a");
        push(true);
        Reclaim file = granted(session, "/d/a");
        link(A, B);
        uploadJournal();
        loseMaster();
        assertThat(table.list(D, "", 9).orElseThrow())
                .extracting(each -> each.path().name())
                .containsExactly("a", "b");
        assertThat(stat(A).state()).isEqualTo(FileStatus.State.LOST);
        session = register("w");
        assertThat(session.reclaim(List.of(file)).get(0)).isPresent();
        assertThat(links(A)).isEqualTo(2);
    }

    @Test
    void whatWasChangedOfAMissingFileDoesNotChangeTheOneThatHadItsName() throws IOException {
        recoverOnce();
        session = register("w");
        claim("/d/a");
        push(true);
        link(A, B);
        int before = stat(B).attributes().mode();
        Reclaim file = granted(session, "/d/a");
        chmod(A, 0600);
        assertThat(stat(B).attributes().mode()).isEqualTo(before);
        uploadJournal();
        loseMaster();
        assertThat(stat(B).attributes().mode()).isEqualTo(before);
        session = register("w");
        assertThat(session.reclaim(List.of(file)).get(0)).isPresent();
        assertThat(stat(A).attributes().mode()).isEqualTo(0600);
        assertThat(stat(B).attributes().mode()).isEqualTo(before);
        chmod(B, 0400);
        uploadJournal();
        loseMaster();
        assertThat(stat(B).attributes().mode()).isEqualTo(0400);
    }

    @Test
    void aFileWhoseLastNameWentDoesNotComeBack() throws IOException {
        Reclaim file = bufferedUnderTwoNames();
        delete("/d/a");
        delete("/d/b");
        Reclaim other = granted(session, "/d/a");
        link(A, B);
        uploadJournal();
        loseMaster();
        delete("/d/a");
        delete("/d/b");
        session = register("w");
        assertThat(session.reclaim(List.of(file, other))).containsExactly(Optional.empty(), Optional.empty());
        assertThat(table.list(D, "", 9).orElseThrow()).isEmpty();
    }

    @Test
    void aLostFileIsShownAsLostAndCanBeDeleted() throws IOException {
        Reclaim unused = bufferedUnderTwoNames();
        uploadJournal();
        loseMaster();
        assertThat(table.locate(A).orElseThrow().placement()).isInstanceOf(Placement.Lost.class);
        assertThat(refusal(new Operation.Truncate(A, 1))).isEqualTo(Outcome.NOT_FOUND);
        assertThat(refusal(new Operation.Link(A, new FilePath("/x")))).isEqualTo(Outcome.NOT_FOUND);
        delete("/d/a");
        delete("/d/b");
        assertThat(table.list(D, "", 9).orElseThrow()).isEmpty();
    }
}
