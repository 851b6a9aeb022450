// SPDX-License-Identifier: Apache-2.0
package io.packing.csi;

import static io.packing.csi.CsiRig.GIB;
import static io.packing.csi.CsiRig.refused;
import static io.packing.csi.CsiRig.wish;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.packing.csi.rpc.v1.CapacityRange;
import io.packing.csi.rpc.v1.CreateVolumeGroupSnapshotRequest;
import io.packing.csi.rpc.v1.DeleteSnapshotRequest;
import io.packing.csi.rpc.v1.DeleteSnapshotResponse;
import io.packing.csi.rpc.v1.DeleteVolumeGroupSnapshotRequest;
import io.packing.csi.rpc.v1.DeleteVolumeGroupSnapshotResponse;
import io.packing.csi.rpc.v1.DeleteVolumeRequest;
import io.packing.csi.rpc.v1.DeleteVolumeResponse;
import io.packing.csi.rpc.v1.GetSnapshotRequest;
import io.packing.csi.rpc.v1.GetVolumeGroupSnapshotRequest;
import io.packing.csi.rpc.v1.ListSnapshotsRequest;
import io.packing.csi.rpc.v1.ListSnapshotsResponse;
import io.packing.csi.rpc.v1.Snapshot;
import io.packing.csi.rpc.v1.Volume;
import io.packing.csi.rpc.v1.VolumeGroupSnapshot;
import io.packing.process.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots and clones of volumes. */
@Timeout(120)
class SnapshotsTest {
    @TempDir
    private Path home;

    private CsiRig rig;
    private Volume volume;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        rig = CsiRig.start(home);
        volume = rig.create("pvc-1");
        rig.put(volume, "before");
    }

    @AfterEach
    void stop() throws IOException {
        rig.close();
    }

    private void delete(Volume gone) {
        DeleteVolumeResponse unused = rig.controller()
                .deleteVolume(DeleteVolumeRequest.newBuilder()
                        .setVolumeId(gone.getVolumeId())
                        .build());
    }

    private void delete(Snapshot gone) {
        DeleteSnapshotResponse unused = rig.controller()
                .deleteSnapshot(DeleteSnapshotRequest.newBuilder()
                        .setSnapshotId(gone.getSnapshotId())
                        .build());
    }

    private ListSnapshotsResponse list(ListSnapshotsRequest.Builder request) {
        return rig.controller().listSnapshots(request.build());
    }

    @Test
    void aVolumeOfASnapshotHasTheFilesOfThatMomentAndChangesAlone() throws IOException {
        Snapshot snapshot = rig.snapshot("s", volume);
        rig.put(volume, "after");
        Volume clone = rig.create(wish("pvc-2", GIB).setVolumeContentSource(CsiRig.from(snapshot)));
        assertThat(clone.getContentSource()).isEqualTo(CsiRig.from(snapshot));
        assertThat(rig.has(clone, "before")).isTrue();
        assertThat(rig.has(clone, "after")).isFalse();
        rig.put(clone, "own");
        assertThat(rig.has(volume, "own")).isFalse();
        Volume again = rig.create(wish("pvc-3", GIB).setVolumeContentSource(CsiRig.from(snapshot)));
        assertThat(rig.has(again, "own")).isFalse();
    }

    @Test
    void aVolumeOfAVolumeHasItsFilesAndGetsAQuotaOfItsOwn() throws Exception {
        Volume clone = rig.create(wish("pvc-2", 2 * GIB).setVolumeContentSource(CsiRig.from(volume)));
        assertThat(rig.has(clone, "before")).isTrue();
        Await.until(
                "the quota of the clone",
                Duration.ofSeconds(60),
                () -> rig.bdt().quota(CsiRig.data(clone)).isPresent());
        assertThat(rig.bdt().quota(CsiRig.data(clone)).orElseThrow().mostBytes())
                .hasValue(2 * GIB);
        assertThat(rig.bdt().quota(CsiRig.data(volume)).orElseThrow().mostBytes())
                .hasValue(GIB);
    }

    @Test
    void aSnapshotOutlivesItsVolumeAndItsClonesOutliveIt() throws IOException {
        Snapshot snapshot = rig.snapshot("s", volume);
        delete(volume);
        assertThat(rig.controller()
                        .getSnapshot(GetSnapshotRequest.newBuilder()
                                .setSnapshotId(snapshot.getSnapshotId())
                                .build())
                        .getSnapshot())
                .isEqualTo(snapshot);
        Volume clone = rig.create(wish("pvc-2", GIB).setVolumeContentSource(CsiRig.from(snapshot)));
        delete(snapshot);
        delete(snapshot);
        assertThat(rig.has(clone, "before")).isTrue();
        assertThat(list(ListSnapshotsRequest.newBuilder()).getEntriesCount()).isZero();
        refused(
                Status.Code.NOT_FOUND,
                "there is no snapshot",
                () -> rig.create(wish("pvc-3", GIB).setVolumeContentSource(CsiRig.from(snapshot))));
        // The repeated call has what it asked for.
        assertThat(rig.create(wish("pvc-2", GIB).setVolumeContentSource(CsiRig.from(snapshot))))
                .isEqualTo(clone);
    }

    @Test
    void aCloneIsNoSmallerThanItsSource() {
        Snapshot snapshot = rig.snapshot("s", volume);
        assertThat(snapshot.getSizeBytes()).isEqualTo(GIB);
        Volume clone = rig.create(wish("pvc-2", 1).setVolumeContentSource(CsiRig.from(snapshot)));
        assertThat(clone.getCapacityBytes()).isEqualTo(GIB);
        refused(
                Status.Code.OUT_OF_RANGE,
                "the volume needs 1,073,741,824",
                () -> rig.create(wish("pvc-3", 1)
                        .setCapacityRange(CapacityRange.newBuilder().setLimitBytes(1_000))
                        .setVolumeContentSource(CsiRig.from(snapshot))));
    }

    @Test
    void aNameIsOfOneSnapshotOfOneVolume() {
        Snapshot snapshot = rig.snapshot("s", volume);
        assertThat(rig.snapshot("s", volume)).isEqualTo(snapshot);
        Volume other = rig.create("pvc-2");
        refused(Status.Code.ALREADY_EXISTS, "of the volume " + volume.getVolumeId(), () -> rig.snapshot("s", other));
    }

    @Test
    void snapshotsAreListedByVolumeAndByPages() {
        Volume other = rig.create("pvc-2");
        for (int i = 0; i < 4; i++) {
            Snapshot unused = rig.snapshot("s-" + i, i % 2 == 0 ? volume : other);
        }
        assertThat(list(ListSnapshotsRequest.newBuilder().setSourceVolumeId(other.getVolumeId()))
                        .getEntriesList())
                .hasSize(2)
                .allMatch(each -> each.getSnapshot().getSourceVolumeId().equals(other.getVolumeId()));
        ListSnapshotsResponse first = list(ListSnapshotsRequest.newBuilder().setMaxEntries(3));
        assertThat(first.getEntriesCount()).isEqualTo(3);
        assertThat(list(ListSnapshotsRequest.newBuilder().setStartingToken(first.getNextToken()))
                        .getEntriesCount())
                .isEqualTo(1);
        assertThat(list(ListSnapshotsRequest.newBuilder().setSnapshotId("none")).getEntriesCount())
                .isZero();
    }

    private VolumeGroupSnapshot group(String name, Volume... volumes) {
        CreateVolumeGroupSnapshotRequest.Builder request =
                CreateVolumeGroupSnapshotRequest.newBuilder().setName(name);
        for (Volume each : volumes) {
            request.addSourceVolumeIds(each.getVolumeId());
        }
        return rig.groups().createVolumeGroupSnapshot(request.build()).getGroupSnapshot();
    }

    private static List<String> members(VolumeGroupSnapshot group) {
        return group.getSnapshotsList().stream().map(Snapshot::getSnapshotId).toList();
    }

    private VolumeGroupSnapshot found(VolumeGroupSnapshot group, List<String> members) {
        return rig.groups()
                .getVolumeGroupSnapshot(GetVolumeGroupSnapshotRequest.newBuilder()
                        .setGroupSnapshotId(group.getGroupSnapshotId())
                        .addAllSnapshotIds(members)
                        .build())
                .getGroupSnapshot();
    }

    @Test
    void aGroupIsTakenByOneVectorAndDeletedAsAWhole() throws IOException {
        Volume other = rig.create("pvc-2");
        VolumeGroupSnapshot group = group("g", volume, other);
        assertThat(group.getSnapshotsList()).hasSize(2).allSatisfy(each -> {
            assertThat(each.getGroupSnapshotId()).isEqualTo(group.getGroupSnapshotId());
            assertThat(each.getCreationTime()).isEqualTo(group.getCreationTime());
        });
        assertThat(group("g", other, volume)).isEqualTo(group);
        assertThat(found(group, members(group))).isEqualTo(group);
        refused(Status.Code.ALREADY_EXISTS, "of other volumes", () -> group("g", volume));
        refused(Status.Code.INVALID_ARGUMENT, "is part of the group snapshot", () -> delete(group.getSnapshots(0)));
        refused(Status.Code.INVALID_ARGUMENT, "not all that are named", () -> found(group, List.of("other")));
        Volume clone = rig.create(wish("pvc-3", GIB).setVolumeContentSource(CsiRig.from(group.getSnapshots(0))));
        DeleteVolumeGroupSnapshotRequest request = DeleteVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId(group.getGroupSnapshotId())
                .addAllSnapshotIds(members(group))
                .build();
        DeleteVolumeGroupSnapshotResponse unused = rig.groups().deleteVolumeGroupSnapshot(request);
        DeleteVolumeGroupSnapshotResponse unusedToo = rig.groups().deleteVolumeGroupSnapshot(request);
        assertThat(list(ListSnapshotsRequest.newBuilder()).getEntriesCount()).isZero();
        assertThat(rig.has(clone, "before")).isTrue();
    }

    /** One missing volume leaves no snapshot of the others. */
    @Test
    void aGroupWithAMissingVolumeTakesNoSnapshot() {
        Volume gone = rig.create("pvc-2");
        delete(gone);
        refused(Status.Code.NOT_FOUND, gone.getVolumeId(), () -> group("g", volume, gone));
        assertThat(list(ListSnapshotsRequest.newBuilder()).getEntriesCount()).isZero();
        refused(Status.Code.INVALID_ARGUMENT, "each named once", () -> group("g", volume, volume));
    }
}
