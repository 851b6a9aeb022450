// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Reclaim;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A clone whose journal could not be read, and entries that came to its paths meanwhile. With the journal the clone has directories of its origin
 * at these paths: nothing in them is lost.
 */
class InheritedDirectoryReplayTest extends LostFilesFixture {
    private String journal = "";

    private void apply(Operation operation) throws IOException {
        assertThat(table.apply(OperationVector.of(operation))).isInstanceOf(VectorResult.Applied.class);
    }

    private void cloneTree(String from, String to) throws IOException {
        apply(new Operation.CloneDirectory(new FilePath(from), new FilePath(to)));
    }

    private void make(String path) throws IOException {
        assertThat(table.mkdir(new FilePath(path), DIRECTORY, true)).isEqualTo(Outcome.DONE);
    }

    @BeforeEach
    void cloneInAJournal() throws IOException {
        claim("/a/d/f");
        claim("/other/g");
        push(true);
        table.checkpoint();
        cloneTree("/a", "/b");
        uploadJournal();
        List<String> journals = stores.objects.keys("bdt/journal-");
        journal = journals.get(journals.size() - 1);
    }

    private void loseJournal() throws IOException {
        stores.objects.damage(journal);
        loseMaster();
        assertThat(names()).doesNotContainKey("/b");
    }

    private void putJournalBack() throws IOException {
        // No backup is made while an object is unread: this uploads all of the journal.
        table.checkpoint();
        stores.objects.damage(journal);
        loseMaster();
        assertThat(master.openMount(TestStores.MOUNT).problem()).isEmpty();
    }

    /** Returns the paths of the file's names that a recovery moved out of the way with their directory. */
    private List<String> setAside() throws IOException {
        return names().keySet().stream()
                .filter(path -> path.startsWith("/b/d.recovered-") && path.endsWith("/f"))
                .toList();
    }

    private void comeBack(Reclaim file) throws IOException {
        session = register("w");
        assertThat(session.reclaim(List.of(file)).get(0)).isPresent();
        session.reclaimed();
    }

    private void checkDirectoriesOf(Reclaim file) throws IOException {
        loseJournal();
        comeBack(file);
        putJournalBack();
        assertThat(names()).containsKeys("/a/d/f", "/b/d/f");
        comeBack(file);
        assertThat(names()).containsKeys("/a/d/f", "/b/d/f", "/b/d/new");
    }

    @Test
    void directoriesThatALostFileNeededAreThoseOfTheClone() throws IOException {
        checkDirectoriesOf(granted(session, "/b/d/new"));
    }

    @Test
    void directoriesThatALostFileWithoutAPositionNeededAreThoseOfTheClone() throws IOException {
        checkDirectoriesOf(forgotten(granted(session, "/b/d/new")));
    }

    @Test
    void aDirectoryThatAClientMadeIsThatOfTheClone() throws IOException {
        loseJournal();
        make("/b/d/e");
        putJournalBack();
        assertThat(names()).containsKeys("/b/d/e", "/b/d/f");
    }

    @Test
    void aCloneAtItsPathSetsItAside() throws IOException {
        loseJournal();
        make("/b");
        cloneTree("/other", "/b/d");
        putJournalBack();
        assertThat(names()).containsKey("/b/d/g");
        assertThat(setAside()).hasSize(1);
    }

    @Test
    void aDirectoryThatIsRenamedToItsPathSetsItAside() throws IOException {
        loseJournal();
        make("/b");
        rename("/other", "/b/d");
        putJournalBack();
        assertThat(names()).containsKey("/b/d/g");
        assertThat(setAside()).hasSize(1);
    }

    @Test
    void aFileThatIsRenamedToThePathOfAFileSetsThatAside() throws IOException {
        loseJournal();
        make("/b/d");
        rename("/other/g", "/b/d/f");
        putJournalBack();
        assertThat(names().keySet().stream().filter(path -> path.startsWith("/b/d/f")))
                .hasSize(2)
                .allMatch(path -> path.equals("/b/d/f") || path.startsWith("/b/d/f.recovered-"));
        assertThat(packed("/b/d/f")).isTrue();
    }

    @Test
    void aCloneAtThePathOfAFileSetsThatAside() throws IOException {
        loseJournal();
        make("/b/d");
        cloneTree("/other", "/b/d/f");
        putJournalBack();
        assertThat(names()).containsKey("/b/d/f/g");
        assertThat(names().keySet()).anyMatch(path -> path.startsWith("/b/d/f.recovered-"));
    }

    @Test
    void aFileAtItsPathSetsItAside() throws IOException {
        loseJournal();
        make("/b");
        claim("/b/d");
        push(true);
        putJournalBack();
        assertThat(packed("/b/d") || names().containsKey("/b/d")).isTrue();
        assertThat(setAside()).hasSize(1);
    }
}
