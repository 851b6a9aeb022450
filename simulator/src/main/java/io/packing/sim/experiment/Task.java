package io.packing.sim.experiment;

import io.packing.sim.RunResult;
import java.io.IOException;
import java.util.Set;
import java.util.function.LongConsumer;

/** What one point of a sweep runs. */
sealed interface Task
        permits StackTask, PackTask, CacheTask, DesktopTask, RegistryTask, RegistryNodesTask, SubtreesTask {
    /** All that the result depends on. */
    String identity() throws IOException;

    /** Bytes of memory for the simulated caches. */
    long memory();

    /** Events or requests of the trace, about; 0 when only reading the files would tell. */
    long expectedEvents();

    /** What it plays. */
    Input input();

    /**
     * How far a metric may be off by chance, about, when only one seed was run; 0 for what is exact.
     *
     * @param run a run of this task
     */
    double chance(RunResult run, String metric);

    /** Names of the metrics that a run gives. */
    Set<String> metrics();

    /**
     * Runs the simulation.
     *
     * @param played is told how many events have been played, now and then
     */
    RunResult run(LongConsumer played) throws IOException;
}
