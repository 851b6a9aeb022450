// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import io.packing.bdt.raft.VirtualDisk.PowerGoneException;
import io.packing.bdt.raft.VirtualLog.Entry;
import io.packing.bdt.raft.group.Checkpoint;
import io.packing.bdt.raft.group.MasterGroupEntry;
import io.packing.bdt.raft.group.MasterGroupState;
import io.packing.bdt.raft.group.ReplicatedTables;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * The process of a member of a {@link VirtualGroup}. The product's tables apply the entries of {@link VirtualRaft}, and
 * are saved and fetched; writers of the mounts run while it leads. It may be killed, stopped, and started again on its
 * disk.
 */
final class VirtualMember {
    /** An entry that a fiber of this member waits for. */
    private static final class Pending {
        private final long term;
        private final VirtualFiber fiber;
        private final Runnable writing;
        private Optional<Boolean> accepted = Optional.empty();
        private boolean given;

        Pending(long term, VirtualFiber fiber, Runnable writing) {
            this.term = term;
            this.fiber = fiber;
            this.writing = writing;
        }
    }

    /** An entry whose outcome is unknown. */
    static final class UncommittedException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final int id;
    private final VirtualGroup group;
    private final Random random;
    /** The distance of this member's clock from the others'. */
    private final long skew;

    private final VirtualDisk disk = new VirtualDisk();
    private final VirtualRaft raft;
    private long starts;

    private int life;
    private boolean up;
    private boolean stopped;
    private final List<Runnable> backlog = new ArrayList<>();
    private Optional<ReplicatedTables> open = Optional.empty();
    private boolean applying;
    private boolean fetching;
    private long readyAt;
    private boolean ready;
    private final Map<Long, Pending> pending = new TreeMap<>();
    private final List<VirtualWriter> writers = new ArrayList<>();
    /** The writers of earlier terms. */
    private final List<VirtualWriter> former = new ArrayList<>();

    VirtualMember(int id, VirtualGroup group, Random random) {
        this.id = id;
        this.group = group;
        this.random = random;
        this.skew = random.nextInt(1_000_000_000);
        this.raft = new VirtualRaft(this, group, random);
    }

    int id() {
        return id;
    }

    VirtualRaft raft() {
        return raft;
    }

    boolean isUp() {
        return up;
    }

    boolean isFetching() {
        return fetching;
    }

    ReplicatedTables tables() {
        return open.orElseThrow();
    }

    VirtualDisk disk() {
        return disk;
    }

    Random random() {
        return random;
    }

    long clock() {
        return group.time().now() + skew;
    }

    // The process.

    /** Runs an event at this member, now or when it goes on; drops the event while the member is down. */
    void deliver(Runnable what) {
        if (stopped) {
            backlog.add(what);
        } else if (up) {
            try {
                what.run();
            } catch (PowerGoneException e) {
                crash();
            }
        }
    }

    /** Runs an event later, if the process still lives then. */
    void later(long micros, Runnable what) {
        int now = life;
        group.time()
                .after(
                        micros,
                        () -> deliver(() -> {
                            if (life == now) {
                                what.run();
                            }
                        }));
    }

    void start() {
        life++;
        up = true;
        applying = false;
        fetching = false;
        starts++;
        try {
            ReplicatedTables tables = ReplicatedTables.open(disk.root(), disk::open, () -> {
                throw new IOException("the disk is not full here");
            });
            open = Optional.of(tables);
            raft.start(tables.index(), tables.saved().term());
        } catch (IOException e) {
            throw new UncheckedIOException("%s does not start".formatted(this), e);
        }
    }

    /** Kills the process, and ends the power of its disk. */
    void crash() {
        life++;
        up = false;
        stopped = false;
        backlog.clear();
        pending.clear();
        writers.forEach(VirtualWriter::kill);
        former.forEach(VirtualWriter::kill);
        writers.clear();
        former.clear();
        try {
            tables().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        raft.log().lose(random);
        disk.lose(random);
    }

    void stop() {
        stopped = up;
    }

    void goOn() {
        if (stopped) {
            stopped = false;
            List<Runnable> missed = List.copyOf(backlog);
            backlog.clear();
            missed.forEach(this::deliver);
        }
    }

    // Leading.

    /** Learns that this member was elected; it may answer after it has applied an entry of its own. */
    void leads(long from) {
        ready = false;
        readyAt = from;
    }

    void leadsNoMore() {
        ready = false;
        List<Pending> given = List.copyOf(pending.values());
        pending.clear();
        List<VirtualWriter> ended = List.copyOf(writers);
        writers.clear();
        former.addAll(ended);
        given.forEach(VirtualMember::give);
        ended.forEach(VirtualWriter::end);
    }

    /** Returns the term in which this member leads and has all entries before it; empty otherwise. */
    Optional<Long> leads() {
        return raft.isLeader() && ready ? Optional.of(raft.term()) : Optional.empty();
    }

    boolean mayAnswer() {
        return leads().isPresent() && raft.hasLease();
    }

    /** Makes the group apply an entry, while a fiber waits. */
    boolean propose(MasterGroupEntry entry, VirtualFiber fiber, Runnable writing) {
        if (!raft.isLeader()) {
            throw new UncommittedException();
        }
        Pending waiting = new Pending(raft.term(), fiber, writing);
        pending.put(raft.append(entry), waiting);
        while (!waiting.given) {
            fiber.pause();
        }
        return waiting.accepted.orElseThrow(UncommittedException::new);
    }

    private static void give(Pending waiting) {
        waiting.given = true;
        waiting.fiber.resume();
    }

    private void serve() {
        long unused = raft.append(new MasterGroupEntry.Member("m" + id, "disk", starts, "host:" + id));
        for (String mount : VirtualGroup.MOUNTS) {
            VirtualWriter writer = new VirtualWriter(mount, this, group);
            writers.add(writer);
            writer.begin();
        }
    }

    /** Returns whether all writers of earlier terms have left a mount. */
    boolean isFree(String mount) {
        former.removeIf(VirtualWriter::isGone);
        return former.stream().noneMatch(each -> each.serves(mount));
    }

    void ask(VirtualClient.Request request) {
        Optional<VirtualWriter> writer =
                writers.stream().filter(each -> each.serves(request.mount())).findFirst();
        if (leads().isPresent() && writer.isPresent()) {
            writer.get().ask(request);
        } else {
            request.refuse(this);
        }
    }

    // Tables.

    /** Applies committed entries in small batches. */
    void apply() {
        if (!applying && tables().index() < raft.committed()) {
            applying = true;
            later(20 + random.nextInt(400), () -> {
                applying = false;
                for (int some = random.nextInt(6); some >= 0 && tables().index() < raft.committed(); some--) {
                    applyNext();
                }
                if (raft.isLeader() && !ready && tables().index() >= readyAt) {
                    ready = true;
                    serve();
                }
                apply();
            });
        }
    }

    private void applyNext() {
        long index = tables().index() + 1;
        Entry entry = raft.log().get(index);
        Optional<Pending> waiting =
                Optional.ofNullable(pending.remove(index)).filter(each -> each.term == entry.term());
        try {
            boolean accepted = tables().apply(
                            entry.term(),
                            index,
                            MasterGroupEntry.decode(entry.bytes()),
                            waiting.map(each -> each.writing).orElse(() -> {}));
            group.applied(id, index, entry, accepted);
            waiting.ifPresent(each -> {
                each.accepted = Optional.of(accepted);
                give(each);
            });
        } catch (IOException e) {
            throw new UncheckedIOException("%s at entry %d".formatted(this, index), e);
        }
    }

    /** Saves the tables, and purges entries that need not be applied again. */
    void save() {
        try {
            long saved = tables().save();
            long upTo = saved - random.nextInt(30);
            if (saved >= 0 && upTo >= raft.log().first() && upTo <= raft.log().last()) {
                raft.log().purge(upTo);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("%s does not save".formatted(this), e);
        }
    }

    /** Fetches the tables of the leader, whose log begins too late. */
    void fetch(VirtualMember from) {
        fetching = true;
        later(1_000 + random.nextInt(20_000), () -> {
            fetching = false;
            if (from.up && !from.stopped && group.reaches(id, from.id)) {
                fetchNow(from);
            }
        });
    }

    private void fetchNow(VirtualMember from) {
        Checkpoint checkpoint;
        try {
            checkpoint = from.tables().checkpoint();
        } catch (IOException e) {
            // A batch's rows are not complete; the leader tells this member again.
            return;
        }
        fetching = true;
        later(random.nextInt(30_000), () -> {
            try (checkpoint) {
                MasterGroupState fetched = tables().fetch(checkpoint.state(), (folder, to) -> {
                    int number = 0;
                    for (byte[] page = checkpoint.page(folder, 0);
                            page.length > 0;
                            page = checkpoint.page(folder, ++number)) {
                        Checkpoint.write(new DataInputStream(new ByteArrayInputStream(page)), to);
                    }
                });
                later(random.nextInt(20_000), () -> switchTo(fetched));
            } catch (IOException e) {
                throw new UncheckedIOException("%s does not fetch".formatted(this), e);
            }
        });
    }

    private void switchTo(MasterGroupState fetched) {
        fetching = false;
        if (fetched.index() <= tables().index()) {
            return;
        }
        try {
            tables().switchTo(fetched);
        } catch (IOException e) {
            throw new UncheckedIOException("%s does not switch".formatted(this), e);
        }
        raft.begin(fetched.index(), fetched.term());
    }

    @Override
    public String toString() {
        return "member %d, %s, applied %d%s%s"
                .formatted(
                        id,
                        raft,
                        open.map(ReplicatedTables::index).orElse(-1L),
                        fetching ? ", fetching" : "",
                        stopped ? ", stopped" : "");
    }
}
