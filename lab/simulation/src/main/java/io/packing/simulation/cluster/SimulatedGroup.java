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
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A group of masters: the tables that a majority of its members has, which outlive each of them. One member leads at a time. When its
 * process ends, the next one leads. A member that does not reach the majority leads no more, and may be elected again. The agreement itself is not simulated here: an entry that reaches the majority is in the log
 * (docs/chaos.md has schedules of the agreement).
 */
final class SimulatedGroup {
    private static final String NAME = "6f1a3a52-6c6b-4c5e-8f0a-2f6d5f6f9a01";
    private static final int MEMBERS = 3;
    private static final int LONGEST_ELECTION_MILLIS = 2_000;

    private final SimulatedNode majority;
    private final SimulatedNetwork network;
    private final ReplicatedTables tables;
    private final Schedule schedule;
    private long term;
    /** The proposals until one gets no answer; 0: all get one. */
    private int proposalsLeft;

    private SimulatedGroup(
            SimulatedNode majority, SimulatedNetwork network, ReplicatedTables tables, Schedule schedule) {
        this.schedule = schedule;
        this.majority = majority;
        this.network = network;
        this.tables = tables;
    }

    /** @param majority the machine that stands for most of the members, and has no faults */
    static SimulatedGroup of(SimulatedNode majority, SimulatedNetwork network, Schedule schedule) {
        try {
            return new SimulatedGroup(
                    majority,
                    network,
                    ReplicatedTables.open(majority.root().resolve("raft"), majority::table, () -> {
                        throw new IOException("the disk is not full here");
                    }),
                    schedule);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the member that leads from now on: the present life of a node. */
    MasterGroup elect(SimulatedNode node) {
        term++;
        return new Member(node, term);
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
        if (of != term) {
            throw notLeading();
        }
        return tables.apply(of, tables.index() + 1, entry, writing);
    }

    private static NotLeaderException notLeading() {
        return new NotLeaderException("another member leads the group", Optional.empty());
    }

    /** The leader of a term, and perhaps of later ones. */
    private final class Member implements MasterGroup, RaftTables.Proposals {
        private final SimulatedNode node;
        private final Machine life;
        private final List<Runnable> told = new ArrayList<>();
        private long led;

        private Member(SimulatedNode node, long led) {
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
            return new RaftTables(NAME, node.root().resolve("bdt"), tables, node::table, this);
        }

        @Override
        public MasterTexts texts() {
            return new MasterGroupTexts(tables, this);
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
            return new GroupStanding(leads(), led, tables.index(), MEMBERS, 0);
        }

        @Override
        public void close() {
            // The majority owns the tables.
        }
    }
}
