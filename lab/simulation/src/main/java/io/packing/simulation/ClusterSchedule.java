// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation;

import io.packing.simulation.relink.PlantedDefect;
import io.packing.simulation.relink.RelinkingLoader;
import io.packing.simulation.schedule.ClusterWorkload;
import io.packing.simulation.schedule.Schedule;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** A player of schedules of a cluster, whose classes it loads once. */
final class ClusterSchedule {
    private static final String RUN = "io.packing.simulation.cluster.ClusterRun";
    private static final int WARM_OPERATIONS = 500;
    private static final int MEAN_POINTS = 50;
    private static final long MOST_STEPS = 3_000_000;

    /**
     * The result of a schedule.
     *
     * @param counts of operations and faults, and of what must not be
     * @param failure that ended it early
     * @param story the last notes
     */
    record Result(
            long seed,
            Map<String, Long> counts,
            Optional<Throwable> failure,
            long steps,
            long trace,
            List<String> story) {
        long count(String name) {
            return counts.getOrDefault(name, 0L);
        }

        boolean isStuck() {
            return failure.isPresent();
        }

        boolean isSound() {
            return !isStuck() && count("lost") + count("returned") + count("wrong") + count("unlinearizable") == 0;
        }
    }

    private final Class<?> run;

    /** Loads the cluster, and plays a schedule: what classes do at their first use is no part of a seed. */
    ClusterSchedule() throws ClassNotFoundException, InterruptedException {
        this(Optional.empty());
    }

    /** @param defect that the cluster has */
    ClusterSchedule(Optional<PlantedDefect> defect) throws ClassNotFoundException, InterruptedException {
        run = Class.forName(RUN, true, new RelinkingLoader(ClusterSchedule.class.getClassLoader(), defect));
        Result unused = play(0, ClusterWorkload.of(WARM_OPERATIONS));
    }

    /** Plays the schedule of a seed. */
    Result play(long seed, ClusterWorkload workload) throws InterruptedException {
        Schedule schedule = new Schedule(new Schedule.Terms(seed, MEAN_POINTS, MOST_STEPS));
        Map<String, Long> counts = new TreeMap<>();
        schedule.run("control", () -> made().accept(workload, counts));
        return new Result(seed, counts, schedule.failure(), schedule.steps(), schedule.trace(), schedule.story());
    }

    @SuppressWarnings("unchecked")
    private BiConsumer<ClusterWorkload, Map<String, Long>> made() {
        try {
            return (BiConsumer<ClusterWorkload, Map<String, Long>>)
                    run.getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(RUN, e);
        }
    }
}
