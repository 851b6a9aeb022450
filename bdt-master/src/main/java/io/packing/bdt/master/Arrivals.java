// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.BdtOptions;
import io.packing.bdt.master.cloud.StoreIdentity;
import io.packing.bdt.master.cloud.TakeOvers;
import io.packing.bdt.master.log.BatchRecord;
import io.packing.bdt.master.rpc.FederationCalls;
import io.packing.bdt.master.rpc.OpenCall;
import io.packing.bdt.master.table.change.Counters;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tables of mounts that other groups send to this one. A table counts when the epoch of its mount says that this group has it; until
 * then it is only a copy. Thread-safe.
 */
final class Arrivals implements FederationCalls.Incoming {
    private static final Logger LOG = LoggerFactory.getLogger(Arrivals.class);
    /** Mounts that come at a time. */
    private static final int MOST = 16;
    /** A move of which nothing was heard for so long has ended. */
    private static final long ABANDONED_NANOS = 120_000_000_000L;

    private final MountOpener opener;
    private final MountTables tables;
    private final TakeOvers takeOvers;
    private final OpenMounts mounts;
    private final LongSupplier nanos;
    private final Map<String, Arrival> arrivals = new ConcurrentHashMap<>();

    Arrivals(MountOpener opener, MountTables tables, TakeOvers takeOvers, OpenMounts mounts, LongSupplier nanos) {
        this.opener = opener;
        this.tables = tables;
        this.takeOvers = takeOvers;
        this.mounts = mounts;
        this.nanos = nanos;
    }

    /** One that is under way. Its lock is held while a step is done. */
    private static final class Arrival {
        private final long token;
        private final Map<String, String> options;
        private long sequence = 1;
        private volatile long heard;

        private Arrival(long token, Map<String, String> options, long now) {
            this.heard = now;
            this.token = token;
            this.options = Map.copyOf(options);
        }
    }

    /** The action of a step. */
    private interface Action {
        void run() throws IOException;
    }

    @Override
    public synchronized byte[] begin(
            FederationCalls.Step step, Map<String, String> options, String identity, String encryptionKey)
            throws IOException {
        MountRequest request = opener.check(OpenCall.again(options));
        if (!request.id().equals(step.mount()) || step.sequence() != 1 || step.token() <= 0) {
            throw new IllegalArgumentException("a move of %s with options of %s".formatted(step.mount(), request.id()));
        }
        Arrival before = arrivals.get(step.mount());
        boolean again = before != null && before.token == step.token();
        if (mounts.isOpen(step.mount())) {
            throw new IllegalArgumentException("mount %s is open at this group".formatted(step.mount()));
        }
        if (!again) {
            long now = nanos.getAsLong();
            boolean unused = arrivals.values().removeIf(each -> now - each.heard > ABANDONED_NANOS);
            if (before == null && arrivals.size() >= MOST) {
                throw new IllegalArgumentException(
                        "%d mounts are being moved to this group; wait until some are there".formatted(MOST));
            }
            checkStore(request, identity);
            opener.checkKey(encryptionKey);
            tables.receive(step.mount(), step.token());
            arrivals.put(step.mount(), new Arrival(step.token(), options, now));
            LOG.info("mount {} is being moved to this group, number {}", step.mount(), step.token());
        }
        return takeOvers.offer(step.token()).encode();
    }

    private void checkStore(MountRequest request, String identity) throws IOException {
        Optional<String> here = opener.identity(request).map(StoreIdentity::id);
        if (!here.equals(Optional.of(identity))) {
            throw new IllegalArgumentException(
                    ("mount %s: the store that this group finds at %s has %s, and the group that has the mount knows it by"
                                    + " the identity %s. Both groups have to reach one store: check packing.s3.endpoint of the"
                                    + " mount, and %s of this group's masters")
                            .formatted(
                                    request.id(),
                                    request.address(),
                                    here.map(id -> "the identity " + id).orElse("no identity"),
                                    identity,
                                    StoreAccess.CREDENTIALS_FILE.key()));
        }
    }

    @Override
    public void rows(FederationCalls.Step step, byte[] rows) throws IOException {
        next(step, () -> tables.received(step.mount(), step.token(), decoded(rows)));
    }

    private static WriteBatch decoded(byte[] rows) {
        try {
            return BatchRecord.decode(rows).rows();
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("what came are no rows in the form of the log", e);
        }
    }

    @Override
    public void end(FederationCalls.Step step, long position, boolean complete) throws IOException {
        next(step, () -> {
            tables.receivedAll(step.mount(), step.token(), complete);
            if (complete) {
                checkPosition(step, position);
            }
        });
    }

    private void checkPosition(FederationCalls.Step step, long position) throws IOException {
        Optional<Long> here = tables.ofReceived(step.mount(), step.token(), Counters.KEY)
                .map(Counters::decode)
                .map(Counters::position);
        if (!here.equals(Optional.of(position))) {
            throw new IllegalArgumentException("mount %s: what came ends with change %s, and the last one is %d"
                    .formatted(step.mount(), here.map(String::valueOf).orElse("none"), position));
        }
    }

    @Override
    public void open(FederationCalls.Step step) throws IOException {
        next(step, () -> {
            Arrival arrival = arrivals.get(step.mount());
            if (arrival != null) {
                Mount opened = mounts.open(OpenCall.again(arrival.options));
                LOG.info("mount {} has arrived, and is open", opened.id());
            }
        });
        boolean unused = arrivals.remove(step.mount()) != null;
    }

    /** One step after the other; one that comes again was done. */
    private void next(FederationCalls.Step step, Action action) throws IOException {
        Arrival arrival = arrivals.get(step.mount());
        if (arrival == null || arrival.token != step.token()) {
            throw new IllegalArgumentException(
                    "mount %s: its move number %d is not known here any more; begin the move again"
                            .formatted(step.mount(), step.token()));
        }
        synchronized (arrival) {
            arrival.heard = nanos.getAsLong();
            if (step.sequence() == arrival.sequence) {
                return;
            }
            if (step.sequence() != arrival.sequence + 1) {
                throw new IllegalArgumentException("mount %s: step %d of its move after step %d"
                        .formatted(step.mount(), step.sequence(), arrival.sequence));
            }
            action.run();
            arrival.sequence = step.sequence();
        }
    }

    /** Receives nothing any more. */
    void close() {
        arrivals.clear();
        try {
            tables.stopReceiving();
        } catch (IOException e) {
            LOG.warn("a table that was received was not closed cleanly; the move is begun again", e);
        }
    }

    /** The options of a mount as they are sent to another group: it has keys of its own for the store. */
    static Map<String, String> sent(Map<String, String> options) {
        Map<String, String> without = new HashMap<>(options);
        without.put(BdtOptions.SEND_CREDENTIALS.key(), "false");
        return BdtOptions.sent(without);
    }
}
