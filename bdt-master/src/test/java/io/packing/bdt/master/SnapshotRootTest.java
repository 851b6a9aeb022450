// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.bdt.tree.Difference;
import io.packing.bdt.tree.TreeDiff;
import io.packing.bdt.tree.TreeRestore;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A snapshot's directory has the owner, group and mode that it had when the snapshot was taken. */
class SnapshotRootTest extends LostFilesFixture {
    private static final FilePath D = new FilePath("/d");
    private static final FilePath S = new FilePath("/d/.snapshot/s");
    private static final String WAS = "then:staff 700";
    private static final String IS = "now:all 755";

    private void apply(Operation operation) throws IOException {
        assertThat(table.apply(OperationVector.of(operation))).isInstanceOf(VectorResult.Applied.class);
    }

    private void change(FilePath path, String owner, String group, int mode) throws IOException {
        AttributeChange change = new AttributeChange(Optional.of(owner), Optional.of(group), OptionalInt.of(mode));
        assertThat(table.setAttributes(path, change)).isEqualTo(Outcome.DONE);
    }

    private String shown(FilePath path) throws IOException {
        return shown(table.stat(path).orElseThrow());
    }

    private static String shown(FileStatus status) {
        FileAttributes attributes = status.attributes();
        return "%s:%s %o".formatted(attributes.owner(), attributes.group(), attributes.mode());
    }

    @BeforeEach
    void take() throws IOException {
        claim("/d/f");
        push(true);
        change(D, "then", "staff", 0700);
        apply(new Operation.TakeSnapshot(D, "s"));
        change(D, "now", "all", 0755);
        assertThat(shown(D)).isEqualTo(IS);
    }

    @Test
    void aSnapshotIsShownByItsPathAndInTheListing() throws IOException {
        assertThat(shown(S)).isEqualTo(WAS);
        assertThat(table.list(new FilePath("/d/.snapshot"), "", 10).orElseThrow())
                .extracting(SnapshotRootTest::shown)
                .containsExactly(WAS);
    }

    @Test
    void aRenamedSnapshotKeepsThem() throws IOException {
        apply(new Operation.RenameSnapshot(D, "s", "t"));
        assertThat(shown(new FilePath("/d/.snapshot/t"))).isEqualTo(WAS);
    }

    @Test
    void aMovedDirectoryKeepsThem() throws IOException {
        assertThat(table.rename(D, new FilePath("/e"))).isEqualTo(Outcome.DONE);
        assertThat(shown(new FilePath("/e/.snapshot/s"))).isEqualTo(WAS);
    }

    @Test
    void aCloneOfASnapshotBeginsWithThem() throws IOException {
        apply(new Operation.CloneDirectory(S, new FilePath("/c")));
        assertThat(shown(new FilePath("/c"))).isEqualTo(WAS);
    }

    @Test
    void aRecoveryFromTheJournalKeepsThem() throws IOException {
        uploadJournal();
        loseMaster();
        assertThat(shown(S)).isEqualTo(WAS);
        assertThat(shown(D)).isEqualTo(IS);
    }

    @Test
    void aRecoveryFromABackupKeepsThem() throws IOException {
        table.checkpoint();
        loseMaster();
        assertThat(shown(S)).isEqualTo(WAS);
        assertThat(shown(D)).isEqualTo(IS);
    }

    @Test
    void aComparisonTellsThemAndARestoreSetsThemBack() throws IOException {
        assertThat(TreeDiff.between(table, S, D))
                .containsExactly(new Difference(Difference.Kind.MODIFIED, FilePath.ROOT, Optional.empty()));
        assertThat(TreeRestore.restore(table, S, D)).isEqualTo(1);
        assertThat(shown(D)).isEqualTo(WAS);
        assertThat(TreeDiff.between(table, S, D)).isEmpty();
    }
}
