// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Precondition;
import io.packing.bdt.VectorResult;
import io.packing.bdt.master.table.row.Keys;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A file with several names is one file under all of them, until the last one goes. */
class HardLinksTest extends LinksFixture {
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
    void aFileWithOneNameCostsNothing() throws IOException {
        file();
        int entries = rowsOf(Keys.ENTRY);
        link(A, B);
        assertThat(rowsOf(Keys.ENTRY)).isEqualTo(entries + 2);
        delete("/d/a");
        assertThat(rowsOf(Keys.ENTRY)).isEqualTo(entries + 1);
    }
}
