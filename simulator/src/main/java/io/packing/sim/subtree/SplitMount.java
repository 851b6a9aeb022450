// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.subtree;

/**
 * A simulated mount that is split by subtree.
 *
 * @param groups of masters that have its subtrees
 * @param masters of a group
 * @param files of the mount
 * @param bytesPerFile of a master's table
 * @param workers each of which has a session with each group
 * @param subtrees the pieces that a group has whole
 * @param heatSkew exponent of Zipf's law of the subtrees' use; 0: all alike
 * @param sizeSkew exponent of Zipf's law of the subtrees' sizes; 0: all alike
 * @param rates of the requests
 * @param costs of a group's work
 * @param drift share of the subtrees whose use changes from one day to the next
 * @param tolerance share by which a group's use may exceed the mean before a subtree leaves the group
 */
public record SplitMount(
        int groups,
        int masters,
        long files,
        double bytesPerFile,
        int workers,
        int subtrees,
        double heatSkew,
        double sizeSkew,
        Rates rates,
        Costs costs,
        double drift,
        double tolerance) {
    /**
     * The rates of requests to the mount, per second.
     *
     * @param creates files that are claimed and committed
     * @param locates reads of the namespace
     * @param changes renames, deletes and vectors
     * @param cross share of the changes that are in two subtrees
     * @param heartbeats of a worker to each group
     */
    public record Rates(double creates, double locates, double changes, double cross, double heartbeats) {}

    /**
     * The times of a master's work, in microseconds.
     *
     * @param sync of the log, for each of the two steps of a change in two groups
     * @param trip between two groups
     */
    public record Costs(double create, double locate, double change, double heartbeat, double sync, double trip) {}

    public SplitMount {
        if (groups < 1 || masters < 1 || subtrees < groups || workers < 0 || files < 0) {
            throw new IllegalArgumentException("subtrees: %d subtrees for %d groups of %d masters, %d workers"
                    .formatted(subtrees, groups, masters, workers));
        }
        if (!(rates.creates + rates.locates + rates.changes > 0)) {
            throw new IllegalArgumentException("subtrees: all rates are 0");
        }
        if (!(rates.cross >= 0 && rates.cross <= 1) || !(drift >= 0 && drift <= 1) || !(tolerance >= 0)) {
            throw new IllegalArgumentException("subtrees: cross and drift are shares from 0 to 1");
        }
        if (!(heatSkew >= 0 && heatSkew <= 3) || !(sizeSkew >= 0 && sizeSkew <= 3)) {
            throw new IllegalArgumentException("subtrees: skews are from 0 to 3");
        }
    }
}
