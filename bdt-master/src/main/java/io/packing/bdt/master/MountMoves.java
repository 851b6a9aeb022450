// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import com.google.common.util.concurrent.Uninterruptibles;
import io.packing.bdt.MountEntry;
import io.packing.bdt.MoveProgress;
import io.packing.bdt.MovedException;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.rpc.FederationCalls;
import io.packing.bdt.master.spread.MountTable;
import io.packing.bdt.master.table.Clocks;
import io.packing.store.StoreAddress;
import io.packing.store.StoreOptions;
import io.packing.transport.Security;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The table of mounts, where this group has it, and the moves of mounts from and to this group. Thread-safe. */
final class MountMoves implements FederationCalls, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MountMoves.class);
    /** For how long a master of another group is asked again. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final long STOP_MILLIS = 2_000;

    private final OpenMounts mounts;
    private final MountOpener opener;
    private final Admission admission;
    private final Optional<MountTable> table;
    private final Arrivals arrivals;
    private final Security security;
    private final Clocks clocks;
    private final MoveCounts counts;
    private final Map<String, Moving> moves = new ConcurrentHashMap<>();
    private volatile Consumer<MountMove.Point> points = point -> {};

    private record Moving(MountMove move, Thread thread) {}

    /** @param table of mounts; empty: another group has it */
    MountMoves(
            OpenMounts mounts,
            MountOpener opener,
            Admission admission,
            Optional<MountTable> table,
            Arrivals arrivals,
            Security security,
            Clocks clocks,
            MoveCounts counts) {
        this.mounts = mounts;
        this.opener = opener;
        this.admission = admission;
        this.table = table;
        this.arrivals = arrivals;
        this.security = security;
        this.clocks = clocks;
        this.counts = counts;
    }

    /** Calls a consumer at each point of each move, on the thread of the move. For tests. */
    void at(Consumer<MountMove.Point> other) {
        points = other;
    }

    @Override
    public Map<String, String> groups() {
        return admission.groups().groups();
    }

    @Override
    public List<MountEntry> table() throws IOException {
        return own().all();
    }

    private MountTable own() throws MovedException {
        Federation groups = admission.groups();
        return table.orElseThrow(() -> new MovedException(
                "the table of mounts is at group %s; this master is of group %s"
                        .formatted(groups.first(), groups.own()),
                groups.first(),
                groups.addresses(groups.first())));
    }

    @Override
    public MountEntry assign(String store, String group) throws IOException {
        String unused = admission.groups().addresses(group);
        // Only its name: the opening of the mount checks the permitted options.
        String location = StoreAddress.of(StoreOptions.from(Map.of("packing.store", store)))
                .location()
                .text();
        MountEntry entry = new MountEntry(DataDirectory.mountId(location), location, group);
        Optional<MountEntry> now = own().change(entry.mount(), Optional.empty(), entry);
        if (now.isEmpty() || !now.get().group().equals(entry.group())) {
            throw new IllegalArgumentException("mount %s is one of group %s; move it: packing mounts move %s %s"
                    .formatted(
                            entry.mount(), now.map(MountEntry::group).orElse("nobody"), entry.mount(), entry.group()));
        }
        return now.get();
    }

    @Override
    public Optional<MountEntry> change(String mount, Optional<MountEntry> expected, Optional<MountEntry> next)
            throws IOException {
        if (next.isEmpty()) {
            return own().find(mount);
        }
        for (String group : List.of(next.get().group(), next.get().target())) {
            String unused = group.isEmpty() ? "" : admission.groups().addresses(group);
        }
        return own().change(mount, expected, next.get());
    }

    @Override
    public synchronized MoveProgress move(String mount, String group, boolean start) throws IOException {
        String addresses = admission.groups().addresses(group);
        Optional<Moving> known = Optional.ofNullable(moves.get(mount));
        if (known.isPresent() && known.get().move.progress().state() == MoveProgress.State.DONE) {
            known.get().move.settle();
        }
        if (known.isPresent() && known.get().thread.isAlive()) {
            MoveProgress progress = known.get().move.progress();
            if (progress.group().equals(group)) {
                return progress;
            }
            if (progress.isOver()) {
                // The other group has the mount, and clients know; the move updates the table of mounts now.
                Uninterruptibles.joinUninterruptibly(known.get().thread, PATIENCE);
            }
            if (known.get().thread.isAlive()) {
                throw new IllegalArgumentException("mount %s is being moved to group %s; wait for the end of that move"
                        .formatted(mount, progress.group()));
            }
        }
        Optional<MoveProgress> last = known.map(each -> each.move.progress())
                .filter(progress -> progress.group().equals(group));
        MountEntry entry = admission
                .table()
                .find(mount)
                .orElseThrow(() -> new IllegalArgumentException(
                        "mount '%s' is not in the table of mounts; packing mounts list shows it".formatted(mount)));
        if (last.isPresent() && (last.get().state() == MoveProgress.State.DONE ? !mounts.isOpen(mount) : !start)) {
            return last.get();
        }
        if (entry.group().equals(group) && !entry.isMoving()) {
            return new MoveProgress(MoveProgress.State.DONE, group, 0, 0, Duration.ZERO, Duration.ZERO, "");
        }
        if (!entry.group().equals(admission.groups().own())) {
            throw admission.moved(mount, entry.group());
        }
        if (!start) {
            return new MoveProgress(
                    MoveProgress.State.UNDONE,
                    group,
                    0,
                    0,
                    Duration.ZERO,
                    Duration.ZERO,
                    "no move of mount %s is under way; begin it again".formatted(mount));
        }
        return begin(entry, group, addresses);
    }

    private MoveProgress begin(MountEntry found, String group, String addresses) throws IOException {
        MountEntry entry = found;
        MountSlot.Open<Mount, MountRequest> opened = mounts.opened(found.mount())
                .orElseThrow(() -> new IllegalArgumentException(
                        "mount %s is not open at group %s; let a client open it, such as packing bdt ls, and move it then"
                                .formatted(found.mount(), found.group())));
        if (entry.isMoving() && opened.mount().writer().isTaking()) {
            // An earlier move ended here without a change of the table; it has not tried to give the mount away.
            Optional<MountEntry> now = admission.table().change(entry.mount(), Optional.of(entry), entry.stayed());
            entry = now.orElse(entry.stayed());
        }
        if (entry.isMoving()) {
            throw new IllegalArgumentException("mount %s is being moved to group %s by another master; wait for that"
                    .formatted(entry.mount(), entry.target()));
        }
        long token = (UUID.randomUUID().getMostSignificantBits() >>> 1) | 1;
        GrpcBdts client = GrpcBdts.ofMasters(addresses, PATIENCE, security);
        MoveSender sender = new MoveSender(client.groups().steps(entry.mount(), token), entry.mount());
        MountMove move =
                new MountMove(mounts, opened, admission, entry, opener, group, token, sender, clocks.nanos(), points);
        Thread thread = new Thread(() -> run(move, client), "bdt-move-" + entry.mount());
        thread.setDaemon(true);
        moves.put(entry.mount(), new Moving(move, thread));
        counts.started();
        thread.start();
        return move.progress();
    }

    private void run(MountMove move, GrpcBdts client) {
        try (client) {
            move.run();
        } catch (Error e) {
            LOG.error("a move of a mount ended; whoever opens the mount next ends the move as the epoch says", e);
            throw e;
        } finally {
            counts.ended(move.progress());
        }
    }

    @Override
    public Incoming incoming() {
        return arrivals;
    }

    /** Gives up moves that are under way, as far as they are not decided. */
    @Override
    public void close() {
        arrivals.close();
        moves.values().forEach(each -> each.move.stop());
        for (Moving each : moves.values()) {
            each.thread.interrupt();
            try {
                each.thread.join(STOP_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
