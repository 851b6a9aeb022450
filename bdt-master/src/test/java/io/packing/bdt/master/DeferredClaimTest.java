// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.Reclaim;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.master.cloud.DiskCheck;
import io.packing.bdt.master.cloud.MountStorage;
import io.packing.bdt.master.cloud.Uploader;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.bdt.master.upkeep.GarbageCollector;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A deferred claim of a name that a file has replaces the file when it is committed, and not before. */
class DeferredClaimTest extends MountFixture {
    private static final FileAttributes FILE = new FileAttributes(8, 1, "u", "g", 0644);
    private static final FilePath PATH = new FilePath("/d/f");

    @Test
    void olderFileStaysUntilTheNewOneIsCommitted() throws IOException {
        FileVersion v1 = committed(PATH);
        FileVersion v2 = deferred(session, PATH);
        assertThat(visible(PATH)).isEqualTo(v1);
        assertThat(table.locate(PATH).orElseThrow().placement()).isInstanceOf(Placement.Packed.class);
        assertThat(table.locate(v2).orElseThrow().placement()).isInstanceOf(Placement.Buffered.class);
        assertThat(table.list(new FilePath("/d"), "", 10).orElseThrow())
                .extracting(FileStatus::version)
                .containsExactly(v1);
        assertThat(table.statistics().files()).isEqualTo(1);
        assertThat(table.statistics().bufferedFiles()).isZero();
        assertThat(forgotten(session)).isEmpty();

        commit(session, "w", v2);
        assertThat(visible(PATH)).isEqualTo(v2);
        assertThat(table.locate(v1)).isEmpty();
        assertThat(table.statistics().files()).isEqualTo(1);
        assertThat(table.statistics().packedBytes()).isEqualTo(8);
        assertThat(table.statistics().deadBytes()).isEqualTo(100 + 100 - 8);
    }

    @Test
    void whatIsCommittedAfterACloneIsNotInTheClone() throws IOException {
        FileVersion v1 = committed(PATH);
        FileVersion v2 = deferred(session, PATH);
        assertThat(table.apply(
                        OperationVector.of(new Operation.CloneDirectory(new FilePath("/d"), new FilePath("/c")))))
                .isInstanceOf(VectorResult.Applied.class);
        commit(session, "w", v2);
        assertThat(visible(PATH)).isEqualTo(v2);
        assertThat(visible(new FilePath("/c/f"))).isEqualTo(v1);
        assertThat(table.locate(new FilePath("/c/f"))).isPresent();

        FileVersion v3 = deferred(session, new FilePath("/c/f"));
        assertThat(table.stat(new FilePath("/c/f")).orElseThrow().version()).isNotEqualTo(v3);
        commit(session, "w", v3);
        assertThat(visible(new FilePath("/c/f"))).isEqualTo(v3);
        assertThat(visible(PATH)).isEqualTo(v2);
    }

    @Test
    void whatIsCommittedTakesThePlaceOfTheNameOfAFileWithSeveral() throws IOException {
        FilePath other = new FilePath("/d/g");
        FileVersion v1 = committed(PATH);
        FileVersion v2 = deferred(session, PATH);
        assertThat(table.apply(OperationVector.of(new Operation.Link(PATH, other))))
                .isInstanceOf(VectorResult.Applied.class);
        FileVersion v3 = deferred(session, other);
        assertThat(visible(PATH)).isEqualTo(v1);
        commit(session, "w", v2);
        assertThat(visible(PATH)).isEqualTo(v2);
        assertThat(visible(other)).isEqualTo(v1);
        assertThat(table.stat(other).orElseThrow().extras().links()).isEqualTo(1);
        commit(session, "w", v3);
        assertThat(visible(other)).isEqualTo(v3);
        assertThat(table.locate(v1)).isEmpty();
        assertThat(table.statistics().files()).isEqualTo(2);
        assertThat(rowsOf(Keys.PENDING)).isZero();
    }

    @Test
    void aNameOfAFileThatIsNotCommittedReplacesNothing() throws IOException {
        FilePath other = new FilePath("/d/g");
        FileVersion v1 = committed(other);
        FileVersion v2 = deferred(session, PATH);
        FilePath name = new FilePath("/d/h");
        assertThat(table.apply(OperationVector.of(new Operation.Link(PATH, name))))
                .isInstanceOf(VectorResult.Applied.class);
        VectorResult refused = table.apply(OperationVector.of(new Operation.Rename(name, other, true)));
        assertThat(((VectorResult.Refused) refused).reason()).isEqualTo(Outcome.UNCOMMITTED);
        assertThat(visible(other)).isEqualTo(v1);
        commit(session, "w", v2);
        assertThat(table.apply(OperationVector.of(new Operation.Rename(name, other, true))))
                .isInstanceOf(VectorResult.Applied.class);
        assertThat(visible(other)).isEqualTo(v2);
    }

    @Test
    void deferredClaimOfAFreeNameIsAClaim() throws IOException {
        FileVersion v1 = deferred(session, PATH);
        assertThat(visible(PATH)).isEqualTo(v1);
        assertThat(claim(session, PATH, false, true)).isEqualTo(new ClaimResult.Refused(Outcome.EXISTS));
        assertThat(table.statistics().bufferedFiles()).isEqualTo(1);
    }

    @Test
    void claimingAgainAnswersTheSame() throws IOException {
        committed(PATH);
        Claim claim = new Claim(session.newFileId(), PATH, FILE, true, true, true);
        ClaimResult first = session.claim(claim).join();
        assertThat(session.claim(claim).join()).isEqualTo(first);
        session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        assertThat(session.claim(claim).join()).isEqualTo(first);
        session.reclaimed();
        assertThat(table.locate(((ClaimResult.Granted) first).version())).isPresent();
    }

    @Test
    void ofTwoOverwritersTheLaterWinsAndTheEarlierIsToldToForget() throws IOException {
        WorkerSession other = table.register(new WorkerRegistration("v", "127.0.0.1:2"));
        committed(PATH);
        FileVersion earlier = deferred(other, PATH);
        FileVersion later = deferred(session, PATH);
        commit(session, "w", later);
        assertThat(visible(PATH)).isEqualTo(later);
        assertThat(forgotten(other)).containsExactly(earlier.id());
        commit(other, "v", earlier);
        assertThat(visible(PATH)).isEqualTo(later);
        assertThat(rowsOf(Keys.PENDING)).isZero();
    }

    @Test
    void overwritersInTheOrderOfTheirClaimsReplaceOneAnother() throws IOException {
        committed(PATH);
        FileVersion earlier = deferred(session, PATH);
        FileVersion later = deferred(session, PATH);
        commit(session, "w", earlier);
        assertThat(visible(PATH)).isEqualTo(earlier);
        commit(session, "w", later);
        assertThat(visible(PATH)).isEqualTo(later);
        assertThat(table.statistics().packedBytes()).isEqualTo(8);
    }

    @Test
    void claimThatReplacesAtOnceEndsOlderOnes() throws IOException {
        committed(PATH);
        FileVersion waiting = deferred(session, PATH);
        FileVersion now = granted(claim(session, PATH, true, false));
        assertThat(visible(PATH)).isEqualTo(now);
        assertThat(forgotten(session)).containsExactly(waiting.id());
        commit(session, "w", waiting);
        assertThat(visible(PATH)).isEqualTo(now);
    }

    @Test
    void deleteEndsWhatWaits() throws IOException {
        committed(PATH);
        FileVersion waiting = deferred(session, PATH);
        assertThat(table.delete(PATH, false)).isEqualTo(Outcome.DONE);
        assertThat(forgotten(session)).containsExactly(waiting.id());
        FileVersion next = deferred(session, PATH);
        commit(session, "w", waiting);
        assertThat(visible(PATH)).isEqualTo(next);
    }

    @Test
    void deleteOfATreeEndsWhatWaitsInIt() throws IOException {
        committed(PATH);
        FileVersion waiting = deferred(session, PATH);
        assertThat(table.delete(new FilePath("/d"), true)).isEqualTo(Outcome.DONE);
        removeDeletedTrees();
        assertThat(rowsOf(Keys.PENDING)).isZero();
        assertThat(table.locate(waiting)).isEmpty();
        commit(session, "w", waiting);
        assertThat(names()).isEmpty();
    }

    @Test
    void renameMovesWhatWaits() throws IOException {
        FileVersion v1 = committed(PATH);
        FileVersion v2 = deferred(session, PATH);
        FilePath to = new FilePath("/to");
        assertThat(table.rename(PATH, to)).isEqualTo(Outcome.DONE);
        FileVersion fresh = deferred(session, PATH);
        assertThat(visible(to)).isEqualTo(v1);
        commit(session, "w", v2);
        assertThat(visible(to)).isEqualTo(v2);
        assertThat(visible(PATH)).isEqualTo(fresh);
    }

    @Test
    void changeOfAttributesHoldsForWhatWaits() throws IOException {
        committed(PATH);
        FileVersion v2 = deferred(session, PATH);
        AttributeChange change = new AttributeChange(Optional.of("new"), Optional.empty(), OptionalInt.empty());
        assertThat(table.setAttributes(PATH, change)).isEqualTo(Outcome.DONE);
        commit(session, "w", v2);
        assertThat(table.stat(PATH).orElseThrow().attributes().owner()).isEqualTo("new");
    }

    @Test
    void workerThatComesBackKeepsWhatItNamesAndTheRestIsOver() throws IOException {
        FileVersion v1 = committed(PATH);
        FileVersion named = deferred(session, PATH);
        FileVersion lost = deferred(session, PATH);
        session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        assertThat(session.reclaim(List.of(new Reclaim(new FileVersion(named.id(), 0), PATH, FILE, true, 0))))
                .containsExactly(Optional.of(named));
        session.reclaimed();
        assertThat(visible(PATH)).isEqualTo(v1);
        assertThat(table.locate(lost)).isEmpty();
        commit(session, "w", named);
        assertThat(visible(PATH)).isEqualTo(named);
        assertThat(rowsOf(Keys.PENDING)).isZero();
    }

    @Test
    void whatWaitsOutlivesARestartOfTheMaster() throws IOException {
        FileVersion v1 = committed(PATH);
        FileVersion v2 = deferred(session, PATH);
        SessionId before = new SessionId("w", session.sessionEpoch());
        master.close();
        master = BdtMaster.start(TestStores.config(data), stores);
        table = master.open(TestStores.MOUNT);
        assertThat(visible(PATH)).isEqualTo(v1);
        Table mount = master.openMount(TestStores.MOUNT).table();
        Waiting.on(mount.heartbeat(before, report("w", v2)));
        assertThat(visible(PATH)).isEqualTo(v2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void olderFileSurvivesTheLossOfTheMasterAndTheClaimIsTakenAgain(boolean backedUp) throws IOException {
        claim("/d/f");
        push(true);
        FileVersion v1 = visible(PATH);
        FileVersion v2 = deferred(session, PATH);
        if (backedUp) {
            table.checkpoint();
        }
        loseMaster();
        assertThat(visible(PATH)).isEqualTo(v1);
        assertThat(session.reclaim(List.of(new Reclaim(v2, PATH, FILE, true, 0))))
                .containsExactly(Optional.of(v2));
        session.reclaimed();
        assertThat(visible(PATH)).isEqualTo(v1);
        commit(session, "w", v2);
        assertThat(visible(PATH)).isEqualTo(v2);
    }

    @Test
    void blobOfAVersionThatWaitsIsNotCollected() throws IOException {
        FileVersion v1 = committed(PATH);
        buffered.add(new Reclaim(deferred(session, PATH), PATH, FILE));
        FileVersion v2 = buffered.get(0).version();
        push(false);
        reportBlobOnly();
        claim("/later");
        Mount mount = master.openMount(TestStores.MOUNT);
        GarbageCollector collector = new GarbageCollector(
                storage(mount),
                uploader(mount),
                new GarbageCollector.CollectionOptions(Duration.ZERO, Duration.ZERO),
                () -> 0);
        assertThat(collector.step()).isTrue();
        assertThat(stores.objects.keys("blobs/")).hasSize(1);
        assertThat(visible(PATH)).isEqualTo(v1);
        assertThat(table.locate(v2)).isPresent();
    }

    private MountStorage storage(Mount mount) {
        return new MountStorage("m", mount.table(), stores.objects, work);
    }

    private Uploader uploader(Mount mount) throws IOException {
        return new Uploader(
                storage(mount),
                new Uploader.UploadOptions(Duration.ofHours(1), 1, Duration.ofHours(1)),
                mount.lease(),
                DiskCheck.NONE,
                () -> 0);
    }

    @Test
    void exclusiveCreateMayFollowOneThatWasLostBeforeItsWriterHadAnAnswer() throws IOException {
        FileVersion acknowledged = granted(claim(session, new FilePath("/synced"), false, false));
        deferred(session, PATH);
        session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        session.reclaimed();
        FileVersion next = granted(claim(session, PATH, false, true));
        assertThat(visible(PATH)).isEqualTo(next);
        // Of this one the writer may have been told that it is closed: nothing but a delete makes its name free.
        assertThat(claim(session, new FilePath("/synced"), false, true))
                .isEqualTo(new ClaimResult.Refused(Outcome.EXISTS));
        assertThat(visible(new FilePath("/synced"))).isEqualTo(acknowledged);
    }

    @Test
    void exclusiveCreateIsRefusedWhileAnotherWriterMayYetReplaceTheLostFile() throws IOException {
        WorkerSession other = table.register(new WorkerRegistration("v", "127.0.0.1:2"));
        deferred(session, PATH);
        FileVersion waiting = deferred(other, PATH);
        session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        session.reclaimed();
        assertThat(claim(session, PATH, false, true)).isEqualTo(new ClaimResult.Refused(Outcome.EXISTS));
        commit(other, "v", waiting);
        assertThat(visible(PATH)).isEqualTo(waiting);
    }

    private FileVersion committed(FilePath path) throws IOException {
        FileVersion version = granted(claim(session, path, true, false));
        commit(session, "w", version);
        return version;
    }

    private static FileVersion deferred(WorkerSession by, FilePath path) throws IOException {
        return granted(claim(by, path, true, true));
    }

    private static ClaimResult claim(WorkerSession by, FilePath path, boolean overwrite, boolean deferred)
            throws IOException {
        return by.claim(new Claim(by.newFileId(), path, FILE, true, overwrite, deferred))
                .join();
    }

    private static FileVersion granted(ClaimResult result) {
        assertThat(result).isInstanceOf(ClaimResult.Granted.class);
        return ((ClaimResult.Granted) result).version();
    }

    private void commit(WorkerSession by, String worker, FileVersion version) throws IOException {
        assertThat(by.heartbeat(report(worker, version)).sealNow()).isFalse();
    }

    private Heartbeat report(String worker, FileVersion version) {
        BlobExtent extent =
                new BlobExtent(new BlobName(worker, 100, timestamp++), new Extent(0, 8, 50, 8, Codec.NONE, 1));
        return new Heartbeat(0, 0, List.of(), List.of(new CommittedFile(version, List.of(extent))));
    }

    private static List<Long> forgotten(WorkerSession by) throws IOException {
        return by.heartbeat(new Heartbeat(0, 0, List.of(), List.of())).drop();
    }

    private FileVersion visible(FilePath path) throws IOException {
        return table.stat(path).orElseThrow().version();
    }
}
