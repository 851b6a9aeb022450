package io.packing.bdt.master.rpc;

import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.Departure;
import io.packing.bdt.MountStatus;
import io.packing.bdt.rpc.BdtLimits;
import io.packing.bdt.rpc.DrainReply;
import io.packing.bdt.rpc.DrainRequest;
import io.packing.bdt.rpc.MountsReply;
import io.packing.bdt.rpc.MountsRequest;
import io.packing.bdt.rpc.OperationsCodec;
import io.packing.bdt.rpc.OperationsGrpc;
import io.packing.bdt.rpc.StatusMapping;
import io.packing.transport.CheckedMessages;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** What operators ask about all mounts, over gRPC. Translates only. */
public final class OperationsService extends OperationsGrpc.OperationsImplBase {
    private final Supplier<List<MountStatus>> mounts;
    private final Function<String, List<Departure>> drain;
    private final ServerInterceptor calls;

    /**
     * @param mounts how those are that are open
     * @param drain tells a worker to leave
     * @param calls sees every call
     */
    public OperationsService(
            Supplier<List<MountStatus>> mounts, Function<String, List<Departure>> drain, ServerInterceptor calls) {
        this.drain = drain;
        this.mounts = mounts;
        this.calls = calls;
    }

    ServerServiceDefinition service() {
        return CheckedMessages.around(
                ServerInterceptors.intercept(this, calls), BdtLimits.LIMITS, StatusMapping::toStatus);
    }

    @Override
    public void mounts(MountsRequest request, StreamObserver<MountsReply> to) {
        answer(
                to,
                () -> MountsReply.newBuilder()
                        .addAllMounts(mounts.get().stream()
                                .map(OperationsCodec::encode)
                                .toList())
                        .build());
    }

    @Override
    public void drain(DrainRequest request, StreamObserver<DrainReply> to) {
        answer(
                to,
                () -> DrainReply.newBuilder()
                        .addAllDepartures(drain.apply(request.getWorker()).stream()
                                .map(OperationsCodec::encode)
                                .toList())
                        .build());
    }

    private static <T> void answer(StreamObserver<T> to, Supplier<T> call) {
        T reply;
        try {
            reply = call.get();
        } catch (RuntimeException e) {
            to.onError(StatusMapping.toStatus(e));
            return;
        }
        to.onNext(reply);
        to.onCompleted();
    }
}
