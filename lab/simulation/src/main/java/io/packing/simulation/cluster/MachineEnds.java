// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import io.packing.power.Loss;
import io.packing.simulation.schedule.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** The ends of a cluster's processes and machines, and their next starts. A node has one of them at a time, whichever fault it is of. */
final class MachineEnds {
    /** All losses of power. */
    static final List<Loss> LOSSES = List.of(Loss.values());

    /** The end of the names of files with buffered bytes. */
    private static final String SEGMENT = ".segment";

    private static final int LONGEST_START_MILLIS = 1_000;

    /** The machines of a cluster. */
    record Cluster(MasterNode master, List<WorkerNode> workers, SimulatedNode door, Optional<SimulatedGroup> group) {
        List<SimulatedNode> nodes() {
            List<SimulatedNode> nodes = new ArrayList<>(List.of(master.node(), door));
            workers.forEach(worker -> nodes.add(worker.node()));
            return nodes;
        }

        /** Returns the number of nodes that any fault may end. */
        int ending() {
            return workers.size() + 1;
        }

        /** Returns the number of nodes that may end at sites: also that of the group's tables. */
        int endingAtSites() {
            return ending() + (group.isPresent() ? 1 : 0);
        }

        /** Returns the node of a worker, behind them of the master, and behind it of the group's tables. */
        SimulatedNode node(int which) {
            if (which == ending()) {
                return group.orElseThrow().node();
            }
            return isMaster(which) ? master.node() : workers.get(which).node();
        }

        /** Returns the number of the master. */
        int masters() {
            return workers.size();
        }

        boolean isMaster(int which) {
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
    private final SimulatedNetwork network;
    private final Cluster cluster;
    private final Supervisor supervisor;

    MachineEnds(Schedule schedule, Swarm swarm, SimulatedNetwork network, Cluster cluster, Supervisor supervisor) {
        this.schedule = schedule;
        this.random = schedule.random();
        this.swarm = swarm;
        this.network = network;
        this.cluster = cluster;
        this.supervisor = supervisor;
    }

    /** Ends a process, and starts the next one. */
    void kill(int which) {
        SimulatedNode node = cluster.node(which);
        synchronized (node) {
            schedule.note(node.name() + " is killed");
            node.kill();
            startAgain(which, false);
        }
    }

    /** Takes the power of a machine, and starts it again. */
    void losePower(int which, List<Loss> losses) {
        SimulatedNode node = cluster.node(which);
        synchronized (node) {
            Loss loss = losses.get(random.nextInt(losses.size()));
            schedule.note("%s loses power, and of its writes %s".formatted(node.name(), loss));
            node.losePower(loss);
            if (swarm.forgetful() && swarm.flips() && !cluster.isMaster(which)) {
                node.flipBit(SEGMENT).ifPresent(file -> schedule.note("a bit of %s is flipped".formatted(file)));
            }
            startAgain(which, true);
        }
    }

    /** Ends a process or its machine, and starts the next one. */
    void killOrLosePower(int which) {
        if (which == cluster.ending()) {
            endTables(cluster.group().orElseThrow());
        } else if (random.nextInt(3) == 0) {
            kill(which);
        } else {
            losePower(which, LOSSES);
        }
    }

    /** Ends the tables of a group, and the master that leads it: each member has its tables in its own process. */
    private void endTables(SimulatedGroup group) {
        SimulatedNode node = group.node();
        synchronized (node) {
            schedule.note("the group's tables end");
            if (random.nextBoolean()) {
                node.kill();
            } else {
                node.losePower(LOSSES.get(random.nextInt(LOSSES.size())));
            }
            group.ended();
            network.broken(node.machine());
            kill(cluster.masters());
            node.restart();
            group.start();
        }
    }

    /** Ends the master's process, and starts the next one without its directory, or on the last copy of it. */
    void loseTable(boolean whole) {
        SimulatedNode node = cluster.master().node();
        synchronized (node) {
            schedule.note("the master's directory is " + (whole ? "lost" : "an older copy"));
            if (whole) {
                node.loseDisk();
            } else {
                node.putBack();
            }
            if (!cluster.master().isMember()) {
                supervisor.tableIsLost();
            }
            startAgain(cluster.masters(), false);
        }
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
