// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import io.packing.durable.DurableDirectory;
import io.packing.power.Loss;
import io.packing.power.PowerDisk;
import io.packing.simulation.schedule.Machine;
import io.packing.simulation.schedule.Schedule;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/** A machine with its disk, over several lives. What its processes do, they do on its threads. */
final class SimulatedNode {
    private final String name;
    private final Schedule schedule;
    private final Swarm swarm;
    private PowerDisk disk;
    private Optional<PowerDisk> copy = Optional.empty();
    private Machine machine;
    private ExecutorService threads;
    private int lives;

    SimulatedNode(String name, Schedule schedule, Swarm swarm) {
        this.name = name;
        this.schedule = schedule;
        this.swarm = swarm;
        this.disk = slow(new PowerDisk());
        this.machine = new Machine(name + "-1");
        this.threads = threads(machine);
    }

    /** Makes forces take time, in which the power may go: the bytes are written, and not stable yet. */
    private PowerDisk slow(PowerDisk fresh) {
        fresh.onForce(forced -> {
            if (swarm.forceMicros() > 0 && schedule.random().nextBoolean()) {
                LockSupport.parkNanos(1_000L * schedule.random().nextInt(swarm.forceMicros()));
            }
        });
        return fresh;
    }

    private ExecutorService threads(Machine of) {
        return Executors.newCachedThreadPool(task -> schedule.thread(of, of.name() + "-call", task));
    }

    String name() {
        return name;
    }

    /** Returns the machine of the present life. */
    Machine machine() {
        return machine;
    }

    /** Returns the threads of the present life. */
    ExecutorService threads() {
        return threads;
    }

    Path root() {
        return disk.root();
    }

    /** Opens a sorted store, which is in its directory as the files of an engine are. */
    SortedStore table(Path directory, SortedStoreOptions options) throws IOException {
        // As the engines do: a directory whose name is not forced would take the whole table with it.
        return disk.table(DurableDirectory.create(directory));
    }

    /** Ends all processes; the operating system keeps what they wrote. */
    void kill() {
        schedule.fail(machine);
    }

    /** Ends all processes, and loses what was not forced. */
    void losePower(Loss loss) {
        schedule.fail(machine);
        disk = slow(disk.afterLoss(loss, schedule.random()));
    }

    /** Keeps a copy of the disk as it is now. */
    void copyDisk() {
        copy = Optional.of(disk.afterLoss(Loss.NOTHING, schedule.random()));
    }

    /** Ends all processes; the next ones find an empty disk. */
    void loseDisk() {
        schedule.fail(machine);
        disk = slow(new PowerDisk());
    }

    /** Ends all processes; the next ones find the last copy of the disk, or the disk if there is no copy. */
    void putBack() {
        schedule.fail(machine);
        disk = slow(copy.orElse(disk).afterLoss(Loss.NOTHING, schedule.random()));
    }

    /** Begins the next life. */
    void restart() {
        lives++;
        machine = new Machine("%s-%d".formatted(name, lives + 1));
        threads = threads(machine);
    }
}
