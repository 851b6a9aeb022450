// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Reclaim;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A file that a clone had from its origin, and that a lost file replaced after a recovery. The recovery could not read the journal that deleted both:
 * so with the journal neither comes back.
 */
class ReplacedOriginalTest extends LostFilesFixture {
    private void apply(Operation operation) throws IOException {
        assertThat(table.apply(OperationVector.of(operation))).isInstanceOf(VectorResult.Applied.class);
    }

    @BeforeEach
    void makeFiles() throws IOException {
        claim("/a/e/f");
        claim("/a/e/g");
        push(true);
    }

    private void cloneTree() throws IOException {
        apply(new Operation.CloneDirectory(new FilePath("/a"), new FilePath("/b")));
        table.checkpoint();
    }

    private String damageNewestJournal() {
        List<String> journals = stores.objects.keys("bdt/journal-");
        String newest = journals.get(journals.size() - 1);
        stores.objects.damage(newest);
        return newest;
    }

    private Optional<FileVersion> reclaim(Reclaim file) throws IOException {
        session = register("w");
        Optional<FileVersion> answer = session.reclaim(List.of(file)).get(0);
        session.reclaimed();
        return answer;
    }

    private void loseWithoutTheJournalAndWithIt(String path, String deleted) throws IOException {
        Reclaim file = granted(session, path);
        delete(deleted);
        uploadJournal();
        String journal = damageNewestJournal();
        loseMaster();
        assertThat(reclaim(file)).contains(file.version());
        assertThat(names()).containsKey(path);
        uploadJournal();
        stores.objects.damage(journal);
        loseMaster();
        assertThat(reclaim(file)).isEmpty();
    }

    @Test
    void itStaysDeletedWithItsDirectory() throws IOException {
        cloneTree();
        loseWithoutTheJournalAndWithIt("/b/e/f", "/b/e");
        assertThat(names()).containsOnlyKeys("/a", "/a/e", "/a/e/f", "/a/e/g", "/b");
    }

    @Test
    void itStaysDeletedByItsName() throws IOException {
        cloneTree();
        loseWithoutTheJournalAndWithIt("/b/e/f", "/b/e/f");
        assertThat(names()).containsOnlyKeys("/a", "/a/e", "/a/e/f", "/a/e/g", "/b", "/b/e", "/b/e/g");
    }

    @Test
    void oneWithSeveralNamesStaysDeletedWithItsDirectory() throws IOException {
        apply(new Operation.Link(new FilePath("/a/e/f"), new FilePath("/a/h")));
        cloneTree();
        loseWithoutTheJournalAndWithIt("/b/e/f", "/b/e");
        assertThat(names()).containsOnlyKeys("/a", "/a/e", "/a/e/f", "/a/e/g", "/a/h", "/b", "/b/h");
    }

    @Test
    void oneWithSeveralNamesStaysDeletedByItsName() throws IOException {
        apply(new Operation.Link(new FilePath("/a/e/f"), new FilePath("/a/h")));
        cloneTree();
        loseWithoutTheJournalAndWithIt("/b/e/f", "/b/e/f");
        assertThat(names()).containsOnlyKeys("/a", "/a/e", "/a/e/f", "/a/e/g", "/a/h", "/b", "/b/e", "/b/e/g", "/b/h");
    }

    /** The journal has the rename of another file to the path. */
    @Test
    void theFileThatWasRenamedToItsPathStays() throws IOException {
        claim("/x");
        push(true);
        FileVersion renamed = table.stat(new FilePath("/x")).orElseThrow().version();
        cloneTree();
        Reclaim file = granted(session, "/b/e/f");
        delete("/b/e/f");
        rename("/x", "/b/e/f");
        uploadJournal();
        String journal = damageNewestJournal();
        loseMaster();
        assertThat(reclaim(file)).contains(file.version());
        uploadJournal();
        stores.objects.damage(journal);
        loseMaster();
        assertThat(reclaim(file)).isEmpty();
        assertThat(table.stat(new FilePath("/b/e/f")).orElseThrow().version()).isEqualTo(renamed);
        assertThat(names()).containsOnlyKeys("/a", "/a/e", "/a/e/f", "/a/e/g", "/b", "/b/e", "/b/e/f", "/b/e/g");
    }
}
