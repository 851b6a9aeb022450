package io.packing.bdt.client;

import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.stub.AbstractBlockingStub;
import io.packing.bdt.NotLeaderException;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.StatusMapping;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The connection to the master, which may be at any of several addresses: to the one that answered last, to the one that another
 * one named, and to the next after one that did not answer. Unary calls with retry, outside of whatever call the caller is
 * serving. Thread-safe.
 */
final class MasterChannel {
    /** One attempt ends after this even when the retry goes on, so that a half-dead connection is given up. */
    private static final Duration ATTEMPT = Duration.ofSeconds(30);

    /** Masters name others that the caller did not; no group has so many. */
    private static final int MOST_ADDRESSES = 16;

    /** What connects to an address. */
    interface Opener {
        ManagedChannel open(String address);
    }

    private final List<String> addresses;
    private final List<ManagedChannel> channels = new CopyOnWriteArrayList<>();
    private final AtomicInteger current = new AtomicInteger();
    private final Opener opener;
    private final Retry retry;
    private boolean closed;

    /** @param addresses at least one, where the master may be */
    MasterChannel(List<String> addresses, Opener opener, Retry retry) {
        this.addresses = new CopyOnWriteArrayList<>(addresses);
        this.opener = opener;
        this.retry = retry;
        addresses.forEach(address -> channels.add(opener.open(address)));
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

    /** The master at this channel does not answer: whoever comes next tries the one that it names, or the one after it, at once. */
    void unavailable(Channel at, UnavailableException why) {
        if (!(why instanceof NotLeaderException other)
                || other.leader().isEmpty()
                || !follow(at, other.leader().get())) {
            unavailable(at);
        }
    }

    /** Goes to a master that another one named; returns whether that is possible. */
    private synchronized boolean follow(Channel from, String leader) {
        int before = channels.indexOf(from);
        int named = addresses.indexOf(leader);
        if (named == before || closed) {
            return false;
        }
        if (named < 0) {
            if (addresses.size() >= MOST_ADDRESSES || !GrpcBdts.isAddress(leader)) {
                return false;
            }
            channels.add(opener.open(leader));
            addresses.add(leader);
            named = addresses.size() - 1;
        }
        // Only once, when many calls are refused together: by then another one may have gone on.
        if (current.compareAndSet(before, named)) {
            reconnect();
        }
        return true;
    }

    private void unavailable(Channel at) {
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

    synchronized void close() {
        closed = true;
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
            if (failure instanceof UnavailableException away) {
                unavailable(channel, away);
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
