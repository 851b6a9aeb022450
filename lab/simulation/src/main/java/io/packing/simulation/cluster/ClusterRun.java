// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import io.packing.power.Loss;
import io.packing.simulation.schedule.ClusterWorkload;
import io.packing.simulation.schedule.Schedule;
import io.packing.worker.api.MountOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** One schedule of a cluster: a master, two workers, three clients, faults while they work, and a check after the faults have ended. */
public final class ClusterRun implements BiConsumer<ClusterWorkload, Map<String, Long>> {
    private static final int WORKERS = 2;
    private static final int CLIENTS = 3;
    /** Virtual time after the last fault in which all files have to be readable. */
    private static final int HEAL_SECONDS = 300;

    /** Virtual time after the last fault in which all buffered files have to come back to a new table. */
    private static final int BACK_SECONDS = 60;

    private static final List<Loss> LOSSES = List.of(Loss.values());

    private static final Map<String, String> MOUNT = Map.of(
            "packing.store", "file:///simulated",
            "packing.threads", "1",
            "packing.seal.after", "1s",
            "packing.blob.max.bytes", "256KB");

    private final Schedule schedule = Schedule.current();
    private final Random random = schedule.random();
    private final Swarm swarm = Swarm.draw(random);
    private final ScheduleCounts counts = new ScheduleCounts();
    private final SimulatedNetwork network = new SimulatedNetwork(schedule, swarm, counts);
    private final StoreNode stores = new StoreNode(schedule, swarm);
    private final MasterNode master = new MasterNode(new SimulatedNode("master", schedule, swarm), network, stores);
    private final List<WorkerNode> workers = new ArrayList<>();
    private final List<Client> clients = new ArrayList<>();
    private final SimulatedNode door = new SimulatedNode("clients", schedule, swarm);
    private final Map<String, String> options = new HashMap<>(MOUNT);
    private boolean faulty = true;

    /** Plays operations, and puts its counts into the map. */
    @Override
    public void accept(ClusterWorkload workload, Map<String, Long> into) {
        options.put("packing.durability", workload.durability());
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
                    new SimulatedNode("w" + i, schedule, swarm), network, master, stores, schedule, addresses));
        }
        startMaster();
        workers.forEach(this::startWorker);
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new Client(i, door, workers, network, swarm, schedule, counts));
        }
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Client client = clients.get(i);
            int share = (operations + i) / CLIENTS;
            threads.add(schedule.start(door.machine(), "client-" + i, () -> work(client, share)));
        }
        Thread fate = new Thread(this::fate, "fate");
        fate.start();
        for (Thread thread : threads) {
            thread.join();
        }
        faulty = false;
        fate.interrupt();
        fate.join();
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

    private void fate() {
        try {
            while (faulty && swarm.machines() > 0) {
                TimeUnit.MILLISECONDS.sleep(1 + random.nextInt(2 * swarm.meanPauseMillis()));
                counts.faults++;
                fault(random.nextInt(swarm.machines()));
            }
        } catch (InterruptedException e) {
            schedule.note("no more faults");
        }
    }

    private List<SimulatedNode> nodes() {
        List<SimulatedNode> nodes = new ArrayList<>(List.of(master.node(), door));
        workers.forEach(worker -> nodes.add(worker.node()));
        return nodes;
    }

    private void partition() throws InterruptedException {
        List<SimulatedNode> nodes = nodes();
        SimulatedNode one = nodes.get(random.nextInt(nodes.size()));
        SimulatedNode other = nodes.get(random.nextInt(nodes.size()));
        schedule.note("%s and %s do not reach each other".formatted(one.name(), other.name()));
        network.separate(one, other);
        try {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(5_000));
        } finally {
            network.join(one, other);
        }
    }

    /** @param drawn a number below the sum of all weights */
    private void fault(int drawn) throws InterruptedException {
        int above = drawn - swarm.partitions();
        if (above < 0) {
            partition();
        } else if (above < swarm.powerLosses() + swarm.kills()) {
            int which = random.nextInt(WORKERS + 1);
            end(which, above < swarm.powerLosses());
            startAgain(which);
        } else {
            loseTable(above < swarm.powerLosses() + swarm.kills() + swarm.lostDirectories());
            startAgain(WORKERS);
        }
    }

    private SimulatedNode node(int which) {
        return which == WORKERS ? master.node() : workers.get(which).node();
    }

    private void end(int which, boolean power) {
        SimulatedNode node = node(which);
        Loss loss = LOSSES.get(random.nextInt(LOSSES.size()));
        schedule.note("%s %s".formatted(node.name(), power ? "loses power, and of its writes " + loss : "is killed"));
        if (power) {
            node.losePower(loss);
        } else {
            node.kill();
        }
    }

    private void loseTable(boolean whole) throws InterruptedException {
        SimulatedNode node = master.node();
        if (!whole) {
            node.copyDisk();
            schedule.note("the master's directory is copied");
            TimeUnit.MILLISECONDS.sleep(random.nextInt(4 * swarm.meanPauseMillis()));
        }
        schedule.note("the master's directory is " + (whole ? "lost" : "an older copy"));
        if (whole) {
            node.loseDisk();
        } else {
            node.putBack();
        }
        clients.forEach(Client::tableIsLost);
    }

    private void startAgain(int which) {
        SimulatedNode node = node(which);
        network.broken(node.machine());
        if (which == WORKERS) {
            master.ended();
        } else {
            workers.get(which).ended();
        }
        pause(random.nextInt(1_000));
        node.restart();
        if (which == WORKERS) {
            startMaster();
        } else {
            startWorker(workers.get(which));
        }
    }
}
