package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.Precondition;
import io.packing.bdt.Reclaim;
import io.packing.bdt.VectorResult;
import io.packing.bdt.master.table.Keys;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** A file with several names is one file under all of them, until the last one goes. */
class HardLinksTest extends LostFilesFixture {
    private static final FilePath A = new FilePath("/d/a");
    private static final FilePath B = new FilePath("/d/b");
    private static final FilePath C = new FilePath("/e/c");
    private static final FilePath D = new FilePath("/d");

    private void apply(Operation... operations) throws IOException {
        assertThat(table.apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }

    private Outcome refusal(Operation operation) throws IOException {
        return ((VectorResult.Refused) table.apply(OperationVector.of(operation))).reason();
    }

    private void link(FilePath file, FilePath name) throws IOException {
        apply(new Operation.Link(file, name));
    }

    private FileStatus stat(FilePath path) throws IOException {
        return table.stat(path).orElseThrow();
    }

    private int links(FilePath path) throws IOException {
        return stat(path).extras().links();
    }

    private void chmod(FilePath path, int mode) throws IOException {
        assertThat(table.setAttributes(
                        path, new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(mode))))
                .isEqualTo(Outcome.DONE);
    }

    /** A file of 8 bytes at {@code /d/a}. */
    private void file() throws IOException {
        claim("/d/a");
        while (stat(A).attributes().length() == 0) {
            claim("/d/a");
        }
        assertThat(table.mkdir(new FilePath("/e"), DIRECTORY, false)).isEqualTo(Outcome.DONE);
    }

    @Test
    void whatIsChangedByOneNameIsSeenByAll() throws IOException {
        file();
        link(A, B);
        link(B, C);
        chmod(C, 0600);
        AttributeChange put =
                AttributeChange.ofExtended(ExtendedChange.put("user.a", new ExtendedValue(new byte[] {1})));
        assertThat(table.setAttributes(B, put)).isEqualTo(Outcome.DONE);
        apply(new Operation.Truncate(A, 5));
        for (FilePath path : List.of(A, B, C)) {
            assertThat(stat(path).attributes().mode()).isEqualTo(0600);
            assertThat(stat(path).attributes().length()).isEqualTo(5);
            assertThat(table.extended(path).orElseThrow()).hasSize(1);
            assertThat(links(path)).isEqualTo(3);
            assertThat(stat(path).version()).isEqualTo(stat(A).version());
            assertThat(stat(path).path()).isEqualTo(path);
        }
        List<ListedEntry> listed = table.listLocated(D, "", 10).orElseThrow().entries();
        assertThat(listed).extracting(each -> each.status().version()).containsOnly(stat(A).version());
        assertThat(table.list(D, "", 10).orElseThrow()).hasSize(2);
    }

    @Test
    void aFileIsThereUntilItsLastNameGoes() throws IOException {
        file();
        link(A, B);
        push(true);
        assertThat(packed("/d/b")).isTrue();
        long live = liveBytes();
        delete("/d/a");
        assertThat(table.stat(A)).isEmpty();
        assertThat(links(B)).isEqualTo(1);
        assertThat(liveBytes()).isEqualTo(live);
        rename("/d/b", "/e/c");
        assertThat(packed("/e/c")).isTrue();
        delete("/e/c");
        assertThat(liveBytes()).isZero();
        assertThat(table.statistics().files()).isZero();
        assertThat(rowsOf(Keys.INODE)).isEqualTo(2);
    }

    @Test
    void aDeletedTreeTakesItsNamesAlong() throws IOException {
        file();
        link(A, B);
        link(A, C);
        push(true);
        delete("/d");
        removeDeletedTrees();
        awaitStatistics();
        assertThat(links(C)).isEqualTo(1);
        assertThat(liveBytes()).isPositive();
        delete("/e");
        removeDeletedTrees();
        awaitStatistics();
        assertThat(liveBytes()).isZero();
        assertThat(rowsOf(Keys.INODE)).isZero();
        assertThat(rowsOf(Keys.ENTRY)).isZero();
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

    @Test
    void namesCannotBeMadeWhereTheyMustNotBe() throws IOException {
        file();
        assertThat(refusal(new Operation.Link(D, new FilePath("/x")))).isEqualTo(Outcome.IS_A_DIRECTORY);
        assertThat(refusal(new Operation.Link(A, A))).isEqualTo(Outcome.EXISTS);
        assertThat(refusal(new Operation.Link(A, new FilePath("/e")))).isEqualTo(Outcome.EXISTS);
        assertThat(refusal(new Operation.Link(B, C))).isEqualTo(Outcome.NOT_FOUND);
        assertThat(refusal(new Operation.Link(A, new FilePath("/x/y")))).isEqualTo(Outcome.NO_PARENT);
        assertThat(refusal(new Operation.Link(A, new FilePath("/d/a/y")))).isEqualTo(Outcome.NOT_A_DIRECTORY);
        assertThat(stat(A).extras().links()).isEqualTo(1);
    }

    @Test
    void aRenameOverAnotherNameOfTheFileDoesNothing() throws IOException {
        file();
        link(A, B);
        apply(new Operation.Rename(A, B, true));
        assertThat(links(A)).isEqualTo(2);
        assertThat(stat(B).version()).isEqualTo(stat(A).version());
        claim("/e/c");
        apply(new Operation.Rename(C, B, true));
        assertThat(links(A)).isEqualTo(1);
        assertThat(stat(B).version()).isNotEqualTo(stat(A).version());
    }

    @Test
    void aNewFileTakesThePlaceOfTheNameOnly() throws IOException {
        file();
        link(A, B);
        claim("/d/a");
        assertThat(stat(A).version()).isNotEqualTo(stat(B).version());
        assertThat(links(A)).isEqualTo(1);
        assertThat(links(B)).isEqualTo(1);
        apply(new Operation.CreateFile(B, AttributeChange.NONE, true));
        assertThat(stat(B).attributes().length()).isZero();
        assertThat(table.statistics().files()).isEqualTo(2);
    }

    @Test
    void versionsAndBytesAreFoundByEachName() throws IOException {
        file();
        link(A, B);
        VectorResult same = table.apply(new OperationVector(
                List.of(new Precondition.SameVersion(B, stat(A).version())),
                List.of(new Operation.CloneRange(new ByteRange(A, 0, 4), B, 8))));
        assertThat(same).isInstanceOf(VectorResult.Applied.class);
        assertThat(stat(A).attributes().length()).isEqualTo(12);
        apply(new Operation.CloneFile(B, C, false, AttributeChange.NONE));
        assertThat(links(C)).isEqualTo(1);
        apply(new Operation.Truncate(C, 1));
        assertThat(stat(A).attributes().length()).isEqualTo(12);
    }

    @Test
    void aSnapshotSeesTheNamesAndTheFileOfItsTime() throws IOException {
        file();
        apply(new Operation.TakeSnapshot(D, "one"));
        link(A, B);
        chmod(A, 0600);
        apply(new Operation.TakeSnapshot(D, "two"));
        chmod(B, 0640);
        link(A, C);
        delete("/d/a");
        delete("/d/b");
        FilePath one = D.child(".snapshot").child("one");
        FilePath two = D.child(".snapshot").child("two");
        assertThat(table.list(one, "", 9).orElseThrow())
                .extracting(each -> each.path().name())
                .containsExactly("a");
        assertThat(stat(one.child("a")).attributes().mode()).isEqualTo(0644);
        assertThat(table.list(two, "", 9).orElseThrow())
                .extracting(each -> each.path().name())
                .containsExactly("a", "b");
        for (String name : List.of("a", "b")) {
            assertThat(stat(two.child(name)).attributes().mode()).isEqualTo(0600);
            assertThat(links(two.child(name))).isEqualTo(2);
        }
        assertThat(stat(C).attributes().mode()).isEqualTo(0640);
        delete("/e/c");
        assertThat(table.locate(two.child("a"))).isPresent();
    }

    @Test
    void aCloneOfATreeNeverChangesTheOriginal() throws IOException {
        file();
        link(A, B);
        apply(new Operation.CloneDirectory(D, new FilePath("/c")));
        FilePath cloned = new FilePath("/c/a");
        assertThat(stat(cloned).version()).isEqualTo(stat(A).version());
        chmod(cloned, 0600);
        apply(new Operation.Truncate(cloned, 1));
        assertThat(stat(A).attributes().mode()).isEqualTo(0644);
        assertThat(stat(A).attributes().length()).isEqualTo(8);
        chmod(B, 0604);
        assertThat(stat(new FilePath("/c/b")).attributes().mode()).isNotEqualTo(0604);
        delete("/d");
        removeDeletedTrees();
        assertThat(stat(cloned).attributes().length()).isEqualTo(1);
        assertThat(table.locate(new FilePath("/c/b"))).isPresent();
    }

    @Test
    void aCrashKeepsThem() throws IOException {
        file();
        link(A, B);
        crashMaster();
        assertThat(links(B)).isEqualTo(2);
        delete("/d/a");
        crashMaster();
        assertThat(links(B)).isEqualTo(1);
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
        recoverOnce();
        session = register("w");
        Reclaim file = granted(session, "/d/a");
        link(A, B);
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
    void aFileWhoseLastNameWentDoesNotComeBack() throws IOException {
        recoverOnce();
        session = register("w");
        Reclaim file = granted(session, "/d/a");
        link(A, B);
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
        recoverOnce();
        session = register("w");
        Reclaim unused = granted(session, "/d/a");
        link(A, B);
        uploadJournal();
        loseMaster();
        assertThat(table.locate(A).orElseThrow().placement()).isInstanceOf(Placement.Lost.class);
        assertThat(refusal(new Operation.Truncate(A, 1))).isEqualTo(Outcome.NOT_FOUND);
        assertThat(refusal(new Operation.Link(A, new FilePath("/x")))).isEqualTo(Outcome.NOT_FOUND);
        delete("/d/a");
        delete("/d/b");
        assertThat(table.list(D, "", 9).orElseThrow()).isEmpty();
    }

    @Test
    void aFileWithOneNameCostsNothing() throws IOException {
        file();
        int entries = rowsOf(Keys.ENTRY);
        link(A, B);
        assertThat(rowsOf(Keys.ENTRY)).isEqualTo(entries + 2);
        delete("/d/a");
        assertThat(rowsOf(Keys.ENTRY)).isEqualTo(entries + 1);
    }
}
