// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import io.packing.simulation.schedule.ClusterWorkload;
import io.packing.simulation.schedule.FaultKind;
import io.packing.simulation.schedule.Schedule;
import io.packing.worker.api.MountOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One schedule of a cluster: a master, two workers, three clients, faults while they work, and a check after the faults have ended. */
public final class ClusterRun implements Consumer<Map<String, Long>> {
    private static final int WORKERS = 2;
    /** One of so many schedules with ends at sites goes on without operations, for so long in virtual time. */
    private static final int UPKEEPS = 3;

    private static final int UPKEEP_SECONDS = 90;
    /** Makes the seed of the separate source. Those of seeds in a row would begin alike without it. */
    private static final long MIX = 0xBF58476D1CE4E5B9L;
    /** Virtual time after the last fault in which all files have to be readable. */
    private static final int HEAL_SECONDS = 300;

    /** Virtual time after the last fault in which all buffered files have to come back to a new table. */
    private static final int BACK_SECONDS = 60;

    /** Virtual time in which a mount without syncs is whole again, but for its losses. */
    private static final int FORGOTTEN_SECONDS = 30;

    private static final Map<String, String> MOUNT = Map.of(
            "packing.store", "file:///simulated",
            "packing.threads", "1",
            "packing.blob.max.bytes", "256KB");

    /** The options of a mount whose upkeep has something to do in the time of a schedule. Readers are done within the grace. */
    private static final Map<String, String> UPKEEP = Map.of(
            "packing.backup.interval", "15s",
            "packing.backup.min.changes", "50",
            "packing.journal.interval", "5s",
            "packing.gc.interval", "5s",
            "packing.gc.grace", "30s",
            "packing.gc.compact.below", "0.6");

    private final Schedule schedule = Schedule.current();
    private final ClusterWorkload workload;
    private final Swarm swarm;
    /**
     * A separate source for decisions that older seeds did not make. With a mask for these, older seeds play as they did before there were such
     * decisions.
     */
    private final Random later;

    private final ScheduleCounts counts = new ScheduleCounts();
    private final SimulatedNetwork network;
    private final StepRecords steps;
    private final StoreNode stores;
    private final Optional<SimulatedGroup> group;
    private final MasterNode master;
    private final List<WorkerNode> workers = new ArrayList<>();
    private final List<Client> clients = new ArrayList<>();
    private final SimulatedNode door;
    private final Map<String, String> options = new HashMap<>(MOUNT);

    /** Draws the faults of a schedule, on its thread. */
    public ClusterRun(ClusterWorkload workload) {
        this.workload = workload;
        later = new Random(schedule.seed() * MIX ^ 1);
        swarm = Swarm.draw(schedule.random(), later).without(workload.mask());
        network = new SimulatedNetwork(schedule, swarm, counts);
        steps = new StepRecords(schedule);
        stores = new StoreNode(schedule, swarm, steps);
        group = swarm.group()
                ? Optional.of(new SimulatedGroup(new SimulatedNode("majority", schedule, swarm), network, schedule))
                : Optional.empty();
        master = new MasterNode(new SimulatedNode("master", schedule, swarm), network, stores, steps, group);
        door = new SimulatedNode("clients", schedule, swarm);
        options.put("packing.seal.after", swarm.sealSeconds() + "s");
        if (swarm.smallBlobs()) {
            options.put("packing.blob.max.bytes", "64KB");
        }
        if (swarm.upkeep()) {
            options.putAll(UPKEEP);
        }
        options.put("packing.durability", swarm.forgetful() ? "buffered" : workload.durability());
    }

    /** Plays operations, and puts its counts into the map. */
    @Override
    public void accept(Map<String, Long> into) {
        try {
            play(workload.operations());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            counts.into(into);
        }
    }

    private void play(int operations) throws InterruptedException {
        schedule.note(swarm.toString());
        Map<String, WorkerNode> addresses = new LinkedHashMap<>();
        for (int i = 0; i < WORKERS; i++) {
            workers.add(new WorkerNode(
                    new SimulatedNode("w" + i, schedule, swarm), network, master, stores, schedule, addresses, steps));
        }
        MachineEnds.Cluster cluster = new MachineEnds.Cluster(master, workers, door, group);
        MachineEnds ends = new MachineEnds(schedule, swarm, network, cluster, new Starts());
        int mostFaults = workload.mask().mostFaults();
        SiteEnds siteEnds = new SiteEnds(schedule, counts, ends, cluster, mostFaults);
        MachineFaults faults =
                new MachineFaults(schedule, swarm, counts, network, stores, ends, siteEnds, cluster, mostFaults);
        boolean aims = swarm.machines().getOrDefault(FaultKind.SITE, 0) > 0 && mostFaults > 0;
        if (aims) {
            // The first starts have sites, too.
            siteEnds.aim();
        }
        if (mostFaults > 0) {
            schedule.sites().aimAtShare(swarm.rareSites());
        }
        for (int i = 0; i < cluster.endingAtSites(); i++) {
            cluster.node(i).endAtSites();
        }
        Thread endingAtSites = new Thread(siteEnds, "site-ends");
        endingAtSites.start();
        group.ifPresent(SimulatedGroup::start);
        startMaster();
        workers.forEach(this::startWorker);
        OperationRecords.Moments moments = new OperationRecords.Moments();
        int most = workload.mask().clients();
        for (int i = 0; i < most; i++) {
            clients.add(new Client(i, door, workers, network, swarm, schedule, counts, moments, steps));
        }
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            Client client = clients.get(i);
            int share = (operations + i) / most;
            threads.add(schedule.start(door.machine(), "client-" + i, () -> work(client, share)));
        }
        Thread fate = new Thread(faults, "fate");
        fate.start();
        for (Thread thread : threads) {
            thread.join();
        }
        if (aims && schedule.random().nextInt(UPKEEPS) == 0) {
            // Most calls of upkeep come later than the last operation of a schedule.
            siteEnds.aim();
            TimeUnit.SECONDS.sleep(UPKEEP_SECONDS);
        } else if (swarm.rareSites() > 0 && later.nextInt(UPKEEPS) == 0) {
            TimeUnit.SECONDS.sleep(UPKEEP_SECONDS);
        }
        faults.end();
        fate.interrupt();
        fate.join();
        siteEnds.end();
        endingAtSites.join();
        network.heal();
        stores.heal();
        schedule.note("healed");
        check();
    }

    private void work(Client client, int operations) {
        try {
            for (int i = 0; i < operations; i++) {
                client.step(clients);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void check() throws InterruptedException {
        if (swarm.forgetful()) {
            TimeUnit.SECONDS.sleep(FORGOTTEN_SECONDS);
            clients.forEach(Client::checkBytes);
            return;
        }
        long begin = schedule.nanos();
        long back = begin + TimeUnit.SECONDS.toNanos(BACK_SECONDS);
        long end = begin + TimeUnit.SECONDS.toNanos(HEAL_SECONDS);
        for (Client client : clients) {
            while (true) {
                try {
                    client.check(schedule.nanos() < back);
                    break;
                } catch (IOException e) {
                    schedule.note("check failed: " + e);
                    if (schedule.nanos() > end) {
                        throw new IllegalStateException("%d s after the faults: %s".formatted(HEAL_SECONDS, e), e);
                    }
                    TimeUnit.SECONDS.sleep(1);
                }
            }
        }
    }

    /** The supervisor of all processes. */
    private final class Starts implements MachineEnds.Supervisor {
        @Override
        public void startMaster() {
            ClusterRun.this.startMaster();
        }

        @Override
        public void startWorker(WorkerNode worker) {
            ClusterRun.this.startWorker(worker);
        }

        @Override
        public void tableIsLost() {
            steps.tableLost();
            clients.forEach(Client::tableIsLost);
        }
    }

    private void startMaster() {
        SimulatedNode node = master.node();
        Thread unused = schedule.start(node.machine(), node.machine() + "-main", () -> {
            try {
                master.start();
            } catch (IOException e) {
                throw new IllegalStateException("the master does not start", e);
            }
        });
    }

    /** Starts a worker, and again after a failure, as a supervisor does. */
    private void startWorker(WorkerNode worker) {
        SimulatedNode node = worker.node();
        Thread unused = schedule.start(node.machine(), node.machine() + "-main", () -> {
            while (true) {
                try {
                    worker.start(MountOptions.from(options));
                    schedule.note("started");
                    return;
                } catch (IOException e) {
                    schedule.note("does not start: " + e);
                    pause(1_000);
                }
            }
        });
    }

    private static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
