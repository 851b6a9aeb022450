// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Outcome;
import io.packing.bdt.Reclaim;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A file without a claim's position that a reclaim refused. Its worker drops it, but an older copy of the worker's directory has it still, and names
 * it again after a recovery of the table.
 */
class RefusedReclaimTest extends LostFilesFixture {
    private static final FileAttributes FILE = new FileAttributes(8, 1, "u", "g", 0644);

    /** Returns a file of a worker that the table has never granted. */
    private Reclaim unanswered(String path) throws IOException {
        return new Reclaim(new FileVersion(session.newFileId(), 0), new FilePath(path), FILE);
    }

    private Optional<FileVersion> reclaim(Reclaim file) throws IOException {
        session = register("w");
        Optional<FileVersion> answer = session.reclaim(List.of(file)).get(0);
        session.reclaimed();
        return answer;
    }

    private void assertStaysRefused(Reclaim file) throws IOException {
        loseMaster();
        assertThat(reclaim(file)).isEmpty();
        assertThat(names()).doesNotContainKey(file.path().value());
    }

    @Test
    void itStaysRefusedByTheJournal() throws IOException {
        claim("/before");
        push(true);
        table.checkpoint();
        Reclaim file = unanswered("/d/f");
        assertThat(reclaim(file)).isEmpty();
        uploadJournal();
        assertStaysRefused(file);
    }

    @Test
    void itStaysRefusedByTheBackup() throws IOException {
        Reclaim file = unanswered("/d/f");
        assertThat(reclaim(file)).isEmpty();
        claim("/d/f");
        push(true);
        delete("/d/f");
        table.checkpoint();
        table.checkpoint();
        assertStaysRefused(file);
        assertStaysRefused(file);
    }

    @Test
    void itStaysRefusedByTheBackupOfATableThatWasRecovered() throws IOException {
        recoverOnce();
        Reclaim file = unanswered("/d/f");
        assertThat(reclaim(file)).isEmpty();
        table.checkpoint();
        assertStaysRefused(file);
    }

    /** The first recovery had lost it, and its path was deleted after that. */
    @Test
    void itStaysRefusedAfterTheSecondRecovery() throws IOException {
        recoverOnce();
        claim("/d/pushed");
        push(true);
        Reclaim file = forgotten(granted(session, "/d/f"));
        loseMaster();
        delete("/d");
        assertThat(reclaim(file)).isEmpty();
        uploadJournal();
        assertStaysRefused(file);
        table.checkpoint();
        assertStaysRefused(file);
    }

    /** The unread journal has its rename. */
    @Test
    void oneThatWasRefusedWithoutAJournalComesBackWithIt() throws IOException {
        recoverOnce();
        claim("/d/pushed");
        push(true);
        table.checkpoint();
        Reclaim file = forgotten(granted(session, "/d/f"));
        assertThat(table.mkdir(new FilePath("/e"), DIRECTORY, true)).isEqualTo(Outcome.DONE);
        rename("/d/f", "/e/f");
        uploadJournal();
        List<String> journals = stores.objects.keys("bdt/journal-");
        String journal = journals.get(journals.size() - 1);
        stores.objects.damage(journal);
        loseMaster();
        delete("/d");
        session = register("w");
        assertThat(session.reclaim(List.of(file))).containsExactly(Optional.empty());
        uploadJournal();
        stores.objects.damage(journal);
        loseMaster();
        assertThat(reclaim(file)).isPresent();
        assertThat(names()).containsKey("/e/f");
    }
}
