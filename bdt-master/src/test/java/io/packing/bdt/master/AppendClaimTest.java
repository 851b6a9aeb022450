// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AppendTarget;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.Reclaim;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.operation.Claimants;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** A worker claims a file whose bytes another one gets at its end, by one mutation. */
class AppendClaimTest extends MountFixture {
    private static final FilePath LOG = new FilePath("/log");

    private FileVersion log() throws IOException {
        return table.stat(LOG).orElseThrow().version();
    }

    private void begin() throws IOException {
        claim(LOG.value());
        // The ids that MountFixture counts as empty files are others.
        while (table.stat(LOG).orElseThrow().attributes().length() == 0) {
            claim(LOG.value());
            buffered.remove(0);
        }
    }

    private Claim appending(FileVersion version, long offset) throws IOException {
        long id = session.newFileId();
        return new Claim(
                id,
                FilePath.SCRATCH.child("piece-" + id),
                new FileAttributes(8, 0, "u", "g", 0600),
                true,
                false,
                false,
                Optional.empty(),
                false,
                Optional.empty(),
                RareAttributeChange.NONE,
                OptionalInt.empty(),
                Optional.of(new AppendTarget(LOG, version, offset)));
    }

    private FileVersion granted(Claim claim) {
        ClaimResult result = session.claim(claim).join();
        assertThat(result).isInstanceOf(ClaimResult.Granted.class);
        ClaimResult.Granted granted = (ClaimResult.Granted) result;
        buffered.removeIf(file -> file.version().equals(granted.version()));
        buffered.add(new Reclaim(granted.version(), claim.path(), claim.attributes()));
        return granted.appended().orElseThrow();
    }

    private Outcome refused(Claim claim) {
        ClaimResult result = session.claim(claim).join();
        assertThat(result).isInstanceOf(ClaimResult.Refused.class);
        return ((ClaimResult.Refused) result).reason();
    }

    private List<Long> pieces() throws IOException {
        LocatedFile file = table.locate(LOG).orElseThrow();
        return ((Placement.Mapped) file.placement())
                .pieces().stream()
                        .map(piece -> piece.content().status().version().id())
                        .toList();
    }

    private int scratchFiles() throws IOException {
        return table.list(FilePath.SCRATCH, "", 100).map(List::size).orElse(0);
    }

    @Test
    void theFileHasTheBytesAndTheClaimedNameIsGone() throws IOException {
        begin();
        FileVersion first = log();
        Claim claim = appending(first, 8);
        FileVersion second = granted(claim);
        assertThat(second.id()).isEqualTo(first.id());
        assertThat(second.generation()).isGreaterThan(first.generation());
        assertThat(log()).isEqualTo(second);
        assertThat(table.stat(LOG).orElseThrow().attributes().length()).isEqualTo(16);
        assertThat(pieces()).containsExactly(first.id(), claim.fileId());
        assertThat(scratchFiles()).isZero();
    }

    @Test
    void bytesAtTheEndAreReplaced() throws IOException {
        begin();
        Claim first = appending(log(), 8);
        Claim second = appending(granted(first), 8);
        granted(second);
        assertThat(table.stat(LOG).orElseThrow().attributes().length()).isEqualTo(16);
        assertThat(pieces()).contains(second.fileId()).doesNotContain(first.fileId());
    }

    @Test
    void aFileThatAnotherWriterChangedMovedOrDeletedRefusesAndNothingStays() throws IOException {
        begin();
        FileVersion old = log();
        FileVersion now = granted(appending(old, 8));
        assertThat(refused(appending(old, 8))).isEqualTo(Outcome.CHANGED);
        assertThat(table.rename(LOG, new FilePath("/moved"))).isEqualTo(Outcome.DONE);
        assertThat(refused(appending(now, 16))).isEqualTo(Outcome.CHANGED);
        assertThat(table.delete(new FilePath("/moved"), false)).isEqualTo(Outcome.DONE);
        Claim last = appending(now, 16);
        assertThat(refused(last)).isEqualTo(Outcome.CHANGED);
        assertThat(scratchFiles()).isZero();
        assertThat(session.reclaim(List.of(new Reclaim(
                        new FileVersion(last.fileId(), now.generation() + 1), last.path(), last.attributes()))))
                .containsExactly(Optional.empty());
    }

    @Test
    void aClaimWhoseAnswerWasLostIsAnsweredAgain() throws IOException {
        begin();
        Claim claim = appending(log(), 8);
        FileVersion appended = granted(claim);
        assertThat(granted(claim)).isEqualTo(appended);
        crashMaster();
        session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        assertThat(session.reclaim(buffered)).doesNotContain(Optional.empty());
        assertThat(granted(claim)).isEqualTo(appended);
        assertThat(log()).isEqualTo(appended);
        assertThat(pieces()).hasSize(2);
        // Another file took the name meanwhile.
        claim(LOG.value());
        assertThat(refused(claim)).isEqualTo(Outcome.CHANGED);
    }

    @Test
    void oneOfABatchIsRefusedAndTheOthersAreNot() throws IOException {
        begin();
        FileVersion old = log();
        Claim good = appending(old, 8);
        Claim bad = appending(old, 8);
        long id = session.newFileId();
        long other = session.newFileId();
        FileAttributes attributes = new FileAttributes(8, 0, "u", "g", 0600);
        List<Claim> batch = List.of(
                new Claim(id, new FilePath("/a"), attributes, true, false),
                good,
                bad,
                new Claim(other, new FilePath("/b"), attributes, true, false));
        Table direct = master.openMount(TestStores.MOUNT).table();
        List<ClaimResult> results = direct.claim(new SessionId("w", session.sessionEpoch()), batch, Claimants.ANYBODY)
                .join();
        assertThat(results).hasSize(4);
        assertThat(results.get(0)).isInstanceOf(ClaimResult.Granted.class);
        assertThat(((ClaimResult.Granted) results.get(1)).appended()).contains(log());
        assertThat(results.get(2)).isEqualTo(new ClaimResult.Refused(Outcome.CHANGED));
        assertThat(results.get(3)).isInstanceOf(ClaimResult.Granted.class);
        assertThat(direct.claim(new SessionId("w", session.sessionEpoch()), List.of(), Claimants.ANYBODY)
                        .join())
                .isEmpty();
    }

    @Test
    void aRebuildFromTheStoreHasTheAppendedBytes() throws IOException {
        begin();
        Claim first = appending(log(), 8);
        Claim second = appending(granted(first), 16);
        FileVersion last = granted(second);
        long id = last.id();
        push(true);
        table.checkpoint();
        loseMaster();
        session.reclaimed();
        assertThat(log()).isEqualTo(last);
        assertThat(table.stat(LOG).orElseThrow().attributes().length()).isEqualTo(24);
        assertThat(pieces()).containsExactly(id, first.fileId(), second.fileId());
        assertThat(scratchFiles()).isZero();
    }

    @Test
    void aMasterThatLostItsDiskHearsOfTheBytesFromTheWorker() throws IOException {
        begin();
        Claim piece = appending(log(), 8);
        FileVersion last = granted(piece);
        List<Reclaim> held = List.copyOf(buffered);
        table.checkpoint();
        loseMaster();
        assertThat(session.reclaim(held)).doesNotContain(Optional.empty());
        session.reclaimed();
        assertThat(log()).isEqualTo(last);
        assertThat(pieces()).containsExactly(last.id(), piece.fileId());
    }
}
