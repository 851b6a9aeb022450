package io.packing.bdt.master.rpc;

import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.MountStatus;
import io.packing.bdt.rpc.BdtLimits;
import io.packing.bdt.rpc.MountsReply;
import io.packing.bdt.rpc.MountsRequest;
import io.packing.bdt.rpc.OperationsCodec;
import io.packing.bdt.rpc.OperationsGrpc;
import io.packing.bdt.rpc.StatusMapping;
import io.packing.transport.CheckedMessages;
import java.util.List;
import java.util.function.Supplier;

/** What operators ask about all mounts, over gRPC. Translates only. */
public final class OperationsService extends OperationsGrpc.OperationsImplBase {
    private final Supplier<List<MountStatus>> mounts;
    private final ServerInterceptor calls;

    /**
     * @param mounts how those are that are open
     * @param calls sees every call
     */
    public OperationsService(Supplier<List<MountStatus>> mounts, ServerInterceptor calls) {
        this.mounts = mounts;
        this.calls = calls;
    }

    ServerServiceDefinition service() {
        return CheckedMessages.around(
                ServerInterceptors.intercept(this, calls), BdtLimits.LIMITS, StatusMapping::toStatus);
    }

    @Override
    public void mounts(MountsRequest request, StreamObserver<MountsReply> to) {
        MountsReply reply;
        try {
            reply = MountsReply.newBuilder()
                    .addAllMounts(
                            mounts.get().stream().map(OperationsCodec::encode).toList())
                    .build();
        } catch (RuntimeException e) {
            to.onError(StatusMapping.toStatus(e));
            return;
        }
        to.onNext(reply);
        to.onCompleted();
    }
}
