// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import io.packing.sim.RunResult;
import java.io.IOException;
import java.util.Set;
import java.util.function.LongConsumer;

/** The work at one point of a sweep. */
sealed interface Task
        permits StackTask, PackTask, CacheTask, DesktopTask, RegistryTask, RegistryNodesTask, SubtreesTask {
    /** Returns a text of all parameters that determine the result. */
    String identity() throws IOException;

    /** Returns the memory of the simulated caches in bytes. */
    long memory();

    /** Returns the events or requests of the trace, about; 0 if only a read of the files could count them. */
    long expectedEvents();

    /** Returns the input. */
    Input input();

    /**
     * Returns the possible error of a metric by chance, about, for a single seed; 0 if the metric is exact.
     *
     * @param run a run of this task
     */
    double chance(RunResult run, String metric);

    /** Returns the names of a run's metrics. */
    Set<String> metrics();

    /**
     * Runs the simulation.
     *
     * @param played receives the number of played events, now and then
     */
    RunResult run(LongConsumer played) throws IOException;
}
