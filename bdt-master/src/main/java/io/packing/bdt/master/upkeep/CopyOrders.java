// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import io.packing.bdt.CopyOrder;
import io.packing.bdt.CopyReport;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.master.table.WorkerOrders;
import io.packing.blob.BlobName;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The order to copy live bytes that a worker of the mount has, one at a time (RFC 0032). It is in memory only: after a restart of the master no reply
 * has an order, and so the worker drops the one that it has. Thread-safe.
 */
public final class CopyOrders implements WorkerOrders {
    /** Time without a heartbeat after which a worker gets no order, and loses the one that it has. */
    static final Duration SILENCE = Duration.ofSeconds(30);
    /** The time after which the master drops an order that no worker has ended. */
    static final Duration LONGEST = Duration.ofMinutes(15);

    /**
     * The state of an order.
     *
     * @param worker that has it; empty: none yet
     * @param report the worker's last one
     * @param row the row of the blob that the worker has made
     * @param late true if the worker is silent, or the order has taken too long
     */
    record State(CopyOrder order, String worker, CopyReport report, Optional<Row> row, boolean late) {}

    /** The row of a new blob. */
    record Row(BlobName name, long number) {}

    private final LongSupplier nanoClock;
    /** The times at which workers were heard of that take orders. */
    private final Map<String, Long> takers = new HashMap<>();

    private Optional<CopyOrder> order = Optional.empty();
    private String worker = "";
    private boolean known;
    private CopyReport report = CopyReport.NONE;
    private Optional<Row> row = Optional.empty();
    private long since;
    /** The worker that gave up the last order: another one gets the next, if there is one. */
    private String failed = "";

    public CopyOrders(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    @Override
    public synchronized void admit(String from, Heartbeat heartbeat) {
        if (heartbeat.copy().isEmpty() || heartbeat.presence() != Heartbeat.Presence.STAYS) {
            Long unused = takers.remove(from);
            return;
        }
        takers.put(from, nanoClock.getAsLong());
        if (order.isEmpty() || !worker.equals(from)) {
            return;
        }
        CopyReport told = heartbeat.copy().get();
        known = told.number() == order.get().number();
        if (known) {
            report = told;
        } else {
            // It never had the order, or has begun anew since.
            report = CopyReport.NONE;
            row = Optional.empty();
        }
    }

    @Override
    public synchronized HeartbeatReply tell(String to, HeartbeatReply reply) {
        if (order.isPresent() && worker.isEmpty() && takers.containsKey(to) && (!to.equals(failed) || isAlone(to))) {
            worker = to;
            since = nanoClock.getAsLong();
        }
        if (order.isEmpty() || !worker.equals(to)) {
            return reply;
        }
        CopyOrder told = mayPush() ? order.get().mayPush() : order.get();
        return reply.copying(known ? told.withoutSources() : told);
    }

    private boolean isAlone(String taker) {
        return takers.entrySet().stream().noneMatch(each -> !each.getKey().equals(taker) && isRecent(each.getValue()));
    }

    private boolean isRecent(long nanos) {
        return nanoClock.getAsLong() - nanos < SILENCE.toNanos();
    }

    /** Returns true if the table has a row for the blob that the worker has made. */
    private boolean mayPush() {
        Optional<BlobName> made = report.blob().map(PushedBlob::name);
        return made.isPresent() && made.equals(row.map(Row::name));
    }

    /** Returns true if a worker takes orders. */
    synchronized boolean hasTaker() {
        return takers.values().stream().anyMatch(this::isRecent);
    }

    /** Gives an order to the next worker that takes it. */
    synchronized void give(CopyOrder next) {
        order = Optional.of(next);
        worker = "";
        known = false;
        report = CopyReport.NONE;
        row = Optional.empty();
        since = nanoClock.getAsLong();
    }

    /** Returns the state of the order; empty: there is none. */
    synchronized Optional<State> state() {
        if (order.isEmpty()) {
            return Optional.empty();
        }
        Long heard = takers.get(worker);
        long now = nanoClock.getAsLong();
        boolean late = worker.isEmpty()
                ? now - since >= SILENCE.toNanos()
                : heard == null || !isRecent(heard) || now - since >= LONGEST.toNanos();
        return Optional.of(new State(order.get(), worker, report, row, late));
    }

    /** Learns that the table has a row for a blob. */
    synchronized void hasRow(Row of) {
        row = Optional.of(of);
    }

    /** Returns true for a blob that a worker pushes, and that no file has yet. */
    synchronized boolean isMade(BlobName blob) {
        return row.filter(each -> each.name().equals(blob)).isPresent();
    }

    /** Ends the order. */
    synchronized void end() {
        failed = "";
        forget();
    }

    /** Ends the order, which the worker could not carry out. */
    synchronized void fail() {
        failed = worker;
        forget();
    }

    private void forget() {
        order = Optional.empty();
        worker = "";
        known = false;
        report = CopyReport.NONE;
        row = Optional.empty();
    }
}
