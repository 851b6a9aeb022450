// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.BdtStatistics;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.MountStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Reclaim;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerActivity;
import io.packing.bdt.master.table.change.Counters;
import io.packing.bdt.master.table.change.HeldRecount;
import io.packing.blob.FilePath;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Files that a worker came back without are lost, and wait for nothing. */
class LostStateTest extends LostFilesFixture {
    /** The worker starts with an empty buffer directory. */
    private void loseWorker() throws IOException {
        session = register("w");
        session.reclaimed();
    }

    private BdtStatistics totals() throws IOException {
        awaitStatistics();
        return table.statistics();
    }

    private void apply(Operation... operations) throws IOException {
        assertThat(table.apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }

    private void assertCounts(long buffered, long lost) throws IOException {
        assertThat(totals().bufferedFiles()).as("buffered").isEqualTo(buffered);
        assertThat(totals().lostFiles()).as("lost").isEqualTo(lost);
        assertThat(totals().lostBytes()).isEqualTo(8 * lost);
    }

    private MountStatus status() throws IOException {
        return master.openMount(TestStores.MOUNT).status();
    }

    private MountStatus statusWithPaths(int number) throws IOException {
        while (status().lostPaths().size() != number) {
            Thread.onSpinWait();
        }
        return status();
    }

    @Test
    void whatAWorkerCameBackWithoutIsLostAndNotWaiting() throws IOException {
        Reclaim kept = granted(session, "/kept");
        granted(session, "/lost");
        assertCounts(2, 0);
        session = register("w");
        assertThat(session.reclaim(List.of(kept))).containsExactly(Optional.of(kept.version()));
        assertCounts(2, 0);
        session.reclaimed();
        assertCounts(1, 1);
        assertThat(master.openMount(TestStores.MOUNT).problem()).isEmpty();
        MountStatus status = statusWithPaths(1);
        assertThat(status.lostPaths()).containsExactly("/lost");
        assertThat(status.problem()).contains("1 files are lost").contains("packing fsck");
    }

    @Test
    void lostFilesThatAreDeletedOrOverwrittenAreLostNoMore() throws IOException {
        granted(session, "/deleted");
        granted(session, "/tree/deleted");
        granted(session, "/overwritten");
        loseWorker();
        assertCounts(0, 3);
        delete("/deleted");
        assertCounts(0, 2);
        granted(session, "/overwritten");
        assertCounts(1, 1);
        delete("/tree");
        removeDeletedTrees();
        assertCounts(1, 0);
        statusWithPaths(0);
        assertThat(status().problem()).isEmpty();
    }

    @Test
    void lostFilesThatARepairMovedAwayAreKnownAndNoAlarm() throws IOException {
        granted(session, "/one");
        granted(session, "/dir/two");
        loseWorker();
        assertThat(table.mkdir(new FilePath("/lost+found/now/dir"), DIRECTORY, true))
                .isEqualTo(Outcome.DONE);
        rename("/one", "/lost+found/now/one");
        assertCounts(0, 1);
        rename("/dir/two", "/lost+found/now/dir/two");
        assertCounts(0, 0);
        assertThat(status().problem()).isEmpty();
        crashMaster();
        assertCounts(0, 0);
        delete("/lost+found/now/one");
        assertCounts(0, 0);
    }

    @Test
    void aWorkerThatFindsItsDiskBringsBackWhatWasLostAndSetAside() throws IOException {
        Reclaim one = granted(session, "/one");
        Reclaim two = granted(session, "/two");
        loseWorker();
        assertThat(table.mkdir(new FilePath("/lost+found"), DIRECTORY, true)).isEqualTo(Outcome.DONE);
        rename("/two", "/lost+found/two");
        session = register("w");
        assertThat(session.reclaim(List.of(one, two))).doesNotContain(Optional.empty());
        session.reclaimed();
        assertCounts(2, 0);
    }

    @Test
    void lossesOutliveRestartsOfTheMasterAndTheLossOfItsDisk() throws IOException {
        granted(session, "/lost");
        loseWorker();
        Reclaim kept = granted(session, "/kept");
        crashMaster();
        assertCounts(1, 1);
        assertThat(statusWithPaths(1).lostPaths()).containsExactly("/lost");
        table.checkpoint();
        loseMaster();
        assertThat(totals().lostFiles()).isEqualTo(1);
        assertThat(session.reclaim(List.of(kept))).containsExactly(Optional.of(kept.version()));
        session.reclaimed();
        assertCounts(1, 1);
    }

    @Test
    void bytesThatSeveralFilesShareAreLostOnce() throws IOException {
        granted(session, "/a");
        apply(new Operation.CloneFile(new FilePath("/a"), new FilePath("/b"), false, AttributeChange.NONE));
        apply(new Operation.Link(new FilePath("/b"), new FilePath("/c")));
        granted(session, "/alone");
        loseWorker();
        assertCounts(0, 2);
        assertThat(statusWithPaths(2).lostPaths()).contains("/alone");
        delete("/a");
        assertCounts(0, 2);
        assertThat(table.mkdir(new FilePath("/lost+found"), DIRECTORY, true)).isEqualTo(Outcome.DONE);
        rename("/c", "/lost+found/c");
        assertCounts(0, 1);
        delete("/b");
        delete("/lost+found/c");
        assertCounts(0, 1);
    }

    @Test
    void theTableOfAnOlderVersionIsCountedWhenItIsOpened() throws IOException {
        granted(session, "/lost");
        loseWorker();
        granted(session, "/kept");
        awaitStatistics();
        master.kill();
        byte[] counters = stores.table().get(Counters.KEY).orElseThrow();
        stores.table()
                .write(new WriteBatch().put(Counters.KEY, HeldRecount.olderCounters(counters)), SortedStore.Sync.FSYNC);
        master = BdtMaster.start(TestStores.config(data), stores);
        table = master.open(TestStores.MOUNT);
        assertThat(totals().lostFiles()).isEqualTo(1);
        granted(register("v"), "/other");
        assertCounts(2, 1);
    }

    @Test
    void whatNoWorkerComesBackWithAfterARecoveryIsMissing() throws IOException {
        claim("/before");
        push(true);
        Reclaim held = granted(session, "/a");
        apply(new Operation.CloneFile(new FilePath("/a"), new FilePath("/b"), false, AttributeChange.NONE));
        uploadJournal();
        loseMaster();
        assertThat(totals().missingFiles()).isEqualTo(1);
        // Workers have a moment to come back.
        assertThat(status().problem()).isEmpty();
        assertThat(session.reclaim(List.of(held))).doesNotContain(Optional.empty());
        session.reclaimed();
        assertThat(totals().missingFiles()).isZero();
        assertCounts(1, 0);
    }

    @Test
    void aMountWhoseWorkersHaveAllLeftInOrderWaitsForNone() throws IOException {
        Mount mount = master.openMount(TestStores.MOUNT);
        assertThat(mount.table().standing().withoutWorkers()).isEmpty();
        assertThat(session.heartbeat(
                                new Heartbeat(0, 0, List.of(), List.of(), WorkerActivity.NONE, Heartbeat.Presence.LEFT))
                        .sealNow())
                .isFalse();
        crashMaster();
        assertThat(master.openMount(TestStores.MOUNT).table().standing().withoutWorkers())
                .isEmpty();
        session = register("w");
        crashMaster();
        assertThat(master.openMount(TestStores.MOUNT).table().standing().withoutWorkers())
                .isPresent();
    }

    @Test
    void aMutationThatFailsCountsNothing() throws IOException {
        granted(session, "/lost");
        loseWorker();
        VectorResult refused = table.apply(OperationVector.of(
                new Operation.Delete(new FilePath("/lost"), false),
                new Operation.Delete(new FilePath("/nothing"), false)));
        assertThat(refused).isInstanceOf(VectorResult.Refused.class);
        assertCounts(0, 1);
        stores.table().failNextWrite(new IllegalStateException("injected"));
        assertThatThrownBy(() -> delete("/lost")).hasMessageContaining("injected");
        // The log has it: the next start does it.
        crashMaster();
        granted(register("v"), "/after");
        assertCounts(1, 0);
    }
}
