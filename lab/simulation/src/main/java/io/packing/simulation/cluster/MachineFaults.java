// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import io.packing.power.Loss;
import io.packing.simulation.schedule.FaultKind;
import io.packing.simulation.schedule.FaultSites;
import io.packing.simulation.schedule.Machine;
import io.packing.simulation.schedule.Schedule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** The faults of machines, processes and their surroundings while clients work, one after another, as a seed draws them. */
final class MachineFaults implements Runnable {
    private static final List<Loss> LOSSES = List.of(Loss.values());
    /** The end of the names of files with buffered bytes. */
    private static final String SEGMENT = ".segment";
    /** The losses within a force. */
    private static final List<Loss> CUTS = List.of(Loss.TORN, Loss.REORDERED, Loss.ZEROS, Loss.ALL);

    private static final int LONGEST_PARTITION_MILLIS = 5_000;
    private static final int LONGEST_STORM_MILLIS = 10_000;
    private static final int LONGEST_START_MILLIS = 1_000;
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

    private static final int STEP_MILLIS = 5;
    /** The most calls that a stall waits for. */
    private static final int MOST_HELD = 4;
    /** The longest time that calls are held back while the next process works. */
    private static final int LONGEST_STALL_MILLIS = 2_000;

    private static final int FEW_CALLS = 12;
    private static final int FEW_FIRST_CALLS = 6;
    private static final int AFTER_CALL_MILLIS = 20;
    /** A process that is to end at a site ends at once after this time without one. */
    private static final int SITE_MILLIS = 2_000;

    /** The machines of a cluster. */
    record Cluster(MasterNode master, List<WorkerNode> workers, SimulatedNode door) {
        private List<SimulatedNode> nodes() {
            List<SimulatedNode> nodes = new ArrayList<>(List.of(master.node(), door));
            workers.forEach(worker -> nodes.add(worker.node()));
            return nodes;
        }

        /** Returns the node of a worker, or behind them of the master. */
        private SimulatedNode node(int which) {
            return isMaster(which) ? master.node() : workers.get(which).node();
        }

        private boolean isMaster(int which) {
            return which == workers.size();
        }
    }

    /** The supervisor that starts processes again. */
    interface Supervisor {
        void startMaster();

        void startWorker(WorkerNode worker);

        /** Notes that the next master has no table, or an older one. */
        void tableIsLost();
    }

    private final Schedule schedule;
    private final Random random;
    private final Swarm swarm;
    private final ScheduleCounts counts;
    private final SimulatedNetwork network;
    private final StoreNode stores;
    private final Cluster cluster;
    private final Supervisor supervisor;
    private final int mostFaults;
    private boolean ended;

    MachineFaults(
            Schedule schedule,
            Swarm swarm,
            ScheduleCounts counts,
            SimulatedNetwork network,
            StoreNode stores,
            Cluster cluster,
            Supervisor supervisor,
            int mostFaults) {
        this.schedule = schedule;
        this.random = schedule.random();
        this.swarm = swarm;
        this.counts = counts;
        this.network = network;
        this.stores = stores;
        this.cluster = cluster;
        this.supervisor = supervisor;
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
        return random.nextInt(cluster.workers().size() + 1);
    }

    private void fault(FaultKind kind) throws InterruptedException {
        switch (kind) {
            case KILL -> kill(anyMachine());
            case POWER_LOSS -> losePower(anyMachine(), LOSSES);
            case CUT -> cut();
            case SITE -> endAtSite();
            case STOP -> stop();
            case STORM -> {
                long millis = random.nextInt(LONGEST_STORM_MILLIS);
                schedule.note("the store fails for %d ms".formatted(millis));
                stores.storm(TimeUnit.MILLISECONDS.toNanos(millis));
                if (random.nextBoolean()) {
                    // Several of its openings in a row meet the storm.
                    kill(cluster.workers().size());
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

    private void kill(int which) {
        schedule.note(cluster.node(which).name() + " is killed");
        cluster.node(which).kill();
        startAgain(which, false);
    }

    private void losePower(int which, List<Loss> losses) {
        SimulatedNode node = cluster.node(which);
        Loss loss = losses.get(random.nextInt(losses.size()));
        schedule.note("%s loses power, and of its writes %s".formatted(node.name(), loss));
        node.losePower(loss);
        if (swarm.forgetful() && swarm.flips() && !cluster.isMaster(which)) {
            node.flipBit(SEGMENT).ifPresent(file -> schedule.note("a bit of %s is flipped".formatted(file)));
        }
        startAgain(which, true);
    }

    /** Takes the power of a machine within one of its next forces, and mostly once more while it starts. */
    private void cut() throws InterruptedException {
        // The master's log is in few files, of which each start reads all.
        int which = random.nextBoolean() ? cluster.workers().size() : anyMachine();
        awaitWrites(1);
        do {
            SimulatedNode node = cluster.node(which);
            node.standAtForce(1 + random.nextInt(random.nextBoolean() ? FEW_FORCES : MANY_FORCES));
            long end = schedule.nanos() + TimeUnit.MILLISECONDS.toNanos(FORCE_MILLIS);
            try {
                while (!node.isAtForce() && schedule.nanos() < end) {
                    TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
                }
            } finally {
                // Also when the faults end: a thread that stands at a force would stand there for ever.
                losePower(which, CUTS);
            }
        } while (random.nextInt(3) > 0);
    }

    /** Ends a process or a machine right before one of its calls of a port. */
    private void endAtSite() throws InterruptedException {
        int which = anyMachine();
        if (random.nextBoolean()) {
            awaitWrites(1);
        }
        do {
            SimulatedNode node = cluster.node(which);
            node.machine().standAt(random.nextInt(FaultSites.GROUPS));
            long end = schedule.nanos() + TimeUnit.MILLISECONDS.toNanos(SITE_MILLIS);
            try {
                while (!node.machine().isStanding() && schedule.nanos() < end) {
                    TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
                }
            } finally {
                if (random.nextBoolean()) {
                    kill(which);
                } else {
                    losePower(which, LOSSES);
                }
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
                kill(which);
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
        awaitUntil(condition, STEP_MILLIS);
    }

    private void awaitUntil(BooleanSupplier condition, int stepMillis) throws InterruptedException {
        long end = schedule.nanos() + TimeUnit.MILLISECONDS.toNanos(WORK_MILLIS);
        while (!condition.getAsBoolean() && schedule.nanos() < end) {
            TimeUnit.MILLISECONDS.sleep(stepMillis);
        }
    }

    /** Ends the master, or its lead of a group, right after it did a call: the rows of what it answered may not be written yet. */
    private void endAfterCall() throws InterruptedException {
        MasterNode master = cluster.master();
        awaitWrites(1);
        do {
            if (random.nextBoolean()) {
                // Its next process begins a session.
                kill(random.nextInt(cluster.workers().size()));
            }
            boolean first = random.nextBoolean();
            LongSupplier done = first ? master::firstCalls : master::calls;
            long wanted = done.getAsLong() + 1 + random.nextInt(first ? FEW_FIRST_CALLS : FEW_CALLS);
            awaitUntil(() -> done.getAsLong() >= wanted, 1);
            if (random.nextBoolean()) {
                TimeUnit.MILLISECONDS.sleep(random.nextInt(AFTER_CALL_MILLIS));
            }
            if (master.isMember() && random.nextInt(3) > 0) {
                master.depose(1 + (random.nextBoolean() ? 0 : random.nextInt(FEW_CALLS)));
                awaitUntil(master::isQuiet);
            } else {
                kill(cluster.workers().size());
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
                losePower(which, LOSSES);
            } else {
                kill(which);
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
        SimulatedNode node = cluster.master().node();
        if (!whole) {
            awaitWrites(1);
            node.copyDisk();
            schedule.note("the master's directory is copied");
            makeNews();
        }
        schedule.note("the master's directory is " + (whole ? "lost" : "an older copy"));
        if (whole) {
            node.loseDisk();
        } else {
            node.putBack();
        }
        if (!cluster.master().isMember()) {
            supervisor.tableIsLost();
        }
        startAgain(cluster.workers().size(), false);
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
            kill(random.nextInt(cluster.workers().size()));
        }
        awaitWrites(1 + random.nextInt(MOST_NEWS));
    }

    private void startAgain(int which, boolean power) {
        SimulatedNode node = cluster.node(which);
        network.broken(node.machine());
        if (cluster.isMaster(which)) {
            cluster.master().ended();
        } else {
            cluster.workers().get(which).ended(power);
        }
        pause(random.nextInt(LONGEST_START_MILLIS));
        node.restart();
        if (cluster.isMaster(which)) {
            supervisor.startMaster();
        } else {
            supervisor.startWorker(cluster.workers().get(which));
        }
    }

    private static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
