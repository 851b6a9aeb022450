// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.util.concurrent.ForkJoinPool;

/** The place of the common pool in a simulation: each task gets a thread of its own. */
final class SimulatedCommonPool extends ForkJoinPool {
    static final SimulatedCommonPool ONLY = new SimulatedCommonPool();

    private SimulatedCommonPool() {
        super(1);
    }

    @Override
    public void execute(Runnable task) {
        new SimulatedThread(task, "common-pool").start();
    }
}
