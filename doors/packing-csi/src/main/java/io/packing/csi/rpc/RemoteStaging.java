// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.rpc;

import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.packing.bdt.UnavailableException;
import io.packing.csi.node.MountFlags;
import io.packing.csi.node.VolumeStaging;
import io.packing.csi.rpc.v1.NodeGrpc;
import io.packing.csi.rpc.v1.NodeStageVolumeRequest;
import io.packing.csi.rpc.v1.NodeStageVolumeResponse;
import io.packing.csi.rpc.v1.NodeUnstageVolumeRequest;
import io.packing.csi.rpc.v1.NodeUnstageVolumeResponse;
import io.packing.csi.rpc.v1.VolumeCapability;
import io.packing.csi.volume.CsiId;
import io.packing.csi.volume.CsiRefusal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** File systems in a process that outlives the driver: it asks a {@link StagingService}. */
public final class RemoteStaging implements VolumeStaging {
    private static final long MOST_SECONDS = 120;

    private final NodeGrpc.NodeBlockingStub stager;

    /** @param channel to the stager */
    public RemoteStaging(Channel channel) {
        this.stager = NodeGrpc.newBlockingStub(channel);
    }

    @Override
    public void mount(CsiId volume, Path directory, MountFlags flags) throws IOException {
        VolumeCapability capability = VolumeCapability.newBuilder()
                .setMount(VolumeCapability.MountVolume.newBuilder().addAllMountFlags(flags.words()))
                .setAccessMode(VolumeCapability.AccessMode.newBuilder()
                        .setMode(VolumeCapability.AccessMode.Mode.MULTI_NODE_MULTI_WRITER))
                .build();
        NodeStageVolumeRequest request = NodeStageVolumeRequest.newBuilder()
                .setVolumeId(volume.toString())
                .setStagingTargetPath(directory.toString())
                .setVolumeCapability(capability)
                .build();
        try {
            NodeStageVolumeResponse unused =
                    stager.withDeadlineAfter(MOST_SECONDS, TimeUnit.SECONDS).nodeStageVolume(request);
        } catch (StatusRuntimeException e) {
            throw failure(e);
        }
    }

    @Override
    public void unmount(CsiId volume, Path directory) throws IOException {
        NodeUnstageVolumeRequest request = NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(volume.toString())
                .setStagingTargetPath(directory.toString())
                .build();
        try {
            NodeUnstageVolumeResponse unused =
                    stager.withDeadlineAfter(MOST_SECONDS, TimeUnit.SECONDS).nodeUnstageVolume(request);
        } catch (StatusRuntimeException e) {
            throw failure(e);
        }
    }

    private static IOException failure(StatusRuntimeException failure) {
        Status status = failure.getStatus();
        String message = Optional.ofNullable(status.getDescription()).orElse(failure.toString());
        if (status.getCode() == Status.Code.UNAVAILABLE || status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
            return new UnavailableException("the stager does not answer: " + message, failure);
        }
        return Arrays.stream(CsiRefusal.Reason.values())
                .filter(reason -> reason.name().equals(status.getCode().name()))
                .findFirst()
                .<IOException>map(reason -> new CsiRefusal(reason, message, failure))
                .orElseGet(() -> new IOException("the stager: " + message, failure));
    }
}
