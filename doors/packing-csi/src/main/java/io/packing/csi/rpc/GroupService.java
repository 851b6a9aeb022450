// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.rpc;

import io.grpc.stub.StreamObserver;
import io.packing.csi.rpc.v1.CreateVolumeGroupSnapshotRequest;
import io.packing.csi.rpc.v1.CreateVolumeGroupSnapshotResponse;
import io.packing.csi.rpc.v1.DeleteVolumeGroupSnapshotRequest;
import io.packing.csi.rpc.v1.DeleteVolumeGroupSnapshotResponse;
import io.packing.csi.rpc.v1.GetVolumeGroupSnapshotRequest;
import io.packing.csi.rpc.v1.GetVolumeGroupSnapshotResponse;
import io.packing.csi.rpc.v1.GroupControllerGetCapabilitiesRequest;
import io.packing.csi.rpc.v1.GroupControllerGetCapabilitiesResponse;
import io.packing.csi.rpc.v1.GroupControllerGrpc;
import io.packing.csi.rpc.v1.GroupControllerServiceCapability;
import io.packing.csi.rpc.v1.GroupControllerServiceCapability.RPC;
import io.packing.csi.rpc.v1.VolumeGroupSnapshot;
import io.packing.csi.volume.CsiGroups;

/** The service of snapshots of several volumes at one moment. */
public final class GroupService extends GroupControllerGrpc.GroupControllerImplBase {
    private final CsiGroups groups;
    private final PendingCalls pending;

    public GroupService(CsiGroups groups, PendingCalls pending) {
        this.groups = groups;
        this.pending = pending;
    }

    @Override
    public void groupControllerGetCapabilities(
            GroupControllerGetCapabilitiesRequest request, StreamObserver<GroupControllerGetCapabilitiesResponse> to) {
        CsiAnswers.answer(
                to,
                "GroupControllerGetCapabilities",
                "",
                () -> GroupControllerGetCapabilitiesResponse.newBuilder()
                        .addCapabilities(GroupControllerServiceCapability.newBuilder()
                                .setRpc(RPC.newBuilder().setType(RPC.Type.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT)))
                        .build());
    }

    @Override
    public void createVolumeGroupSnapshot(
            CreateVolumeGroupSnapshotRequest request, StreamObserver<CreateVolumeGroupSnapshotResponse> to) {
        CsiAnswers.answer(to, "CreateVolumeGroupSnapshot", request.getName(), () -> {
            SnapshotParameters.none(request.getParametersMap());
            try (PendingCalls.Hold unused = pending.hold("group " + request.getName())) {
                return CreateVolumeGroupSnapshotResponse.newBuilder()
                        .setGroupSnapshot(group(groups.create(request.getName(), request.getSourceVolumeIdsList())))
                        .build();
            }
        });
    }

    @Override
    public void deleteVolumeGroupSnapshot(
            DeleteVolumeGroupSnapshotRequest request, StreamObserver<DeleteVolumeGroupSnapshotResponse> to) {
        CsiAnswers.answer(to, "DeleteVolumeGroupSnapshot", request.getGroupSnapshotId(), () -> {
            try (PendingCalls.Hold unused = pending.hold(request.getGroupSnapshotId())) {
                groups.delete(request.getGroupSnapshotId(), request.getSnapshotIdsList());
                return DeleteVolumeGroupSnapshotResponse.getDefaultInstance();
            }
        });
    }

    @Override
    public void getVolumeGroupSnapshot(
            GetVolumeGroupSnapshotRequest request, StreamObserver<GetVolumeGroupSnapshotResponse> to) {
        CsiAnswers.answer(
                to,
                "GetVolumeGroupSnapshot",
                request.getGroupSnapshotId(),
                () -> GetVolumeGroupSnapshotResponse.newBuilder()
                        .setGroupSnapshot(group(groups.get(request.getGroupSnapshotId(), request.getSnapshotIdsList())))
                        .build());
    }

    private static VolumeGroupSnapshot group(CsiGroups.Group group) {
        VolumeGroupSnapshot.Builder told = VolumeGroupSnapshot.newBuilder()
                .setGroupSnapshotId(group.id().toString())
                .setCreationTime(CsiMessages.time(group.record().createdMillis()))
                .setReadyToUse(true);
        group.snapshots().forEach(each -> told.addSnapshots(CsiMessages.snapshot(each)));
        return told.build();
    }
}
