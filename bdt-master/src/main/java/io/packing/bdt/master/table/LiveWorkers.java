// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import io.packing.bdt.Departure;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.SessionExpiredException;
import io.packing.bdt.StoreRequests;
import io.packing.bdt.WorkerInfo;
import io.packing.bdt.master.table.change.DroppedFiles;
import io.packing.bdt.master.table.row.SessionRow;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers that were heard of lately, and the files that they may forget. Only in memory: a master that restarts learns it again
 * from the next heartbeats, and bytes that a worker was not told to forget are at worst pushed for nothing. Thread-safe.
 */
public final class LiveWorkers {
    private static final Logger LOG = LoggerFactory.getLogger(LiveWorkers.class);

    public static final Duration USUAL_LEASE = Duration.ofSeconds(10);
    /** Orders that wait for one worker; with more of them it has to register again, and to name its files. */
    private static final int MOST_ORDERS = 100_000;

    private static final int ORDERS_PER_REPLY = 10_000;

    private record Seen(WorkerInfo info, long nanos) {}

    private final Duration lease;
    private final LongSupplier nanoClock;
    private final long startNanos;
    private final Map<String, Seen> seen = new ConcurrentHashMap<>();
    private final Map<String, DropOrders> orders = new ConcurrentHashMap<>();
    private final WorkerRequests requests = new WorkerRequests();
    private final Set<String> sealing = ConcurrentHashMap.newKeySet();
    /** Workers that have the order to leave, as they were heard of last, until they begin anew. */
    private final Map<String, Leaving> leaving = new ConcurrentHashMap<>();

    private record Leaving(WorkerInfo last, boolean left) {}

    private volatile long lastHeardNanos;

    /** @param lease for how long a worker counts as alive after it was heard of */
    LiveWorkers(Duration lease, LongSupplier nanoClock) {
        this.lease = lease;
        this.nanoClock = nanoClock;
        this.startNanos = nanoClock.getAsLong();
        this.lastHeardNanos = startNanos;
    }

    Duration lease() {
        return lease;
    }

    /**
     * Checks whether a worker can still be told all that it may forget.
     *
     * @throws SessionExpiredException when too many orders waited for it
     */
    void checkOrders(String worker) throws SessionExpiredException {
        if (ordersOf(worker).haveOverflowed()) {
            throw new SessionExpiredException(
                    "worker %s was not heard of while more than %,d of its files ended; register again and reclaim"
                            .formatted(worker, MOST_ORDERS));
        }
    }

    /** Learns from a heartbeat, and says what the worker is to do. */
    HeartbeatReply answer(SessionRow session, Heartbeat heartbeat) {
        String worker = session.worker();
        WorkerInfo info = new WorkerInfo(
                worker,
                session.address(),
                session.sessionEpoch(),
                heartbeat.bufferedFiles(),
                heartbeat.bufferedBytes(),
                heartbeat.activity());
        switch (heartbeat.presence()) {
            case STAYS -> heard(info);
            case LEAVES -> heardLeaving(info);
            case LEFT -> left(info);
        }
        DropOrders.Numbered forget = ordersOf(worker).next(heartbeat.followed(), ORDERS_PER_REPLY);
        return new HeartbeatReply(
                        lease,
                        takeSealNow(worker),
                        isLeaving(worker),
                        ids(forget.orders().stream()),
                        ids(forget.orders().stream().filter(DroppedFiles.Order::deleted)))
                .numbered(forget.last());
    }

    void heard(WorkerInfo info) {
        lastHeardNanos = nanoClock.getAsLong();
        seen.put(info.worker(), new Seen(info, lastHeardNanos));
        requests.heard(info);
        leaving.computeIfPresent(info.worker(), (worker, before) -> new Leaving(info, false));
    }

    /** A worker was heard of that leaves, perhaps because a master of before told it to. */
    void heardLeaving(WorkerInfo info) {
        leaving.putIfAbsent(info.worker(), new Leaving(info, false));
        heard(info);
    }

    /** A worker was heard of for the last time: it holds nothing any more. */
    void left(WorkerInfo info) {
        requests.heard(info);
        // Before it is not seen any more: else a caller that asks meanwhile would take it for one that is gone.
        leaving.computeIfPresent(info.worker(), (worker, before) -> new Leaving(info, true));
        seen.remove(info.worker());
        sealing.remove(info.worker());
        LOG.info("worker {} at {} has left", info.worker(), info.address());
    }

    /** Orders a worker that is alive to leave; returns how far a worker with this order is; empty: there is no such worker. */
    Optional<Departure.State> drain(String worker) {
        Optional<WorkerInfo> alive =
                live().stream().filter(info -> info.worker().equals(worker)).findFirst();
        if (alive.isPresent()) {
            leaving.putIfAbsent(worker, new Leaving(alive.get(), false));
            return Optional.of(Departure.State.LEAVING);
        }
        return Optional.ofNullable(leaving.get(worker))
                .map(told -> told.left() ? Departure.State.LEFT : Departure.State.GONE);
    }

    /** Returns the last heartbeat of a worker that has the order to leave. */
    Optional<WorkerInfo> leaving(String worker) {
        return Optional.ofNullable(leaving.get(worker)).map(Leaving::last);
    }

    boolean isLeaving(String worker) {
        return leaving.containsKey(worker);
    }

    /** Returns the requests of workers to the store since this master began. */
    StoreRequests requests() {
        return requests.total();
    }

    /**
     * A session of a worker begins; returns what takes that back, as long as nothing else was heard of the worker.
     *
     * @param first true if the table has never had a session of this worker
     */
    Runnable registered(WorkerInfo info, boolean first) {
        if (first) {
            requests.begins(info.worker());
        }
        lastHeardNanos = nanoClock.getAsLong();
        Seen now = new Seen(info, lastHeardNanos);
        Optional<Seen> before = Optional.ofNullable(seen.put(info.worker(), now));
        Optional<Leaving> told = Optional.ofNullable(leaving.remove(info.worker()));
        Optional<DropOrders> ordered = Optional.ofNullable(orders.remove(info.worker()));
        return () -> {
            ordered.ifPresent(each -> orders.putIfAbsent(info.worker(), each));
            told.ifPresent(order -> leaving.putIfAbsent(info.worker(), order));
            boolean taken = before.isPresent()
                    ? seen.replace(info.worker(), now, before.get())
                    : seen.remove(info.worker(), now);
            LOG.debug("the registration of {} was not written; forgotten: {}", info.worker(), taken);
        };
    }

    List<WorkerInfo> live() {
        long now = nanoClock.getAsLong();
        return seen.values().stream()
                .filter(worker -> now - worker.nanos < lease.toNanos())
                .map(Seen::info)
                .map(info -> isLeaving(info.worker()) ? info.asLeaving() : info)
                .sorted(Comparator.comparing(WorkerInfo::worker))
                .toList();
    }

    /** Returns for how long no worker was heard of, at most since the master opened the mount. */
    Duration silence() {
        return Duration.ofNanos(nanoClock.getAsLong() - lastHeardNanos);
    }

    /** Returns for how long a worker with a session still counts as alive; zero: it does not. */
    Duration leaseLeft(String worker) {
        Seen last = seen.get(worker);
        // Of one that was not heard of yet, the master that ran before may have heard just before it ended.
        long heard = last == null ? startNanos : last.nanos;
        return Duration.ofNanos(Math.max(0, lease.toNanos() - (nanoClock.getAsLong() - heard)));
    }

    /** Returns whether a worker with a session was not heard of since the master started. */
    boolean isPresumed(String worker) {
        return !seen.containsKey(worker);
    }

    void drop(DroppedFiles.Order order) {
        if (!ordersOf(order.worker()).add(order)) {
            LOG.debug("worker {} is not told to forget file {}: too many orders wait", order.worker(), order.fileId());
        }
    }

    private DropOrders ordersOf(String worker) {
        return orders.computeIfAbsent(worker, missing -> new DropOrders(MOST_ORDERS));
    }

    /** Orders every live worker once to seal the files that it buffers. */
    void sealNow() {
        live().forEach(worker -> sealing.add(worker.worker()));
    }

    boolean takeSealNow(String worker) {
        return sealing.remove(worker);
    }

    private static List<Long> ids(Stream<DroppedFiles.Order> orders) {
        return orders.map(DroppedFiles.Order::fileId).toList();
    }
}
