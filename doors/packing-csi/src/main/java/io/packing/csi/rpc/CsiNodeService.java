// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.rpc;

import io.grpc.stub.StreamObserver;
import io.packing.bdt.Quota;
import io.packing.csi.node.MountFlags;
import io.packing.csi.node.NodeVolumes;
import io.packing.csi.rpc.v1.NodeExpandVolumeRequest;
import io.packing.csi.rpc.v1.NodeExpandVolumeResponse;
import io.packing.csi.rpc.v1.NodeGetCapabilitiesRequest;
import io.packing.csi.rpc.v1.NodeGetCapabilitiesResponse;
import io.packing.csi.rpc.v1.NodeGetInfoRequest;
import io.packing.csi.rpc.v1.NodeGetInfoResponse;
import io.packing.csi.rpc.v1.NodeGetVolumeHealthRequest;
import io.packing.csi.rpc.v1.NodeGetVolumeHealthResponse;
import io.packing.csi.rpc.v1.NodeGetVolumeStatsRequest;
import io.packing.csi.rpc.v1.NodeGetVolumeStatsResponse;
import io.packing.csi.rpc.v1.NodeGrpc;
import io.packing.csi.rpc.v1.NodePublishVolumeRequest;
import io.packing.csi.rpc.v1.NodePublishVolumeResponse;
import io.packing.csi.rpc.v1.NodeServiceCapability;
import io.packing.csi.rpc.v1.NodeServiceCapability.RPC;
import io.packing.csi.rpc.v1.NodeStageVolumeRequest;
import io.packing.csi.rpc.v1.NodeStageVolumeResponse;
import io.packing.csi.rpc.v1.NodeUnpublishVolumeRequest;
import io.packing.csi.rpc.v1.NodeUnpublishVolumeResponse;
import io.packing.csi.rpc.v1.NodeUnstageVolumeRequest;
import io.packing.csi.rpc.v1.NodeUnstageVolumeResponse;
import io.packing.csi.rpc.v1.VolumeCapability;
import io.packing.csi.rpc.v1.VolumeHealth;
import io.packing.csi.rpc.v1.VolumeHealthErrorType;
import io.packing.csi.rpc.v1.VolumeUsage;
import io.packing.csi.volume.CsiId;
import io.packing.csi.volume.CsiRefusal;
import io.packing.csi.volume.CsiVolume;
import io.packing.csi.volume.CsiVolumes;
import io.packing.csi.volume.VolumeLimits;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The service of a node: it mounts volumes, and shows them to pods. */
public final class CsiNodeService extends NodeGrpc.NodeImplBase {
    private static final List<RPC.Type> CAPABILITIES = List.of(
            RPC.Type.STAGE_UNSTAGE_VOLUME,
            RPC.Type.GET_VOLUME_STATS,
            RPC.Type.EXPAND_VOLUME,
            RPC.Type.GET_VOLUME_HEALTH,
            RPC.Type.SINGLE_NODE_MULTI_WRITER);

    private final String nodeId;
    private final NodeVolumes node;
    private final CsiVolumes volumes;
    private final VolumeLimits limits;
    private final PendingCalls pending;

    public CsiNodeService(
            String nodeId, NodeVolumes node, CsiVolumes volumes, VolumeLimits limits, PendingCalls pending) {
        this.nodeId = nodeId;
        this.node = node;
        this.volumes = volumes;
        this.limits = limits;
        this.pending = pending;
    }

    @Override
    public void nodeGetCapabilities(
            NodeGetCapabilitiesRequest request, StreamObserver<NodeGetCapabilitiesResponse> to) {
        CsiAnswers.answer(to, "NodeGetCapabilities", "", () -> {
            NodeGetCapabilitiesResponse.Builder all = NodeGetCapabilitiesResponse.newBuilder();
            CAPABILITIES.forEach(type -> all.addCapabilities(
                    NodeServiceCapability.newBuilder().setRpc(RPC.newBuilder().setType(type))));
            return all.build();
        });
    }

    /** Answers with the node's name, and without a topology: each node reaches each volume. */
    @Override
    public void nodeGetInfo(NodeGetInfoRequest request, StreamObserver<NodeGetInfoResponse> to) {
        CsiAnswers.answer(
                to,
                "NodeGetInfo",
                nodeId,
                () -> NodeGetInfoResponse.newBuilder().setNodeId(nodeId).build());
    }

    @Override
    public void nodeStageVolume(NodeStageVolumeRequest request, StreamObserver<NodeStageVolumeResponse> to) {
        CsiAnswers.answer(to, "NodeStageVolume", request.getVolumeId(), () -> {
            need(request.getVolumeId(), "volume_id");
            Path staging = path(request.getStagingTargetPath(), "staging_target_path");
            MountFlags flags = flags(request.hasVolumeCapability(), request.getVolumeCapability());
            CsiVolume volume = volumes.get(request.getVolumeId());
            try (PendingCalls.Hold unused = hold(volume.id())) {
                // The controller may have ended before the quota of a clone was set.
                limits.ensure(volume);
                node.stage(volume.id(), staging, flags);
                return NodeStageVolumeResponse.getDefaultInstance();
            }
        });
    }

    private PendingCalls.Hold hold(CsiId volume) throws CsiRefusal {
        return pending.hold("volume " + volume + " on this node");
    }

    static MountFlags flags(boolean isNamed, VolumeCapability capability) throws CsiRefusal {
        if (!isNamed) {
            throw CsiRefusal.invalid("volume_capability is missing");
        }
        CsiCapabilities.check(capability);
        return MountFlags.from(capability.getMount().getMountFlagsList(), CsiCapabilities.isReader(capability));
    }

    static void need(String value, String field) throws CsiRefusal {
        if (value.isEmpty()) {
            throw CsiRefusal.invalid(field + " is missing");
        }
    }

    static Path path(String text, String field) throws CsiRefusal {
        need(text, field);
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new CsiRefusal(
                    CsiRefusal.Reason.INVALID_ARGUMENT, "%s is no path: %s".formatted(field, e.getReason()), e);
        }
    }

    /** Returns an id of a volume, which may be gone. */
    static CsiId id(String text) throws CsiRefusal {
        need(text, "volume_id");
        return CsiId.parse(text)
                .orElseThrow(() ->
                        new CsiRefusal(CsiRefusal.Reason.NOT_FOUND, "there is no volume '%.200s'".formatted(text)));
    }

    @Override
    public void nodeUnstageVolume(NodeUnstageVolumeRequest request, StreamObserver<NodeUnstageVolumeResponse> to) {
        CsiAnswers.answer(to, "NodeUnstageVolume", request.getVolumeId(), () -> {
            need(request.getVolumeId(), "volume_id");
            Path staging = path(request.getStagingTargetPath(), "staging_target_path");
            CsiId volume = id(request.getVolumeId());
            try (PendingCalls.Hold unused = hold(volume)) {
                node.unstage(volume, staging);
                return NodeUnstageVolumeResponse.getDefaultInstance();
            }
        });
    }

    @Override
    public void nodePublishVolume(NodePublishVolumeRequest request, StreamObserver<NodePublishVolumeResponse> to) {
        CsiAnswers.answer(to, "NodePublishVolume", request.getVolumeId(), () -> {
            need(request.getVolumeId(), "volume_id");
            Path target = path(request.getTargetPath(), "target_path");
            MountFlags flags = flags(request.hasVolumeCapability(), request.getVolumeCapability());
            CsiId volume = id(request.getVolumeId());
            if (request.getStagingTargetPath().isEmpty()) {
                throw new CsiRefusal(
                        CsiRefusal.Reason.FAILED_PRECONDITION,
                        "staging_target_path is missing: stage the volume first");
            }
            Path staging = path(request.getStagingTargetPath(), "staging_target_path");
            try (PendingCalls.Hold unused = hold(volume)) {
                node.publish(
                        volume,
                        staging,
                        target,
                        request.getReadonly() || flags.readOnly(),
                        CsiCapabilities.isSingleWriter(request.getVolumeCapability()));
                return NodePublishVolumeResponse.getDefaultInstance();
            }
        });
    }

    @Override
    public void nodeUnpublishVolume(
            NodeUnpublishVolumeRequest request, StreamObserver<NodeUnpublishVolumeResponse> to) {
        CsiAnswers.answer(to, "NodeUnpublishVolume", request.getVolumeId(), () -> {
            need(request.getVolumeId(), "volume_id");
            Path target = path(request.getTargetPath(), "target_path");
            try (PendingCalls.Hold unused = hold(id(request.getVolumeId()))) {
                node.unpublish(target);
                return NodeUnpublishVolumeResponse.getDefaultInstance();
            }
        });
    }

    @Override
    public void nodeGetVolumeStats(NodeGetVolumeStatsRequest request, StreamObserver<NodeGetVolumeStatsResponse> to) {
        CsiAnswers.answer(to, "NodeGetVolumeStats", request.getVolumeId(), () -> {
            need(request.getVolumeId(), "volume_id");
            Path path = path(request.getVolumePath(), "volume_path");
            CsiId id = id(request.getVolumeId());
            checkPublished(id, path);
            // The kubelet asks each minute: a mount that died is mended soon.
            mend(id);
            Optional<Quota> quota = limits.use(volumes.get(request.getVolumeId()));
            NodeGetVolumeStatsResponse.Builder told = NodeGetVolumeStatsResponse.newBuilder()
                    .addUsage(quota.isPresent() ? bytes(quota.get()) : bytes(Files.getFileStore(path)));
            quota.ifPresent(limit -> told.addUsage(names(limit)));
            return told.build();
        });
    }

    private void mend(CsiId volume) throws IOException, InterruptedException {
        if (node.whyDead(volume).isPresent()) {
            try (PendingCalls.Hold unused = hold(volume)) {
                boolean unusedToo = node.mend(volume);
            }
        }
    }

    /** Answers why a volume is not accessible on this node, if it is not; it starts a file system that died again before. */
    @Override
    public void nodeGetVolumeHealth(
            NodeGetVolumeHealthRequest request, StreamObserver<NodeGetVolumeHealthResponse> to) {
        CsiAnswers.answer(to, "NodeGetVolumeHealth", request.getVolumeId(), () -> {
            CsiId id = id(request.getVolumeId());
            VolumeHealth.Builder health = VolumeHealth.newBuilder().setVolumeId(id.toString());
            inaccessible(id)
                    .ifPresent(why -> health.addHealthStatuses(VolumeHealth.VolumeHealthEntry.newBuilder()
                            .setStatus(VolumeHealthErrorType.INACCESSIBLE)
                            .setReason("FileSystemDied")
                            .setMessage(why)));
            return NodeGetVolumeHealthResponse.newBuilder()
                    .setVolumeHealth(health)
                    .build();
        });
    }

    private Optional<String> inaccessible(CsiId volume) throws IOException, InterruptedException {
        try {
            mend(volume);
            return node.whyDead(volume);
        } catch (IOException e) {
            return Optional.of("its file system died, and does not start again: " + e.getMessage());
        }
    }

    private void checkPublished(CsiId volume, Path path) throws IOException {
        if (!node.isAt(volume, path)) {
            throw new CsiRefusal(CsiRefusal.Reason.NOT_FOUND, "the volume %s is not at %s".formatted(volume, path));
        }
    }

    private static VolumeUsage bytes(Quota quota) {
        return usage(VolumeUsage.Unit.BYTES, quota.mostBytes(), quota.bytes());
    }

    private static VolumeUsage names(Quota quota) {
        return usage(VolumeUsage.Unit.INODES, quota.mostNames(), quota.names());
    }

    /** Returns a usage; without a limit its total is unknown, which is 0. */
    private static VolumeUsage usage(VolumeUsage.Unit unit, OptionalLong most, long used) {
        VolumeUsage.Builder told = VolumeUsage.newBuilder().setUnit(unit).setUsed(Math.max(0, used));
        if (most.isPresent()) {
            told.setTotal(most.getAsLong()).setAvailable(Math.max(0, most.getAsLong() - used));
        }
        return told.build();
    }

    private static VolumeUsage bytes(FileStore store) throws IOException {
        return VolumeUsage.newBuilder()
                .setUnit(VolumeUsage.Unit.BYTES)
                .setTotal(store.getTotalSpace())
                .setAvailable(store.getUsableSpace())
                .setUsed(store.getTotalSpace() - store.getUnallocatedSpace())
                .build();
    }

    /** Answers with the capacity: a quota holds on all nodes as soon as it is set. */
    @Override
    public void nodeExpandVolume(NodeExpandVolumeRequest request, StreamObserver<NodeExpandVolumeResponse> to) {
        CsiAnswers.answer(to, "NodeExpandVolume", request.getVolumeId(), () -> {
            need(request.getVolumeId(), "volume_id");
            Path path = path(request.getVolumePath(), "volume_path");
            CsiVolume volume = volumes.get(request.getVolumeId());
            checkPublished(volume.id(), path);
            return NodeExpandVolumeResponse.newBuilder()
                    .setCapacityBytes(volume.record().capacity())
                    .build();
        });
    }
}
