package io.packing.bdt.client;

import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.StatusMapping;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The connection to one master: unary calls with retry, outside of whatever call the caller is serving. */
final class MasterChannel {
    /** One attempt ends after this even when the retry goes on, so that a half-dead connection is given up. */
    private static final Duration ATTEMPT = Duration.ofSeconds(30);

    private final ManagedChannel channel;
    private final Retry retry;

    MasterChannel(ManagedChannel channel, Retry retry) {
        this.channel = channel;
        this.retry = retry;
    }

    <T> T call(String what, Function<BdtGrpc.BdtBlockingStub, T> call) throws IOException {
        return retry.call(what, left -> once(left, call));
    }

    Retry retry() {
        return retry;
    }

    BdtGrpc.BdtStub async() {
        return BdtGrpc.newStub(channel);
    }

    /** Lets the next attempt connect at once instead of after the channel's own backoff. */
    void reconnect() {
        channel.resetConnectBackoff();
    }

    void close() {
        channel.shutdownNow();
    }

    private <T> T once(Duration left, Function<BdtGrpc.BdtBlockingStub, T> call) throws IOException {
        Duration limit = left.compareTo(ATTEMPT) < 0 ? left : ATTEMPT;
        // The caller may itself serve an RPC whose end must not cancel this call: facts of gRPC's Context.
        Context before = Context.ROOT.attach();
        try {
            return call.apply(
                    BdtGrpc.newBlockingStub(channel).withDeadlineAfter(limit.toMillis() + 1, TimeUnit.MILLISECONDS));
        } catch (RuntimeException e) {
            Exception failure = StatusMapping.toException(e);
            if (failure instanceof UnavailableException) {
                channel.resetConnectBackoff();
            }
            if (failure instanceof RuntimeException runtime) {
                throw runtime;
            }
            throw failure instanceof IOException io ? io : new IOException(failure);
        } finally {
            Context.ROOT.detach(before);
        }
    }
}
