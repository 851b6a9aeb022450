// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.layers;

import io.packing.sim.Rhythm;
import io.packing.sim.hdfs.HdfsOptions;
import io.packing.sim.node.NodeStoreOptions;

/**
 * The parameters of one simulation, in the paper's sizes and times.
 *
 * @param flashCycles program/erase cycles that flash survives
 * @param until nanoseconds after which the trace is cut, {@link Long#MAX_VALUE} for never; likewise {@code crashAt}
 * @param reorderNanos most time by which an event may be late in the trace and still be put in order
 */
public record SimulatorOptions(
        long blockBytes,
        int replicas,
        HdfsOptions.Architecture architecture,
        int observed,
        NodeStoreOptions store,
        long flashCycles,
        CostOptions cost,
        Rhythm rhythm,
        long jitterNanos,
        long seed,
        long until,
        long crashAt,
        long reorderNanos,
        boolean touched) {
    public SimulatorOptions {
        if (flashCycles < 1) {
            throw new IllegalArgumentException("flash.cycles: 1 at least, not " + flashCycles);
        }
        if (jitterNanos < 0 || until < 1 || crashAt < 0 || reorderNanos < 0) {
            throw new IllegalArgumentException("run: times are not below 0");
        }
    }
}
