// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import io.packing.durable.DurableDirectory;
import io.packing.power.Loss;
import io.packing.power.PowerDisk;
import io.packing.simulation.schedule.Machine;
import io.packing.simulation.schedule.MachineThreads;
import io.packing.simulation.schedule.Schedule;
import io.packing.sorted.SortedStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** A machine with its disk, over several lives. What its processes do, they do on its threads. */
final class SimulatedNode {
    private static final long FORCE_NANOS = 1_000_000_000L;

    private final String name;
    private final Schedule schedule;
    private final Swarm swarm;
    private PowerDisk disk;
    private Optional<PowerDisk> copy = Optional.empty();
    private Machine machine;
    private MachineThreads threads;
    private int lives;
    private int boots;
    /** The moments before and after forces until one stands still, for the power to go; 0: none does. */
    private int forcesUntilCut;

    private boolean atForce;
    private boolean endsAtSites;

    SimulatedNode(String name, Schedule schedule, Swarm swarm) {
        this.name = name;
        this.schedule = schedule;
        this.swarm = swarm;
        this.disk = slow(new PowerDisk());
        this.machine = new Machine(name + "-1", name + " boot 0");
        this.threads = new MachineThreads(schedule, machine);
    }

    /** Makes forces take time, in which the power may go: the bytes are written, and not stable yet. */
    private PowerDisk slow(PowerDisk fresh) {
        fresh.onForce(forced -> {
            if (forcesUntilCut > 0 && --forcesUntilCut == 0) {
                atForce = true;
                schedule.sites().hitCaller();
                schedule.conditions().changed();
                while (true) {
                    // The power goes while this thread waits.
                    LockSupport.parkNanos(FORCE_NANOS);
                }
            }
            if (swarm.forceMicros() > 0 && schedule.random().nextBoolean()) {
                LockSupport.parkNanos(1_000L * schedule.random().nextInt(swarm.forceMicros()));
            }
        });
        return fresh;
    }

    String name() {
        return name;
    }

    /** Returns the machine of the present life. */
    Machine machine() {
        return machine;
    }

    /** Returns the threads of the present life. */
    MachineThreads threads() {
        return threads;
    }

    Path root() {
        return disk.root();
    }

    /** Opens a sorted store, which is in its directory as the files of an engine are. */
    SortedStore table(Path directory) throws IOException {
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
        boots++;
        disk = slow(disk.afterLoss(loss, schedule.random()));
    }

    /** Flips a bit of a file at rest whose name ends so; returns the file's path, if there is such a file. */
    Optional<String> flipBit(String suffix) {
        return disk.flipBit(suffix, schedule.random());
    }

    /** Lets one of the next forces stand still, before or after its effect. */
    void standAtForce(int moments) {
        forcesUntilCut = moments;
        atForce = false;
    }

    /** Returns true if a force stands still. */
    boolean isAtForce() {
        return atForce;
    }

    /** Keeps a copy of the disk as it is now. */
    void copyDisk() {
        copy = Optional.of(disk.afterLoss(Loss.NOTHING, schedule.random()));
    }

    /** Ends all processes; the next ones find an empty disk. */
    void loseDisk() {
        schedule.fail(machine);
        boots++;
        disk = slow(new PowerDisk());
    }

    /** Ends all processes; the next ones find the last copy of the disk, or the disk if there is no copy. */
    void putBack() {
        schedule.fail(machine);
        boots++;
        disk = slow(copy.orElse(disk).afterLoss(Loss.NOTHING, schedule.random()));
    }

    /** Begins the next life. */
    void restart() {
        lives++;
        forcesUntilCut = 0;
        machine = new Machine("%s-%d".formatted(name, lives + 1), "%s boot %d".formatted(name, boots));
        threads = new MachineThreads(schedule, machine);
        if (endsAtSites) {
            machine.endAtSites();
        }
    }

    /** Lets the threads of this life and all later ones stand still at the sites at which a fault aims. */
    void endAtSites() {
        endsAtSites = true;
        machine.endAtSites();
    }

    /** Returns true if a thread of this life stands still at a site, and its machine has not ended. */
    boolean isStanding() {
        return machine.isStanding() && !machine.hasFailed();
    }
}
