// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.rpc;

import com.google.protobuf.BoolValue;
import io.grpc.stub.StreamObserver;
import io.packing.blob.FilePath;
import io.packing.csi.rpc.v1.GetPluginCapabilitiesRequest;
import io.packing.csi.rpc.v1.GetPluginCapabilitiesResponse;
import io.packing.csi.rpc.v1.GetPluginInfoRequest;
import io.packing.csi.rpc.v1.GetPluginInfoResponse;
import io.packing.csi.rpc.v1.IdentityGrpc;
import io.packing.csi.rpc.v1.PluginCapability;
import io.packing.csi.rpc.v1.PluginCapability.Service;
import io.packing.csi.rpc.v1.PluginCapability.VolumeExpansion;
import io.packing.csi.rpc.v1.ProbeRequest;
import io.packing.csi.rpc.v1.ProbeResponse;
import io.packing.csi.volume.MountSource;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The service with the name of the driver and its state. */
public final class IdentityService extends IdentityGrpc.IdentityImplBase {
    private static final Logger LOG = LoggerFactory.getLogger(IdentityService.class);

    private final String name;
    private final String version;
    private final boolean isController;
    private final MountSource mount;

    public IdentityService(String name, String version, boolean isController, MountSource mount) {
        this.name = name;
        this.version = version;
        this.isController = isController;
        this.mount = mount;
    }

    @Override
    public void getPluginInfo(GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> to) {
        CsiAnswers.answer(
                to,
                "GetPluginInfo",
                name,
                () -> GetPluginInfoResponse.newBuilder()
                        .setName(name)
                        .setVendorVersion(version)
                        .build());
    }

    @Override
    public void getPluginCapabilities(
            GetPluginCapabilitiesRequest request, StreamObserver<GetPluginCapabilitiesResponse> to) {
        CsiAnswers.answer(to, "GetPluginCapabilities", name, () -> {
            GetPluginCapabilitiesResponse.Builder all = GetPluginCapabilitiesResponse.newBuilder();
            if (isController) {
                all.addCapabilities(service(Service.Type.CONTROLLER_SERVICE))
                        .addCapabilities(service(Service.Type.GROUP_CONTROLLER_SERVICE))
                        .addCapabilities(PluginCapability.newBuilder()
                                .setVolumeExpansion(VolumeExpansion.newBuilder().setType(VolumeExpansion.Type.ONLINE)));
            }
            return all.build();
        });
    }

    private static PluginCapability service(Service.Type type) {
        return PluginCapability.newBuilder()
                .setService(Service.newBuilder().setType(type))
                .build();
    }

    /** Answers that the driver is not ready while no master answers. */
    @Override
    public void probe(ProbeRequest request, StreamObserver<ProbeResponse> to) {
        CsiAnswers.answer(
                to,
                "Probe",
                name,
                () -> ProbeResponse.newBuilder()
                        .setReady(BoolValue.of(isReady()))
                        .build());
    }

    private boolean isReady() {
        try {
            return mount.bdt().stat(FilePath.ROOT).isPresent();
        } catch (IOException | RuntimeException e) {
            LOG.warn("the mount does not answer: {}", e.getMessage());
            return false;
        }
    }
}
