// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Reclaim;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A file that came back beside another one and was pushed, over a recovery from a backup before that. */
class KeptBesideTest extends LostFilesFixture {
    private static final FileAttributes FILE = new FileAttributes(8, 1, "u", "g", 0644);

    private void clone(String from, String to) throws IOException {
        assertThat(table.apply(OperationVector.of(new Operation.CloneDirectory(new FilePath(from), new FilePath(to)))))
                .isInstanceOf(VectorResult.Applied.class);
    }

    /** Returns a file of a worker that no master has answered a claim of. */
    private Reclaim unanswered(String worker, String path) throws IOException {
        return new Reclaim(new FileVersion(register(worker).newFileId(), 0), new FilePath(path), FILE);
    }

    /** Takes a worker's file back, and pushes it, as it has it now. */
    private Reclaim comeBack(String worker, Reclaim file) throws IOException {
        return comeBack(worker, List.of(file)).get(0);
    }

    private List<Reclaim> comeBack(String worker, List<Reclaim> files) throws IOException {
        WorkerSession back = register(worker);
        List<Optional<FileVersion>> versions = back.reclaim(files);
        back.reclaimed();
        List<Reclaim> known = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            known.add(new Reclaim(
                    versions.get(i).orElseThrow(),
                    files.get(i).path(),
                    files.get(i).attributes()));
        }
        buffered.addAll(known);
        push(worker, back, true);
        return known;
    }

    private static String beside(Reclaim file) {
        return file.path() + ".recovered-" + file.version().id();
    }

    private void recoverFromTheBackupBefore() throws IOException {
        table.checkpoint();
        List<String> backups = stores.objects.keys("bdt/backup-");
        stores.objects.damage(backups.get(backups.size() - 1));
        loseMaster();
    }

    /** Loses the master twice: a worker's file comes back after the first loss, and the second recovery knows of that by the journal only. */
    private Reclaim loseTwice(String worker, Reclaim file) throws IOException {
        loseMaster();
        Reclaim kept = comeBack(worker, file);
        Map<String, FileVersion> before = versions();
        recoverFromTheBackupBefore();
        assertThat(versions()).isEqualTo(before);
        return kept;
    }

    /** Returns the versions of all files by path. */
    private Map<String, FileVersion> versions() throws IOException {
        Map<String, FileVersion> found = new TreeMap<>();
        names().values().stream()
                .filter(each -> !each.isDirectory())
                .forEach(each -> found.put(each.path().value(), each.version()));
        return found;
    }

    @Test
    void theFileAtThePathStays() throws IOException {
        claim("/a/f");
        push(true);
        Reclaim file = unanswered("v", "/a/f");
        table.checkpoint();
        Reclaim kept = loseTwice("v", file);
        assertThat(names()).containsOnlyKeys("/a", "/a/f", beside(kept));
    }

    /** The footer of its bytes has the position of the loss, which is later than the claim of the file at the path. */
    @Test
    void theFileAtThePathStaysWhenTheMasterIsLostAgainAtOnce() throws IOException {
        claim("/a/f");
        push(true);
        Reclaim file = unanswered("v", "/a/f");
        loseMaster();
        Reclaim kept = comeBack("v", file);
        Map<String, FileVersion> before = versions();
        assertThat(before).containsOnlyKeys("/a/f", beside(kept));
        loseMaster();
        assertThat(versions()).isEqualTo(before);
    }

    /** The worker asks again after a lost answer, and is answered by what is there. */
    @Test
    void theFileAtThePathStaysWhenTheWorkerAskedTwice() throws IOException {
        claim("/a/f");
        push(true);
        Reclaim file = unanswered("v", "/a/f");
        loseMaster();
        List<Optional<FileVersion>> first = register("v").reclaim(List.of(file));
        Reclaim kept = comeBack("v", file);
        assertThat(first).containsExactly(Optional.of(kept.version()));
        Map<String, FileVersion> before = versions();
        loseMaster();
        assertThat(versions()).isEqualTo(before);
    }

    @Test
    void theFileThatACloneHasFromItsOriginStays() throws IOException {
        claim("/a/e/f");
        claim("/a/e/g");
        push(true);
        clone("/a", "/b");
        Reclaim file = unanswered("v", "/b/e/f");
        table.checkpoint();
        Reclaim kept = loseTwice("v", file);
        assertThat(versions()).containsOnlyKeys("/a/e/f", "/a/e/g", "/b/e/f", "/b/e/g", beside(kept));
    }

    @Test
    void theFileInThePlaceOfADirectoryAboveStays() throws IOException {
        claim("/a");
        push(true);
        Reclaim file = unanswered("v", "/a/f");
        table.checkpoint();
        Reclaim kept = loseTwice("v", file);
        assertThat(versions().keySet()).anyMatch(path -> path.matches("/a.recovered-[0-9]*/f"));
        assertThat(versions()).containsKey("/a").hasSize(2).containsValue(kept.version());
    }

    /** The worker's ids tell that the file is newer. */
    @Test
    void aFileInThePlaceOfTheOneThatACloneHasFromItsOriginStays() throws IOException {
        claim("/a/e/f");
        claim("/a/e/g");
        push(true);
        clone("/a", "/b");
        Reclaim file = unanswered("w", "/b/e/f");
        table.checkpoint();
        Reclaim kept = loseTwice("w", file);
        assertThat(versions()).hasSize(4).containsEntry("/b/e/f", kept.version());
    }

    @Test
    void aFileWithAKnownPositionInThePlaceOfTheOriginsStays() throws IOException {
        claim("/a/e/f");
        push(true);
        clone("/a", "/b");
        table.checkpoint();
        Reclaim kept = loseTwice("w", granted(session, "/b/e/f"));
        assertThat(versions()).hasSize(2).containsEntry("/b/e/f", kept.version());
    }

    /** Nothing but the worker's buffer has its bytes. */
    @Test
    void aBufferedFileInThePlaceOfTheOriginsIsTakenBackAgain() throws IOException {
        claim("/a/e/f");
        push(true);
        clone("/a", "/b");
        table.checkpoint();
        Reclaim file = granted(session, "/b/e/f");
        loseMaster();
        takeBack(file);
        recoverFromTheBackupBefore();
        takeBack(file);
        assertThat(versions()).hasSize(2).containsEntry("/b/e/f", file.version());
    }

    private void takeBack(Reclaim file) throws IOException {
        WorkerSession back = register("w");
        assertThat(back.reclaim(List.of(file))).containsExactly(Optional.of(file.version()));
        back.reclaimed();
    }

    /** The other one, of which no position is known, took the path first. */
    @Test
    void aFileBesideOneThatCameBackBeforeItStays() throws IOException {
        claim("/before");
        push(true);
        table.checkpoint();
        Reclaim known = granted(register("v"), "/a/f");
        Reclaim unknown = unanswered("w", "/a/f");
        loseMaster();
        Reclaim first = comeBack("w", unknown);
        Reclaim second = comeBack("v", known);
        assertThat(versions()).containsEntry("/a/f", first.version()).containsEntry(beside(second), second.version());
        Map<String, FileVersion> before = versions();
        recoverFromTheBackupBefore();
        assertThat(versions()).isEqualTo(before);
    }

    /** Position unknown, but lost, and so claimed, before the other file. */
    @Test
    void aFileWithAKnownPositionTakesThePathOfOneThatCameBackBeforeItsClaim() throws IOException {
        claim("/before");
        push(true);
        table.checkpoint();
        Reclaim unknown = unanswered("w", "/a/f");
        loseMaster();
        Reclaim older = comeBack("w", unknown);
        assertThat(versions()).containsEntry("/a/f", older.version());
        Reclaim newer = granted(register("v"), "/a/f");
        loseMaster();
        Reclaim back = comeBack("v", newer);
        assertThat(back.version()).isEqualTo(newer.version());
        assertThat(versions()).hasSize(2).containsEntry("/a/f", newer.version());
        loseMaster();
        assertThat(versions()).hasSize(2).containsEntry("/a/f", newer.version());
    }

    /** Seed 60271: the worker's ids tell that the second file is newer, and the first one has the position of the loss, which is later. */
    @Test
    void aFileWithAKnownPositionStaysInThePlaceOfAnOlderOneThatCameBackFirst() throws IOException {
        claim("/before");
        push(true);
        Reclaim older = unanswered("w", "/a/f");
        Reclaim newer = granted(register("w"), "/a/f");
        loseMaster();
        List<Reclaim> back = comeBack("w", List.of(older, newer));
        assertThat(back.get(1).version()).isEqualTo(newer.version());
        Map<String, FileVersion> before = versions();
        assertThat(before).containsEntry("/a/f", newer.version());
        loseMaster();
        assertThat(versions()).isEqualTo(before);
    }

    /** Positions tell that the third file is newer than the second one, and the first one's position is later than both. */
    @Test
    void theNewestOfThreeFilesStays() throws IOException {
        claim("/before");
        push(true);
        Reclaim older = unanswered("w", "/a/f");
        Reclaim newer = granted(register("w"), "/a/f");
        Reclaim newest = granted(register("v"), "/a/f");
        loseMaster();
        List<Reclaim> unused = comeBack("w", List.of(older, newer));
        assertThat(comeBack("v", newest).version()).isEqualTo(newest.version());
        Map<String, FileVersion> before = versions();
        assertThat(before).hasSize(2).containsEntry("/a/f", newest.version());
        loseMaster();
        assertThat(versions()).isEqualTo(before);
    }

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

    /** The worker has dropped the earlier file by then, as it was told. */
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

    /** Both have the position of the loss. */
    @Test
    void theNewerOfTwoFilesWithoutAPositionStays() throws IOException {
        claim("/before");
        push(true);
        Reclaim older = unanswered("w", "/a/f");
        Reclaim newer = unanswered("w", "/a/f");
        loseMaster();
        Reclaim second = comeBack("w", List.of(older, newer)).get(1);
        Map<String, FileVersion> before = versions();
        assertThat(before).containsEntry("/a/f", second.version());
        loseMaster();
        assertThat(versions()).isEqualTo(before);
    }

    /** Its generation is the position before its rename. At its first path another file is by then. */
    @Test
    void aFileThatIsKnownByItsRenameLeavesItsFirstPathAlone() throws IOException {
        claim("/before");
        push(true);
        table.checkpoint();
        Reclaim moved = granted(session, "/a/f");
        rename("/a", "/b");
        claim("/a/f");
        push(true);
        rename("/b/f", "/c");
        uploadJournal();
        loseMaster();
        Reclaim back = comeBack("w", forgotten(moved));
        assertThat(versions()).containsOnlyKeys("/before", "/a/f", "/c").containsEntry("/c", back.version());
        Map<String, FileVersion> before = versions();
        recoverFromTheBackupBefore();
        assertThat(versions()).isEqualTo(before);
    }

    @Test
    void theFileAtThePathStaysWhenTheOtherOnesWorkerWasAwayDuringTwoLosses() throws IOException {
        claim("/a/f");
        push(true);
        Reclaim file = unanswered("v", "/a/f");
        table.checkpoint();
        loseMaster();
        rename("/a", "/b");
        rename("/b", "/a");
        uploadJournal();
        Reclaim kept = loseTwice("v", file);
        assertThat(versions()).containsOnlyKeys("/a/f", beside(kept));
    }

    /** By the worker's ids the other file is newer, until a clone shares the bytes of the one at the path. */
    @Test
    void theFileAtThePathKeepsItsBytesWhenItWasClonedBetweenTheBackupAndTheReturn() throws IOException {
        claim("/a/f");
        claim("/a/e");
        push(true);
        Reclaim file = unanswered("w", "/a/f");
        table.checkpoint();
        loseMaster();
        table.checkpoint();
        FilePath path = new FilePath("/a/f");
        assertThat(table.apply(OperationVector.of(
                        new Operation.CloneFile(path, new FilePath("/a/g"), false, AttributeChange.NONE))))
                .isInstanceOf(VectorResult.Applied.class);
        Reclaim kept = comeBack("w", file);
        Map<String, FileVersion> before = versions();
        assertThat(before).containsOnlyKeys("/a/e", "/a/f", "/a/g", beside(kept));
        recoverFromTheBackupBefore();
        assertThat(versions()).isEqualTo(before);
        assertThat(table.statistics().lostFiles()).isZero();
        assertThat(table.statistics().missingFiles()).isZero();
    }

    /** At its own path it was back before the second loss. After that a rename had taken the path. */
    @Test
    void aFileThatWasLostTwiceIsBesideWhatTookItsPathBetween() throws IOException {
        claim("/other");
        push(true);
        Reclaim file = unanswered("v", "/a/f");
        table.checkpoint();
        loseMaster();
        Reclaim back =
                new Reclaim(register("v").reclaim(List.of(file)).get(0).orElseThrow(), file.path(), file.attributes());
        assertThat(names()).containsKey("/a/f");
        loseMaster();
        assertThat(table.mkdir(new FilePath("/a"), DIRECTORY, true)).isEqualTo(Outcome.DONE);
        rename("/other", "/a/f");
        uploadJournal();
        Reclaim kept = comeBack("v", back);
        assertThat(versions()).containsOnlyKeys("/a/f", beside(kept));
        Map<String, FileVersion> before = versions();
        recoverFromTheBackupBefore();
        assertThat(versions()).isEqualTo(before);
    }
}
