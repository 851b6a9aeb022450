// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.rpc;

import io.grpc.stub.StreamObserver;
import io.packing.csi.node.MountFlags;
import io.packing.csi.node.VolumeStaging;
import io.packing.csi.rpc.v1.NodeGrpc;
import io.packing.csi.rpc.v1.NodeStageVolumeRequest;
import io.packing.csi.rpc.v1.NodeStageVolumeResponse;
import io.packing.csi.rpc.v1.NodeUnstageVolumeRequest;
import io.packing.csi.rpc.v1.NodeUnstageVolumeResponse;
import io.packing.csi.volume.CsiId;
import java.nio.file.Path;

/**
 * The service of the process that has the file systems of a node, for the driver beside it. It knows two calls of the node's service, and does
 * what the driver has checked.
 */
public final class StagingService extends NodeGrpc.NodeImplBase {
    private final VolumeStaging staging;
    private final PendingCalls pending;

    public StagingService(VolumeStaging staging, PendingCalls pending) {
        this.staging = staging;
        this.pending = pending;
    }

    @Override
    public void nodeStageVolume(NodeStageVolumeRequest request, StreamObserver<NodeStageVolumeResponse> to) {
        CsiAnswers.answer(to, "NodeStageVolume", request.getVolumeId(), () -> {
            CsiId volume = CsiNodeService.id(request.getVolumeId());
            Path at = CsiNodeService.path(request.getStagingTargetPath(), "staging_target_path");
            MountFlags flags = CsiNodeService.flags(request.hasVolumeCapability(), request.getVolumeCapability());
            try (PendingCalls.Hold unused = pending.hold(volume.toString())) {
                staging.mount(volume, at, flags);
                return NodeStageVolumeResponse.getDefaultInstance();
            }
        });
    }

    @Override
    public void nodeUnstageVolume(NodeUnstageVolumeRequest request, StreamObserver<NodeUnstageVolumeResponse> to) {
        CsiAnswers.answer(to, "NodeUnstageVolume", request.getVolumeId(), () -> {
            CsiId volume = CsiNodeService.id(request.getVolumeId());
            Path at = CsiNodeService.path(request.getStagingTargetPath(), "staging_target_path");
            try (PendingCalls.Hold unused = pending.hold(volume.toString())) {
                staging.unmount(volume, at);
                return NodeUnstageVolumeResponse.getDefaultInstance();
            }
        });
    }
}
