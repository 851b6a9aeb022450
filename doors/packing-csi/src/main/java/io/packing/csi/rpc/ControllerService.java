// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.rpc;

import com.google.protobuf.Int64Value;
import io.grpc.stub.StreamObserver;
import io.packing.csi.rpc.v1.ControllerExpandVolumeRequest;
import io.packing.csi.rpc.v1.ControllerExpandVolumeResponse;
import io.packing.csi.rpc.v1.ControllerGetCapabilitiesRequest;
import io.packing.csi.rpc.v1.ControllerGetCapabilitiesResponse;
import io.packing.csi.rpc.v1.ControllerGetVolumeRequest;
import io.packing.csi.rpc.v1.ControllerGetVolumeResponse;
import io.packing.csi.rpc.v1.ControllerGrpc;
import io.packing.csi.rpc.v1.ControllerServiceCapability;
import io.packing.csi.rpc.v1.ControllerServiceCapability.RPC;
import io.packing.csi.rpc.v1.CreateSnapshotRequest;
import io.packing.csi.rpc.v1.CreateSnapshotResponse;
import io.packing.csi.rpc.v1.CreateVolumeRequest;
import io.packing.csi.rpc.v1.CreateVolumeResponse;
import io.packing.csi.rpc.v1.DeleteSnapshotRequest;
import io.packing.csi.rpc.v1.DeleteSnapshotResponse;
import io.packing.csi.rpc.v1.DeleteVolumeRequest;
import io.packing.csi.rpc.v1.DeleteVolumeResponse;
import io.packing.csi.rpc.v1.GetCapacityRequest;
import io.packing.csi.rpc.v1.GetCapacityResponse;
import io.packing.csi.rpc.v1.GetSnapshotRequest;
import io.packing.csi.rpc.v1.GetSnapshotResponse;
import io.packing.csi.rpc.v1.ListSnapshotsRequest;
import io.packing.csi.rpc.v1.ListSnapshotsResponse;
import io.packing.csi.rpc.v1.ListVolumesRequest;
import io.packing.csi.rpc.v1.ListVolumesResponse;
import io.packing.csi.rpc.v1.ValidateVolumeCapabilitiesRequest;
import io.packing.csi.rpc.v1.ValidateVolumeCapabilitiesResponse;
import io.packing.csi.rpc.v1.VolumeContentSource;
import io.packing.csi.volume.CsiKey;
import io.packing.csi.volume.CsiListing;
import io.packing.csi.volume.CsiRefusal;
import io.packing.csi.volume.CsiSnapshot;
import io.packing.csi.volume.CsiSnapshots;
import io.packing.csi.volume.CsiVolume;
import io.packing.csi.volume.CsiVolumes;
import io.packing.csi.volume.VolumeParameters;
import io.packing.csi.volume.VolumeSource;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The service that makes, deletes and lists volumes and snapshots. It keeps no state: all is in the table. */
public final class ControllerService extends ControllerGrpc.ControllerImplBase {
    private static final List<RPC.Type> CAPABILITIES = List.of(
            RPC.Type.CREATE_DELETE_VOLUME,
            RPC.Type.LIST_VOLUMES,
            RPC.Type.GET_CAPACITY,
            RPC.Type.CREATE_DELETE_SNAPSHOT,
            RPC.Type.LIST_SNAPSHOTS,
            RPC.Type.GET_SNAPSHOT,
            RPC.Type.CLONE_VOLUME,
            RPC.Type.EXPAND_VOLUME,
            RPC.Type.GET_VOLUME,
            RPC.Type.SINGLE_NODE_MULTI_WRITER);

    private final CsiVolumes volumes;
    private final CsiSnapshots snapshots;
    private final PendingCalls pending;

    public ControllerService(CsiVolumes volumes, CsiSnapshots snapshots, PendingCalls pending) {
        this.volumes = volumes;
        this.snapshots = snapshots;
        this.pending = pending;
    }

    @Override
    public void controllerGetCapabilities(
            ControllerGetCapabilitiesRequest request, StreamObserver<ControllerGetCapabilitiesResponse> to) {
        CsiAnswers.answer(to, "ControllerGetCapabilities", "", () -> {
            ControllerGetCapabilitiesResponse.Builder all = ControllerGetCapabilitiesResponse.newBuilder();
            CAPABILITIES.forEach(type -> all.addCapabilities(ControllerServiceCapability.newBuilder()
                    .setRpc(RPC.newBuilder().setType(type))));
            return all.build();
        });
    }

    @Override
    public void createVolume(CreateVolumeRequest request, StreamObserver<CreateVolumeResponse> to) {
        CsiAnswers.answer(to, "CreateVolume", request.getName(), () -> {
            CsiKey key = CsiKey.ofName("volume", request.getName());
            CsiCapabilities.check(request.getVolumeCapabilitiesList());
            if (request.getChangeableParametersCount() > 0) {
                throw CsiRefusal.invalid("volumes have no mutable parameters");
            }
            CsiVolumes.Wish wish = new CsiVolumes.Wish(
                    request.getName(),
                    CsiMessages.capacity(request.getCapacityRange()),
                    VolumeParameters.from(request.getParametersMap()),
                    source(request));
            try (PendingCalls.Hold unused = pending.hold("volume " + key)) {
                return CreateVolumeResponse.newBuilder()
                        .setVolume(CsiMessages.volume(volumes.create(wish)))
                        .build();
            }
        });
    }

    private Optional<VolumeSource> source(CreateVolumeRequest request) throws IOException {
        if (!request.hasVolumeContentSource()) {
            return Optional.empty();
        }
        VolumeContentSource source = request.getVolumeContentSource();
        return switch (source.getTypeCase()) {
            case SNAPSHOT ->
                Optional.of(volumes.source(
                        VolumeSource.Kind.SNAPSHOT, source.getSnapshot().getSnapshotId()));
            case VOLUME ->
                Optional.of(volumes.source(
                        VolumeSource.Kind.VOLUME, source.getVolume().getVolumeId()));
            case TYPE_NOT_SET ->
                throw CsiRefusal.invalid("volume_content_source: neither a snapshot nor a volume is named");
        };
    }

    @Override
    public void deleteVolume(DeleteVolumeRequest request, StreamObserver<DeleteVolumeResponse> to) {
        CsiAnswers.answer(to, "DeleteVolume", request.getVolumeId(), () -> {
            try (PendingCalls.Hold unused = pending.holdVolume(request.getVolumeId())) {
                volumes.delete(request.getVolumeId());
                return DeleteVolumeResponse.getDefaultInstance();
            }
        });
    }

    @Override
    public void validateVolumeCapabilities(
            ValidateVolumeCapabilitiesRequest request, StreamObserver<ValidateVolumeCapabilitiesResponse> to) {
        CsiAnswers.answer(to, "ValidateVolumeCapabilities", request.getVolumeId(), () -> {
            if (request.getVolumeId().isEmpty() || request.getVolumeCapabilitiesCount() == 0) {
                throw CsiRefusal.invalid("no volume is named, or no capability");
            }
            CsiVolume volume = volumes.get(request.getVolumeId());
            Optional<String> why = CsiCapabilities.whyNot(request.getVolumeCapabilitiesList());
            boolean isOther = request.getParametersCount() > 0
                    && !VolumeParameters.from(request.getParametersMap())
                            .equals(volume.record().parameters());
            ValidateVolumeCapabilitiesResponse.Builder told = ValidateVolumeCapabilitiesResponse.newBuilder();
            if (why.isPresent() || isOther) {
                return told.setMessage(why.orElse("the volume has other parameters"))
                        .build();
            }
            return told.setConfirmed(ValidateVolumeCapabilitiesResponse.Confirmed.newBuilder()
                            .putAllVolumeContext(request.getVolumeContextMap())
                            .addAllVolumeCapabilities(request.getVolumeCapabilitiesList())
                            .putAllParameters(request.getParametersMap()))
                    .build();
        });
    }

    @Override
    public void listVolumes(ListVolumesRequest request, StreamObserver<ListVolumesResponse> to) {
        CsiAnswers.answer(to, "ListVolumes", request.getStartingToken(), () -> {
            CsiListing<CsiVolume> part = volumes.list(request.getStartingToken(), request.getMaxEntries());
            ListVolumesResponse.Builder told = ListVolumesResponse.newBuilder();
            part.entries()
                    .forEach(each -> told.addEntries(
                            ListVolumesResponse.Entry.newBuilder().setVolume(CsiMessages.volume(each))));
            return told.setNextToken(part.next().orElse("")).build();
        });
    }

    @Override
    public void controllerGetVolume(
            ControllerGetVolumeRequest request, StreamObserver<ControllerGetVolumeResponse> to) {
        CsiAnswers.answer(to, "ControllerGetVolume", request.getVolumeId(), () -> {
            CsiVolume volume = volumes.get(request.getVolumeId());
            return ControllerGetVolumeResponse.newBuilder()
                    .setVolume(CsiMessages.volume(volume))
                    .setStatus(ControllerGetVolumeResponse.VolumeStatus.getDefaultInstance())
                    .build();
        });
    }

    @Override
    public void getCapacity(GetCapacityRequest request, StreamObserver<GetCapacityResponse> to) {
        CsiAnswers.answer(to, "GetCapacity", "", () -> {
            boolean isPossible =
                    CsiCapabilities.whyNot(request.getVolumeCapabilitiesList()).isEmpty();
            long available = isPossible ? volumes.available() : 0;
            return GetCapacityResponse.newBuilder()
                    .setAvailableCapacity(available)
                    .setMaximumVolumeSize(Int64Value.of(available))
                    .build();
        });
    }

    @Override
    public void controllerExpandVolume(
            ControllerExpandVolumeRequest request, StreamObserver<ControllerExpandVolumeResponse> to) {
        CsiAnswers.answer(to, "ControllerExpandVolume", request.getVolumeId(), () -> {
            if (request.getVolumeId().isEmpty() || !request.hasCapacityRange()) {
                throw CsiRefusal.invalid("no volume is named, or no capacity");
            }
            if (request.hasVolumeCapability()) {
                CsiCapabilities.check(request.getVolumeCapability());
            }
            try (PendingCalls.Hold unused = pending.holdVolume(request.getVolumeId())) {
                CsiVolume volume =
                        volumes.expand(request.getVolumeId(), CsiMessages.capacity(request.getCapacityRange()));
                return ControllerExpandVolumeResponse.newBuilder()
                        .setCapacityBytes(volume.record().capacity())
                        .setNodeExpansionRequired(false)
                        .build();
            }
        });
    }

    @Override
    public void createSnapshot(CreateSnapshotRequest request, StreamObserver<CreateSnapshotResponse> to) {
        CsiAnswers.answer(to, "CreateSnapshot", request.getName(), () -> {
            CsiKey key = CsiKey.ofName("snapshot", request.getName());
            SnapshotParameters.none(request.getParametersMap());
            try (PendingCalls.Hold unused = pending.hold("snapshot " + key)) {
                return CreateSnapshotResponse.newBuilder()
                        .setSnapshot(
                                CsiMessages.snapshot(snapshots.create(request.getName(), request.getSourceVolumeId())))
                        .build();
            }
        });
    }

    @Override
    public void deleteSnapshot(DeleteSnapshotRequest request, StreamObserver<DeleteSnapshotResponse> to) {
        CsiAnswers.answer(to, "DeleteSnapshot", request.getSnapshotId(), () -> {
            try (PendingCalls.Hold unused = pending.holdSnapshot(request.getSnapshotId())) {
                snapshots.delete(request.getSnapshotId());
                return DeleteSnapshotResponse.getDefaultInstance();
            }
        });
    }

    @Override
    public void listSnapshots(ListSnapshotsRequest request, StreamObserver<ListSnapshotsResponse> to) {
        CsiAnswers.answer(to, "ListSnapshots", request.getStartingToken(), () -> {
            ListSnapshotsResponse.Builder told = ListSnapshotsResponse.newBuilder();
            if (!request.getSnapshotId().isEmpty()) {
                Optional<CsiSnapshot> one = snapshots.find(request.getSnapshotId());
                one.ifPresent(each -> told.addEntries(entry(each)));
                return told.build();
            }
            CsiListing<CsiSnapshot> part =
                    snapshots.list(request.getSourceVolumeId(), request.getStartingToken(), request.getMaxEntries());
            part.entries().forEach(each -> told.addEntries(entry(each)));
            return told.setNextToken(part.next().orElse("")).build();
        });
    }

    private static ListSnapshotsResponse.Entry entry(CsiSnapshot snapshot) {
        return ListSnapshotsResponse.Entry.newBuilder()
                .setSnapshot(CsiMessages.snapshot(snapshot))
                .build();
    }

    @Override
    public void getSnapshot(GetSnapshotRequest request, StreamObserver<GetSnapshotResponse> to) {
        CsiAnswers.answer(
                to,
                "GetSnapshot",
                request.getSnapshotId(),
                () -> GetSnapshotResponse.newBuilder()
                        .setSnapshot(CsiMessages.snapshot(snapshots.get(request.getSnapshotId())))
                        .build());
    }
}
