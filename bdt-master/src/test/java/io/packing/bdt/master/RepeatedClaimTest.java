// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerRegistration;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A claim whose answer was lost is sent again. It is granted once, whatever became of its file meanwhile. */
class RepeatedClaimTest extends MountFixture {
    private static final FilePath PATH = new FilePath("/d/f");

    private Claim claimOf(FilePath path, boolean overwrite) throws IOException {
        return new Claim(session.newFileId(), path, new FileAttributes(8, 1, "u", "g", 0644), true, overwrite);
    }

    private ClaimResult ask(Claim claim) {
        return session.claim(claim).join();
    }

    private void apply(Operation operation) throws IOException {
        assertThat(table.apply(OperationVector.of(operation))).isInstanceOf(VectorResult.Applied.class);
    }

    private void restart() throws IOException {
        crashMaster();
        session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
    }

    @Test
    void deletedFileDoesNotComeBack() throws IOException {
        Claim claim = claimOf(PATH, false);
        ClaimResult granted = ask(claim);
        assertThat(table.delete(PATH, false)).isEqualTo(Outcome.DONE);
        assertThat(ask(claim)).isEqualTo(granted);
        assertThat(table.stat(PATH)).isEmpty();
    }

    @Test
    void deletedFileDoesNotComeBackAfterACrashOfTheMaster() throws IOException {
        Claim claim = claimOf(PATH, false);
        ClaimResult granted = ask(claim);
        assertThat(table.delete(PATH, false)).isEqualTo(Outcome.DONE);
        restart();
        assertThat(ask(claim)).isEqualTo(granted);
        assertThat(table.stat(PATH)).isEmpty();
        // And after one more, when another file has the name.
        ClaimResult other = ask(claimOf(PATH, false));
        restart();
        assertThat(ask(claim)).isEqualTo(granted);
        assertThat(table.stat(PATH).map(FileStatus::version)).contains(((ClaimResult.Granted) other).version());
    }

    @Test
    void fileInADeletedTreeDoesNotComeBack() throws IOException {
        Claim claim = claimOf(PATH, false);
        ClaimResult granted = ask(claim);
        assertThat(table.delete(new FilePath("/d"), true)).isEqualTo(Outcome.DONE);
        removeDeletedTrees();
        restart();
        assertThat(ask(claim)).isEqualTo(granted);
        assertThat(table.stat(PATH)).isEmpty();
    }

    @Test
    void olderFileDoesNotReplaceTheNewerOne() throws IOException {
        Claim older = claimOf(PATH, true);
        ClaimResult granted = ask(older);
        ClaimResult.Granted newer = (ClaimResult.Granted) ask(claimOf(PATH, true));
        assertThat(ask(older)).isEqualTo(granted);
        restart();
        assertThat(ask(older)).isEqualTo(granted);
        assertThat(table.stat(PATH).map(FileStatus::version)).contains(newer.version());
    }

    @Test
    void refusedClaimIsDecidedAnew() throws IOException {
        ClaimResult first = ask(claimOf(PATH, false));
        assertThat(first).isInstanceOf(ClaimResult.Granted.class);
        Claim refused = claimOf(PATH, false);
        assertThat(ask(refused)).isEqualTo(new ClaimResult.Refused(Outcome.EXISTS));
        assertThat(table.delete(PATH, false)).isEqualTo(Outcome.DONE);
        assertThat(ask(refused)).isInstanceOf(ClaimResult.Granted.class);
        assertThat(table.stat(PATH)).isPresent();
    }

    /** The file shares nothing with the claim any more but its id. */
    @Test
    void fileThatGotOtherBytesMeanwhileIsStillGranted() throws IOException {
        FilePath other = new FilePath("/d/other");
        assertThat(ask(claimOf(other, false))).isInstanceOf(ClaimResult.Granted.class);
        for (long length : List.of(8L, 0L)) {
            Claim claim =
                    new Claim(session.newFileId(), PATH, new FileAttributes(length, 1, "u", "g", 0644), true, true);
            ClaimResult granted = ask(claim);
            FilePath clone = new FilePath("/d/clone" + length);
            apply(new Operation.CloneFile(PATH, clone, false, AttributeChange.NONE));
            apply(new Operation.CloneRange(new ByteRange(other, 0, 8), PATH, 0));
            assertThat(table.delete(clone, false)).isEqualTo(Outcome.DONE);
            Optional<FileStatus> there = table.stat(PATH);
            assertThat(ask(claim)).as("of %d bytes", length).isEqualTo(granted);
            restart();
            assertThat(ask(claim)).as("of %d bytes, after a restart", length).isEqualTo(granted);
            assertThat(table.stat(PATH)).isEqualTo(there);
        }
    }
}
