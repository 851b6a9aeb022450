// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

/**
 * A workload of a cluster's clients.
 *
 * @param operations of all clients together
 * @param durability of the mount, as its option has it. The checks want a durability that outlives the loss of power
 */
public record ClusterWorkload(int operations, String durability) {
    /** Returns the usual workload of so many operations. */
    public static ClusterWorkload of(int operations) {
        return new ClusterWorkload(operations, "synced");
    }
}
