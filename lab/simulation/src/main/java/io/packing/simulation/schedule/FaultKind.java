// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

/** A kind of fault, which a {@link ScheduleMask} may leave out of a schedule. */
public enum FaultKind {
    /** A process ends at once; the operating system keeps what it wrote. */
    KILL,
    /** A machine loses power, and what was not forced. */
    POWER_LOSS,
    /** A machine loses power while it forces, often twice in a row: bytes are on their way to the disk. */
    CUT,
    /** A process or its machine ends right before one of its writes, syncs, sends or commits, and often once more while it starts. */
    SITE,
    /** A process stops in order, as an operator stops it. */
    STOP,
    /** Most requests of the store fail for some seconds, many of them after they took effect. */
    STORM,
    /** Two machines do not reach each other for a time. */
    PARTITION,
    /** The calls of a worker's sessions arrive late, some of them when their process has ended and the next one has begun. */
    STALL,
    /** The master, or its lead of a group, ends right after it did one of its next calls, and often once more right after that. */
    AFTER_CALL,
    /** The master starts without its directory. */
    LOST_DIRECTORY,
    /** The master starts on an older copy of its directory. */
    OLDER_DIRECTORY,
    /** The network loses calls. */
    CALLS,
    /** The store fails requests outside of storms. */
    REQUESTS,
    /** Forces of the disk take time. */
    SLOW_FORCES,
    /** The mount does not sync, and may lose files with the power. */
    FORGETFUL,
    /** A worker of a mount that does not sync finds a flipped bit in its buffer after a loss of power. */
    FLIPPED_BITS,
    /** The master is a member of a group; after its end, the next member goes on with the group's tables. */
    GROUP,
    /** Processes end once at each of a share of the sites that not all schedules reach. */
    RARE_SITES,
    /** Blobs are a quarter as large, so that a schedule fills, pushes, collects and compacts more of them. */
    SMALL_BLOBS,
    /** The seed changes the turn between points at which a thread waits. */
    TURNS;

    /** Returns true for a fault of machines and processes, of which one comes after another. */
    public boolean isOfMachines() {
        return compareTo(OLDER_DIRECTORY) <= 0;
    }
}
