// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Reclaim;
import io.packing.bdt.ScanPart;
import io.packing.bdt.ScanProblem;
import io.packing.bdt.VectorResult;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Files that come back without a claim's position while a journal is unread. The recovery dates them by its own position, which is after all that
 * the journal may have had: also the refusal of such a file, and a change of the file at its path.
 */
class UndatedFilesTest extends LostFilesFixture {
    private static final FilePath PATH = new FilePath("/d/f");
    private static final FileAttributes FILE = new FileAttributes(8, 1, "u", "g", 0644);

    /** Returns the paths that the table calls older. */
    private List<String> older() throws IOException {
        return table.scan(ScanPart.FILES, "").problems().stream()
                .filter(each -> each.kind().equals("older"))
                .map(ScanProblem::path)
                .toList();
    }

    private Reclaim unanswered() throws IOException {
        return new Reclaim(new FileVersion(session.newFileId(), 0), PATH, FILE);
    }

    private Optional<FileVersion> reclaim(Reclaim file) throws IOException {
        session = register("w");
        Optional<FileVersion> answer = session.reclaim(List.of(file)).get(0);
        session.reclaimed();
        return answer;
    }

    /** Pushes a file, and has a backup of it. */
    private void backUpFile() throws IOException {
        claim(PATH.value());
        push(true);
        table.checkpoint();
    }

    /** Renames the file there and back in a journal that no recovery can read. */
    private void changeInUnreadJournal() throws IOException {
        rename(PATH.value(), "/d/g");
        rename("/d/g", PATH.value());
        uploadJournal();
        stores.objects.keys("bdt/journal-").forEach(stores.objects::damage);
    }

    private void cloneTo(String path) throws IOException {
        assertThat(table.apply(OperationVector.of(
                        new Operation.CloneFile(PATH, new FilePath(path), false, AttributeChange.NONE))))
                .isInstanceOf(VectorResult.Applied.class);
    }

    @Test
    void aRefusedFileThatIsThereAgainIsNamed() throws IOException {
        backUpFile();
        Reclaim refused = unanswered();
        assertThat(reclaim(refused)).isEmpty();
        changeInUnreadJournal();
        loseMaster();
        assertThat(older()).containsExactly("/d/f");
        assertThat(reclaim(refused)).isPresent();
        claim("/d/new");
        assertThat(older()).containsExactly("/d/f");
    }

    /** A clone has a new version, and the bytes of the file. */
    @Test
    void aCloneOfOneIsNamedByItsBytes() throws IOException {
        backUpFile();
        Reclaim file = unanswered();
        changeInUnreadJournal();
        loseMaster();
        assertThat(reclaim(file)).isPresent();
        cloneTo("/clone");
        assertThat(older()).containsExactlyInAnyOrder("/d/f", "/clone");
    }

    @Test
    void oneThatComesBackAfterTheNextRecoveryIsNamed() throws IOException {
        backUpFile();
        Reclaim file = unanswered();
        changeInUnreadJournal();
        loseMaster();
        loseMaster();
        assertThat(reclaim(file)).isPresent();
        assertThat(older()).containsExactly("/d/f");
    }

    @Test
    void onceTheOperatorAcceptsNoneIsNamed() throws IOException {
        backUpFile();
        Reclaim file = unanswered();
        changeInUnreadJournal();
        loseMaster();
        assertThat(reclaim(file)).isPresent();
        assertThat(master.openMount(TestStores.MOUNT).acceptLosses()).isNotEmpty();
        assertThat(older()).isEmpty();
        assertThat(table.scan(ScanPart.BLOBS, "").undated()).isEmpty();
    }

    @Test
    void withoutAnUnreadObjectNoneIsNamed() throws IOException {
        backUpFile();
        Reclaim file = unanswered();
        loseMaster();
        assertThat(reclaim(file)).isPresent();
        assertThat(older()).isEmpty();
    }
}
