// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

/**
 * A workload of a cluster's clients.
 *
 * @param operations of all clients together
 * @param durability of the mount, as its option has it. The checks want a durability that outlives the loss of power
 * @param mask what is left out
 * @param recorded true for a schedule with records of the clients' operations and of the protocol's steps
 */
public record ClusterWorkload(int operations, String durability, ScheduleMask mask, boolean recorded) {
    /** Makes a workload with all of a schedule's faults. */
    public ClusterWorkload(int operations, String durability) {
        this(operations, durability, ScheduleMask.NONE, false);
    }

    /** Returns the usual workload of so many operations. */
    public static ClusterWorkload of(int operations) {
        return new ClusterWorkload(operations, "synced");
    }

    /** Returns this workload with other numbers. */
    public ClusterWorkload with(int otherOperations, ScheduleMask otherMask) {
        return new ClusterWorkload(otherOperations, durability, otherMask, recorded);
    }

    /** Returns this workload with records. */
    public ClusterWorkload withRecords() {
        return new ClusterWorkload(operations, durability, mask, true);
    }
}
