// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.Departure;
import io.packing.bdt.Evacuation;
import io.packing.bdt.MountStatus;
import io.packing.bdt.rpc.AcceptReply;
import io.packing.bdt.rpc.AcceptRequest;
import io.packing.bdt.rpc.BdtLimits;
import io.packing.bdt.rpc.DrainReply;
import io.packing.bdt.rpc.DrainRequest;
import io.packing.bdt.rpc.EvacuateReply;
import io.packing.bdt.rpc.EvacuateRequest;
import io.packing.bdt.rpc.HomesCodec;
import io.packing.bdt.rpc.MountsReply;
import io.packing.bdt.rpc.MountsRequest;
import io.packing.bdt.rpc.OperationsCodec;
import io.packing.bdt.rpc.OperationsGrpc;
import io.packing.bdt.rpc.StatusMapping;
import io.packing.transport.CheckedMessages;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** The operators' calls about all mounts, over gRPC. Translates only. */
public final class OperationsService extends OperationsGrpc.OperationsImplBase {
    private final Supplier<List<MountStatus>> mounts;
    private final Function<String, List<Departure>> drain;
    private final Acceptance accept;
    private final Evacuating evacuating;
    private final ServerInterceptor calls;

    /** Begins to bring the blobs of a mount to another store, or back. */
    public interface Evacuating {
        /**
         * Returns the progress.
         *
         * @param to options that lead to the store; with {@code back} there are none
         */
        Evacuation evacuate(String mount, Map<String, String> to, boolean back, long bytesPerSecond) throws IOException;
    }

    /** Goes on with a mount without what a recovery could not read, and returns what that was. */
    public interface Acceptance {
        /**
         * Does it.
         *
         * @param mount its name, or where its store is
         */
        List<String> accept(String mount) throws IOException;
    }

    /**
     * @param mounts how those are that are open
     * @param drain tells a worker to leave
     * @param accept goes on with a mount
     * @param evacuating brings blobs to another store
     * @param calls sees every call
     */
    public OperationsService(
            Supplier<List<MountStatus>> mounts,
            Function<String, List<Departure>> drain,
            Acceptance accept,
            Evacuating evacuating,
            ServerInterceptor calls) {
        this.evacuating = evacuating;
        this.accept = accept;
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

    @Override
    public void accept(AcceptRequest request, StreamObserver<AcceptReply> to) {
        answer(
                to,
                () -> AcceptReply.newBuilder()
                        .addAllUnread(accept.accept(request.getMount()))
                        .build());
    }

    @Override
    public void evacuate(EvacuateRequest request, StreamObserver<EvacuateReply> to) {
        answer(
                to,
                () -> EvacuateReply.newBuilder()
                        .setEvacuation(HomesCodec.encode(evacuating.evacuate(
                                request.getMount(),
                                request.getToMap(),
                                request.getAbort(),
                                request.getBytesPerSecond())))
                        .build());
    }

    private interface Call<T> {
        T reply() throws IOException;
    }

    private static <T> void answer(StreamObserver<T> to, Call<T> call) {
        T reply;
        try {
            reply = call.reply();
        } catch (IOException | RuntimeException e) {
            to.onError(StatusMapping.toStatus(e));
            return;
        }
        to.onNext(reply);
        to.onCompleted();
    }
}
