// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import io.packing.bdt.NotLeaderException;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.master.MasterGroup;
import io.packing.bdt.master.MountTables;
import io.packing.bdt.master.texts.MasterTexts;
import io.packing.bdt.raft.MasterGroupTexts;
import io.packing.bdt.raft.RaftTables;
import io.packing.bdt.raft.group.MasterGroupEntry;
import io.packing.bdt.raft.group.ReplicatedTables;
import io.packing.simulation.schedule.Machine;
import io.packing.simulation.schedule.Schedule;
import io.packing.simulation.schedule.SimulatedThread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A group of masters: the tables that a majority of its members has, which outlive each of them. One member leads at a time. When its
 * process ends, the next one leads. A member that does not reach the majority leads no more, and may be elected again. The agreement itself
 * is not simulated here: an entry that reaches the majority is in the log for ever (docs/chaos.md has schedules of the agreement). The tables
 * may end while they apply one. Their next start goes on with the log, as each member of a group does.
 */
final class SimulatedGroup {
    private static final String NAME = "6f1a3a52-6c6b-4c5e-8f0a-2f6d5f6f9a01";
    private static final int MEMBERS = 3;
    private static final int LONGEST_ELECTION_MILLIS = 2_000;
    /** The entries between two saves of the tables, after which a start applies only later ones. */
    private static final int ENTRIES_PER_SAVE = 64;

    /** An entry of the log; its index is its place there. */
    private record Logged(long term, MasterGroupEntry entry) {}

    private final SimulatedNode majority;
    private final SimulatedNetwork network;
    private final Schedule schedule;
    private final List<Logged> log = new ArrayList<>();
    /** Empty until the tables have all entries of the log. */
    private Optional<ReplicatedTables> tables = Optional.empty();

    private long term;
    /** The proposals until one gets no answer; 0: all get one. */
    private int proposalsLeft;

    /** @param majority the machine that stands for most of the members */
    SimulatedGroup(SimulatedNode majority, SimulatedNetwork network, Schedule schedule) {
        this.schedule = schedule;
        this.majority = majority;
        this.network = network;
    }

    SimulatedNode node() {
        return majority;
    }

    /** Opens the tables, on a thread of their machine. */
    void start() {
        SimulatedThread unused = schedule.start(majority.machine(), majority.machine() + "-main", () -> {
            try {
                ReplicatedTables opened =
                        ReplicatedTables.open(majority.root().resolve("raft"), majority::table, () -> {
                            throw new IOException("the disk is not full here");
                        });
                for (long index = opened.index() + 1; index < log.size(); index++) {
                    Logged next = log.get((int) index);
                    boolean unusedAnswer = opened.apply(next.term(), index, next.entry(), () -> {});
                }
                opened(opened);
            } catch (IOException e) {
                throw new IllegalStateException("the tables of the group do not open", e);
            }
        });
    }

    private synchronized void opened(ReplicatedTables opened) {
        tables = Optional.of(opened);
        notifyAll();
    }

    /** Notes that the machine of the tables has ended: no member leads until they are open again. */
    synchronized void ended() {
        tables = Optional.empty();
        term++;
    }

    /** Returns the member that leads from now on: the present life of a node. Waits until the tables are open. */
    synchronized MasterGroup elect(SimulatedNode node) throws UnavailableException {
        while (tables.isEmpty()) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new UnavailableException("interrupted", e);
            }
        }
        term++;
        return new Member(node, term, tables.get());
    }

    /** Ends the term of the leader with one of its next proposals; it may be elected again after a while. */
    void depose(int proposals) {
        proposalsLeft = proposals;
    }

    /** Returns true if no proposal is to end a term. */
    boolean isQuiet() {
        return proposalsLeft == 0;
    }

    private boolean endsTerm() {
        boolean ends = proposalsLeft > 0 && --proposalsLeft == 0;
        schedule.conditions().changed();
        return ends;
    }

    private static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean apply(long of, MasterGroupEntry entry, Runnable writing) throws IOException {
        if (of != term || tables.isEmpty()) {
            throw notLeading();
        }
        ReplicatedTables at = tables.get();
        log.add(new Logged(of, entry));
        boolean accepted = at.apply(of, log.size() - 1, entry, writing);
        if (log.size() % ENTRIES_PER_SAVE == 0) {
            long unused = at.save();
        }
        return accepted;
    }

    private static NotLeaderException notLeading() {
        return new NotLeaderException("another member leads the group", Optional.empty());
    }

    /** The leader of a term, and perhaps of later ones. */
    private final class Member implements MasterGroup, RaftTables.Proposals {
        private final SimulatedNode node;
        private final Machine life;
        private final List<Runnable> told = new ArrayList<>();
        private final ReplicatedTables own;
        private long led;

        private Member(SimulatedNode node, long led, ReplicatedTables own) {
            this.own = own;
            this.node = node;
            this.life = node.machine();
            this.led = led;
        }

        @Override
        public Optional<Long> term() {
            return led == term && !life.hasFailed() ? Optional.of(led) : Optional.empty();
        }

        @Override
        public NotLeaderException notLeader() {
            return notLeading();
        }

        @Override
        public boolean propose(MasterGroupEntry entry, Runnable writing) throws IOException {
            long in = term().orElseThrow(SimulatedGroup::notLeading);
            if (endsTerm()) {
                if (schedule.random().nextBoolean()) {
                    // The next leader finds the entry in its log.
                    CompletableFuture<?> unused = network.send(node, majority, () -> apply(in, entry, () -> {}));
                }
                leadNoMore(in);
                throw new NotLeaderException("the group did not answer to a change", Optional.empty());
            }
            try {
                return (Boolean) Objects.requireNonNull(network.call(node, majority, () -> apply(in, entry, writing)));
            } catch (NotLeaderException e) {
                throw e;
            } catch (UnavailableException e) {
                leadNoMore(in);
                throw new NotLeaderException(
                        "the group did not accept a change: " + e.getMessage(), Optional.empty(), e);
            }
        }

        /** Ends a term without an answer of the majority; this member is elected again after a while. */
        private void leadNoMore(long in) {
            if (in != term || in != led) {
                return;
            }
            term++;
            schedule.note("the group has no leader");
            SimulatedThread unused = schedule.start(life, life + "-election", () -> {
                told.forEach(Runnable::run);
                pause(1 + schedule.random().nextInt(LONGEST_ELECTION_MILLIS));
                term++;
                led = term;
                schedule.note("the group has a leader again");
            });
        }

        @Override
        public MountTables tables() {
            return new RaftTables(NAME, node.root().resolve("bdt"), own, node::table, this);
        }

        @Override
        public MasterTexts texts() {
            return new MasterGroupTexts(own, this);
        }

        @Override
        public boolean leads() {
            return term().isPresent();
        }

        @Override
        public Optional<NotLeaderException> refusal() {
            return leads() ? Optional.empty() : Optional.of(notLeading());
        }

        @Override
        public void whenNotLeading(Runnable listener) {
            told.add(listener);
        }

        @Override
        public void serving(String host, int port) {
            // It has no port.
        }

        @Override
        public Optional<String> problem() {
            return Optional.empty();
        }

        @Override
        public GroupStanding standing() {
            return new GroupStanding(leads(), led, own.index(), MEMBERS, 0);
        }

        @Override
        public void close() {
            // The majority owns the tables.
        }
    }
}
