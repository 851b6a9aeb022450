package io.packing.bdt.client;

import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.stub.AbstractBlockingStub;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.StatusMapping;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The connection to the master, which may be at any of several addresses: to the one that answered last, and to the next
 * after one that did not. Unary calls with retry, outside of whatever call the caller is serving. Thread-safe.
 */
final class MasterChannel {
    /** One attempt ends after this even when the retry goes on, so that a half-dead connection is given up. */
    private static final Duration ATTEMPT = Duration.ofSeconds(30);

    private final List<ManagedChannel> channels;
    private final AtomicInteger current = new AtomicInteger();
    private final Retry retry;

    /** @param channels at least one, each to an address where the master may be */
    MasterChannel(List<ManagedChannel> channels, Retry retry) {
        this.channels = List.copyOf(channels);
        this.retry = retry;
    }

    <T> T call(String what, Function<BdtGrpc.BdtBlockingStub, T> call) throws IOException {
        return call(what, BdtGrpc::newBlockingStub, call);
    }

    /** @param service makes a stub of one of the master's services */
    <S extends AbstractBlockingStub<S>, T> T call(String what, Function<Channel, S> service, Function<S, T> call)
            throws IOException {
        return retry.call(what, left -> once(left, service, call));
    }

    Retry retry() {
        return retry;
    }

    BdtGrpc.BdtStub async() {
        return BdtGrpc.newStub(channels.get(current.get()));
    }

    /** No master serves at this channel: whoever comes next tries the one after it, at once. */
    void unavailable(Channel at) {
        int failed = channels.indexOf(at);
        // Only once, when many calls fail together: the next one may be the right one.
        boolean moved = current.compareAndSet(failed, (failed + 1) % channels.size());
        if (moved) {
            reconnect();
        }
    }

    /** Lets the next attempt connect at once instead of after the channel's own backoff. */
    void reconnect() {
        channels.get(current.get()).resetConnectBackoff();
    }

    void close() {
        channels.forEach(ManagedChannel::shutdownNow);
    }

    private <S extends AbstractBlockingStub<S>, T> T once(
            Duration left, Function<Channel, S> service, Function<S, T> call) throws IOException {
        Duration limit = left.compareTo(ATTEMPT) < 0 ? left : ATTEMPT;
        ManagedChannel channel = channels.get(current.get());
        // The caller may itself serve an RPC whose end must not cancel this call: facts of gRPC's Context.
        Context before = Context.ROOT.attach();
        try {
            return call.apply(service.apply(channel).withDeadlineAfter(limit.toMillis() + 1, TimeUnit.MILLISECONDS));
        } catch (RuntimeException e) {
            Exception failure = StatusMapping.toException(e);
            if (failure instanceof UnavailableException) {
                unavailable(channel);
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
