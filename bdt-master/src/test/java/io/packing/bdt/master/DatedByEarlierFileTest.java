// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Reclaim;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A file without a claim's position that came back, dated by an earlier file of its worker. */
class DatedByEarlierFileTest extends KeptBesideFixture {
    /** Seed 80715: the journal has the end of the second file, and the worker did not learn the position of the third one's claim. */
    @Test
    void aFileWithoutAPositionTakesThePathOfOneThatIsOlderThanAnEarlierFileOfItsWorker() throws IOException {
        claim("/a/f");
        claim("/gone");
        push(true);
        WorkerSession other = register("v");
        Reclaim second = granted(other, "/a/f");
        Reclaim third = granted(other, "/a/f");
        // An overwrite alone makes no upload.
        delete("/gone");
        uploadJournal();
        loseMaster();
        WorkerSession back = register("v");
        List<Optional<FileVersion>> answers = back.reclaim(List.of(second, forgotten(third)));
        assertThat(answers.get(0)).isEmpty();
        back.reclaimed();
        assertThat(versions()).hasSize(1).containsValue(answers.get(1).orElseThrow());
        buffered.add(new Reclaim(answers.get(1).orElseThrow(), third.path(), third.attributes()));
        push("v", back, true);
        Map<String, FileVersion> before = versions();
        loseMaster();
        assertThat(versions()).isEqualTo(before);
    }

    /** The worker has dropped the earlier file by then. */
    @Test
    void aFileThatTookThePathByAnEarlierFileOfItsWorkerTakesItAgain() throws IOException {
        claim("/a/f");
        claim("/gone");
        push(true);
        table.checkpoint();
        WorkerSession other = register("v");
        Reclaim second = granted(other, "/a/f");
        Reclaim third = granted(other, "/a/f");
        delete("/gone");
        uploadJournal();
        loseMaster();
        FileVersion taken =
                register("v").reclaim(List.of(second, forgotten(third))).get(1).orElseThrow();
        assertThat(versions()).hasSize(1).containsValue(taken);
        uploadJournal();
        recoverFromTheBackupBefore();
        assertThat(register("v").reclaim(List.of(new Reclaim(taken, third.path(), third.attributes()))))
                .containsExactly(Optional.of(taken));
        assertThat(versions()).hasSize(1).containsValue(taken);
    }

    /** Seed 124177: the answer to the claim was lost, and the worker knew a later position than that of the file when it sent the claim. */
    @Test
    void aFileWithoutAPositionTakesThePathOfOneThatIsOlderThanWhatItsWorkerKnew() throws IOException {
        claim("/a/f");
        push(true);
        WorkerSession other = register("v");
        Reclaim file = unanswered("v", "/a/f");
        Reclaim dated = new Reclaim(file.version(), file.path(), file.attributes(), false, other.newestPosition());
        loseMaster();
        FileVersion taken = register("v").reclaim(List.of(dated)).get(0).orElseThrow();
        assertThat(versions()).isEqualTo(Map.of("/a/f", taken));
    }

    /** The second recovery begins with a backup from before the file's return, of which it learns by the journal. */
    @Test
    void aFileThatTookThePathByWhatItsWorkerKnewTakesItAgainAfterASecondLoss() throws IOException {
        claim("/a/f");
        push(true);
        table.checkpoint();
        WorkerSession other = register("v");
        Reclaim file = unanswered("v", "/a/f");
        Reclaim dated = new Reclaim(file.version(), file.path(), file.attributes(), false, other.newestPosition());
        loseMaster();
        FileVersion taken = register("v").reclaim(List.of(dated)).get(0).orElseThrow();
        uploadJournal();
        recoverFromTheBackupBefore();
        // Its worker's process is another one by now, and knows the version alone.
        assertThat(register("v").reclaim(List.of(new Reclaim(taken, file.path(), file.attributes()))))
                .containsExactly(Optional.of(taken));
        assertThat(versions()).isEqualTo(Map.of("/a/f", taken));
    }

    @Test
    void aFileWithoutAPositionStaysBesideOneThatIsNewerThanWhatItsWorkerKnew() throws IOException {
        long known = register("v").newestPosition();
        claim("/a/f");
        push(true);
        Map<String, FileVersion> before = versions();
        Reclaim file = unanswered("v", "/a/f");
        Reclaim dated = new Reclaim(file.version(), file.path(), file.attributes(), false, known);
        loseMaster();
        FileVersion beside = register("v").reclaim(List.of(dated)).get(0).orElseThrow();
        assertThat(versions()).hasSize(2).containsAllEntriesOf(before).containsValue(beside);
    }

    /** The file at the path is newer than the earlier file of the worker, and so maybe than the later one. */
    @Test
    void aFileWithoutAPositionStaysBesideOneThatIsNewerThanAnEarlierFileOfItsWorker() throws IOException {
        WorkerSession other = register("v");
        Reclaim first = granted(other, "/a/f");
        claim("/a/f");
        claim("/gone");
        push(true);
        Reclaim last = unanswered("v", "/a/f");
        delete("/gone");
        uploadJournal();
        Map<String, FileVersion> before = versions();
        loseMaster();
        WorkerSession back = register("v");
        List<Optional<FileVersion>> answers = back.reclaim(List.of(first, last));
        assertThat(answers.get(0)).isEmpty();
        assertThat(versions())
                .hasSize(2)
                .containsAllEntriesOf(before)
                .containsValue(answers.get(1).orElseThrow());
    }
}
