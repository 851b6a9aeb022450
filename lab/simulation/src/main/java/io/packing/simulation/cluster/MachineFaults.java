// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import io.packing.power.Loss;
import io.packing.simulation.schedule.FaultKind;
import io.packing.simulation.schedule.Machine;
import io.packing.simulation.schedule.Schedule;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** The faults of machines, processes and their surroundings while clients work, one after another, as a seed draws them. */
final class MachineFaults implements Runnable {
    /** The losses within a force. */
    private static final List<Loss> CUTS = List.of(Loss.TORN, Loss.REORDERED, Loss.ZEROS, Loss.ALL);

    private static final int LONGEST_PARTITION_MILLIS = 5_000;
    private static final int LONGEST_STORM_MILLIS = 10_000;
    /** The most writes after a copy of a directory was made of which the store may show nothing. */
    private static final int MOST_NEWS = 10;
    /** The time in which a process stops in order, or is killed. */
    private static final int STOP_SECONDS = 20;
    /** A machine whose power is to go in a force loses it at once after this time without one. */
    private static final int FORCE_MILLIS = 1_000;

    private static final int FEW_FORCES = 6;
    private static final int MANY_FORCES = 60;
    /** The time that a cluster gets for some writes, so that a fault meets one that works. */
    private static final int WORK_MILLIS = 10_000;

    /** The most calls that a stall waits for. */
    private static final int MOST_HELD = 4;
    /** The longest time that calls are held back while the next process works. */
    private static final int LONGEST_STALL_MILLIS = 2_000;

    private static final int FEW_CALLS = 12;
    private static final int FEW_FIRST_CALLS = 6;
    private static final int AFTER_CALL_MILLIS = 20;

    private final Schedule schedule;
    private final Random random;
    private final Swarm swarm;
    private final ScheduleCounts counts;
    private final SimulatedNetwork network;
    private final StoreNode stores;
    private final MachineEnds ends;
    private final SiteEnds sites;
    private final MachineEnds.Cluster cluster;
    private final int mostFaults;
    private boolean ended;

    MachineFaults(
            Schedule schedule,
            Swarm swarm,
            ScheduleCounts counts,
            SimulatedNetwork network,
            StoreNode stores,
            MachineEnds ends,
            SiteEnds sites,
            MachineEnds.Cluster cluster,
            int mostFaults) {
        this.schedule = schedule;
        this.random = schedule.random();
        this.swarm = swarm;
        this.counts = counts;
        this.network = network;
        this.stores = stores;
        this.ends = ends;
        this.sites = sites;
        this.cluster = cluster;
        this.mostFaults = mostFaults;
    }

    /** Lets no further fault begin. */
    void end() {
        ended = true;
    }

    @Override
    public void run() {
        try {
            for (int i = 0; i < mostFaults && !ended && swarm.sum() > 0; i++) {
                TimeUnit.MILLISECONDS.sleep(1 + random.nextInt(2 * swarm.meanPauseMillis()));
                counts.faults++;
                counts.machineFaults++;
                fault(swarm.fault(random.nextInt(swarm.sum())));
            }
        } catch (InterruptedException e) {
            schedule.note("no more faults");
        }
    }

    private int anyMachine() {
        return random.nextInt(cluster.ending());
    }

    private void fault(FaultKind kind) throws InterruptedException {
        switch (kind) {
            case KILL -> ends.kill(anyMachine());
            case POWER_LOSS -> ends.losePower(anyMachine(), MachineEnds.LOSSES);
            case CUT -> cut();
            case SITE -> sites.aim();
            case STOP -> stop();
            case STORM -> {
                long millis = random.nextInt(LONGEST_STORM_MILLIS);
                schedule.note("the store fails for %d ms".formatted(millis));
                stores.storm(TimeUnit.MILLISECONDS.toNanos(millis));
                if (random.nextBoolean()) {
                    // Several of its openings in a row meet the storm.
                    ends.kill(cluster.masters());
                }
            }
            case PARTITION -> partition();
            case STALL -> stall();
            case AFTER_CALL -> endAfterCall();
            case LOST_DIRECTORY -> loseTable(true);
            case OLDER_DIRECTORY -> loseTable(false);
            default -> throw new IllegalArgumentException(kind.toString());
        }
    }

    /** Takes the power of a machine within one of its next forces, and mostly once more while it starts. */
    private void cut() throws InterruptedException {
        // The master's log is in few files, of which each start reads all.
        int which = random.nextBoolean() ? cluster.masters() : anyMachine();
        awaitWrites(1);
        do {
            SimulatedNode node = cluster.node(which);
            node.standAtForce(1 + random.nextInt(random.nextBoolean() ? FEW_FORCES : MANY_FORCES));
            try {
                schedule.conditions().await(node::isAtForce, FORCE_MILLIS);
            } finally {
                // Also when the faults end: a thread that stands at a force would stand there for ever.
                ends.losePower(which, CUTS);
            }
        } while (random.nextInt(3) > 0);
    }

    /** Lets calls of a worker's sessions arrive late: mostly when its process was killed, and the next one has begun. */
    private void stall() throws InterruptedException {
        int which = random.nextInt(cluster.workers().size());
        SimulatedNode node = cluster.node(which);
        Machine stalled = node.machine();
        schedule.note("the sessions of %s stall".formatted(stalled));
        network.stall(stalled);
        try {
            int wanted = 1 + random.nextInt(MOST_HELD);
            awaitUntil(() -> network.held(stalled) >= wanted);
            if (random.nextInt(3) > 0) {
                ends.kill(which);
                // The next process waits for the lease of this one.
                awaitUntil(() -> cluster.workers().get(which).isServing());
            }
            TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_STALL_MILLIS));
        } finally {
            network.release(stalled);
        }
    }

    /** Waits until a condition holds, but not for ever. */
    private void awaitUntil(BooleanSupplier condition) throws InterruptedException {
        schedule.conditions().await(condition, WORK_MILLIS);
    }

    /** Ends the master, or its lead of a group, right after it did a call: the rows of what it answered may not be written yet. */
    private void endAfterCall() throws InterruptedException {
        MasterNode master = cluster.master();
        awaitWrites(1);
        do {
            if (random.nextBoolean()) {
                // Its next process begins a session.
                ends.kill(random.nextInt(cluster.workers().size()));
            }
            boolean first = random.nextBoolean();
            LongSupplier done = first ? master::firstCalls : master::calls;
            long wanted = done.getAsLong() + 1 + random.nextInt(first ? FEW_FIRST_CALLS : FEW_CALLS);
            awaitUntil(() -> done.getAsLong() >= wanted);
            if (random.nextBoolean()) {
                TimeUnit.MILLISECONDS.sleep(random.nextInt(AFTER_CALL_MILLIS));
            }
            if (master.isMember() && random.nextInt(3) > 0) {
                master.depose(1 + (random.nextBoolean() ? 0 : random.nextInt(FEW_CALLS)));
                awaitUntil(master::isQuiet);
            } else {
                ends.kill(cluster.masters());
            }
        } while (random.nextInt(4) > 0);
    }

    private void stop() throws InterruptedException {
        int which = anyMachine();
        SimulatedNode node = cluster.node(which);
        schedule.note(node.name() + " is stopped");
        Thread stopping = schedule.start(node.machine(), node.machine() + "-stop", () -> {
            try {
                if (cluster.isMaster(which)) {
                    cluster.master().stop();
                } else {
                    cluster.workers().get(which).stop();
                }
                schedule.note("stopped in order");
            } catch (IOException e) {
                schedule.note("stops with " + e);
            }
        });
        boolean power = random.nextBoolean();
        try {
            stopping.join(TimeUnit.SECONDS.toMillis(random.nextInt(STOP_SECONDS)));
        } finally {
            if (power) {
                ends.losePower(which, MachineEnds.LOSSES);
            } else {
                ends.kill(which);
            }
        }
    }

    private void partition() throws InterruptedException {
        List<SimulatedNode> nodes = cluster.nodes();
        SimulatedNode one = nodes.get(random.nextInt(nodes.size()));
        SimulatedNode other = nodes.get(random.nextInt(nodes.size()));
        schedule.note("%s and %s do not reach each other".formatted(one.name(), other.name()));
        network.separate(one, other);
        try {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_PARTITION_MILLIS));
        } finally {
            network.join(one, other);
        }
    }

    /** Waits until so many more writes are acknowledged, but not for ever: the fault before may be one that clients cannot work with. */
    private void awaitWrites(int writes) throws InterruptedException {
        long wanted = counts.written + writes;
        awaitUntil(() -> counts.written >= wanted);
    }

    private void loseTable(boolean whole) throws InterruptedException {
        if (!whole) {
            awaitWrites(1);
            cluster.master().node().copyDisk();
            schedule.note("the master's directory is copied");
            makeNews();
        }
        ends.loseTable(whole);
        if (!whole) {
            awaitWrites(1);
        }
    }

    /** Lets the cluster work after a copy was made: for a moment, of which the store shows nothing yet, or for long. */
    private void makeNews() throws InterruptedException {
        if (random.nextBoolean()) {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(4 * swarm.meanPauseMillis()));
            return;
        }
        if (random.nextBoolean()) {
            // Its next process gets ids that the copy does not know as given out.
            ends.kill(random.nextInt(cluster.workers().size()));
        }
        awaitWrites(1 + random.nextInt(MOST_NEWS));
    }
}
