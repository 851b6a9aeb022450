// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.client;

import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.stub.AbstractBlockingStub;
import io.packing.bdt.BusyException;
import io.packing.bdt.MovedException;
import io.packing.bdt.NotLeaderException;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.PathRequest;
import io.packing.bdt.rpc.StatReply;
import io.packing.bdt.rpc.StatusMapping;
import io.packing.transport.SilenceDetector;
import io.packing.transport.SilentServerWatch;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to the master at one of several addresses: the last that answered, one that another master named, or
 * the next after a failure. The client leaves a silent master that owes an answer when another one names a new leader.
 * Unary calls run with retry, outside of the call that the caller serves. Thread-safe.
 */
final class MasterChannel {
    private static final Logger LOG = LoggerFactory.getLogger(MasterChannel.class);

    /**
     * The longest time of one attempt, even when the retry goes on, so that the client gives up a half-dead connection.
     */
    private static final Duration ATTEMPT = Duration.ofSeconds(30);

    /** The most addresses, since masters may name further ones; no group has so many. */
    private static final int MOST_ADDRESSES = 16;

    /** The silence after which a master may have lost the lead, if another one names a leader. */
    private static final Duration SILENCE = Duration.ofSeconds(1);

    /** The time that other masters have to name the leader. */
    private static final Duration QUESTION = Duration.ofSeconds(1);

    /** The factory of connections to an address. */
    interface Opener {
        ManagedChannel open(String address);
    }

    /**
     * The channel to an address.
     *
     * @param calls the channel with the watch on its calls
     */
    private record WatchedChannel(String address, ManagedChannel channel, Channel calls, SilenceDetector silence) {}

    private final List<WatchedChannel> ways = new CopyOnWriteArrayList<>();
    private final AtomicInteger current = new AtomicInteger();
    private final Opener opener;
    private final Retry retry;
    private final SilentServerWatch watch;
    private boolean closed;

    /**
     * @param addresses of the master, at least one
     * @param watch finds silent masters
     */
    MasterChannel(List<String> addresses, Opener opener, Retry retry, SilentServerWatch watch) {
        this.opener = opener;
        this.retry = retry;
        this.watch = watch;
        addresses.forEach(address -> ways.add(way(address)));
        watch.add(this::leaveSilent);
    }

    private WatchedChannel way(String address) {
        ManagedChannel channel = opener.open(address);
        SilenceDetector silence = watch.silence();
        return new WatchedChannel(address, channel, ClientInterceptors.intercept(channel, silence), silence);
    }

    private int place(Predicate<WatchedChannel> wanted) {
        for (int i = 0; i < ways.size(); i++) {
            if (wanted.test(ways.get(i))) {
                return i;
            }
        }
        return -1;
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
        return BdtGrpc.newStub(ways.get(current.get()).calls);
    }

    /**
     * Notes that the master at this channel does not answer: the next call tries the one that it names, or the one
     * after it, at once.
     */
    void unavailable(Channel at, UnavailableException why) {
        if (why instanceof MovedException) {
            // This master is the right one of its group.
            return;
        }
        if (why instanceof NotLeaderException) {
            retry.ofGroup();
        }
        if (!(why instanceof NotLeaderException other)
                || other.leader().isEmpty()
                || !follow(at, other.leader().get())) {
            unavailable(at);
        }
    }

    /** Goes to a master that another one named; returns true if that is possible. */
    private synchronized boolean follow(Channel from, String leader) {
        int before = place(way -> way.calls == from);
        int named = named(leader);
        if (named < 0 || named == before) {
            return false;
        }
        // Do so once, when many calls are refused together: by then another one may have gone on.
        if (current.compareAndSet(before, named)) {
            reconnect();
        }
        return true;
    }

    /** Returns the index of a master that another one named; -1: it cannot be added. */
    private synchronized int named(String leader) {
        int named = place(way -> way.address.equals(leader));
        if (named >= 0 || closed || ways.size() >= MOST_ADDRESSES || !MasterAddresses.isAddress(leader)) {
            return closed ? -1 : named;
        }
        ways.add(way(leader));
        return ways.size() - 1;
    }

    /** Leaves a silent master if another one names a third one as the leader, which then gets all waiting calls. */
    private void leaveSilent() {
        WatchedChannel silent = ways.get(current.get());
        if (ways.size() == 1 || !silent.silence.isLongerThan(SILENCE)) {
            return;
        }
        for (WatchedChannel other : ways) {
            Optional<String> leader = other.equals(silent) ? Optional.empty() : leader(other);
            if (leader.isPresent() && !leader.get().equals(silent.address)) {
                leave(silent, leader.get());
                return;
            }
        }
    }

    /** Returns the leader that a follower names. */
    private static Optional<String> leader(WatchedChannel way) {
        try {
            StatReply unused = BdtGrpc.newBlockingStub(way.channel)
                    .withDeadlineAfter(QUESTION.toMillis(), TimeUnit.MILLISECONDS)
                    .stat(PathRequest.getDefaultInstance());
            return Optional.empty();
        } catch (RuntimeException e) {
            // A leader has no mount without a name, so only a follower names another one.
            return StatusMapping.toException(e) instanceof NotLeaderException other ? other.leader() : Optional.empty();
        }
    }

    private synchronized void leave(WatchedChannel silent, String leader) {
        int at = place(way -> way.equals(silent));
        int named = named(leader);
        if (at < 0 || named < 0 || !current.compareAndSet(at, named)) {
            return;
        }
        LOG.info("the BDT master at {} says nothing; {} leads now", silent.address, leader);
        WatchedChannel unused = ways.set(at, way(silent.address));
        reconnect();
        silent.channel.shutdownNow();
    }

    private void unavailable(Channel at) {
        int failed = place(way -> way.calls == at);
        // Do so once, when many calls fail together: the next one may be the right one.
        boolean moved = current.compareAndSet(failed, (failed + 1) % ways.size());
        if (moved) {
            reconnect();
        }
    }

    /** Lets the next attempt connect at once instead of after the channel's own backoff. */
    void reconnect() {
        ways.get(current.get()).channel.resetConnectBackoff();
    }

    synchronized void close() {
        closed = true;
        ways.forEach(way -> way.channel.shutdownNow());
    }

    private <S extends AbstractBlockingStub<S>, T> T once(
            Duration left, Function<Channel, S> service, Function<S, T> call) throws IOException {
        Duration limit = left.compareTo(ATTEMPT) < 0 ? left : ATTEMPT;
        Channel channel = ways.get(current.get()).calls;
        // The caller may itself serve an RPC, and by gRPC's Context its end would cancel this call.
        Context before = Context.ROOT.attach();
        try {
            return call.apply(service.apply(channel).withDeadlineAfter(limit.toMillis() + 1, TimeUnit.MILLISECONDS));
        } catch (RuntimeException e) {
            Exception failure = StatusMapping.toException(e);
            if (failure instanceof UnavailableException away && !(away instanceof BusyException)) {
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
