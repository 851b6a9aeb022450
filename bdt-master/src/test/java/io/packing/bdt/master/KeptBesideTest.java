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
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A file that came back beside another one and was pushed, over a recovery from a backup before that. */
class KeptBesideTest extends KeptBesideFixture {
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
