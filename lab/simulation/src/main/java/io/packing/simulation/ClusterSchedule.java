// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation;

import io.packing.simulation.relink.PlantedDefect;
import io.packing.simulation.relink.RelinkingLoader;
import io.packing.simulation.schedule.Carriers;
import io.packing.simulation.schedule.ClusterWorkload;
import io.packing.simulation.schedule.FaultKind;
import io.packing.simulation.schedule.FaultSites;
import io.packing.simulation.schedule.Schedule;
import io.packing.simulation.schedule.ScheduleMask;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A player of schedules of a cluster, whose classes it loads once. */
public final class ClusterSchedule {
    private static final List<String> SIGNS = List.of("lost", "returned", "wrong", "unlinearizable");
    private static final String RUN = "io.packing.simulation.cluster.ClusterRun";
    /** The first schedules of a process, which have all that classes do at their first use. */
    private static final List<Long> WARM_SEEDS = List.of(0L, -1L, -2L, -3L, -4L);

    private static final int WARM_OPERATIONS = 250;
    /** The aims of all seeds depend on what the first schedules reach. So these leave out each kind that came later. */
    private static final ScheduleMask WARM_MASK = new ScheduleMask(
            EnumSet.of(FaultKind.RARE_SITES, FaultKind.SMALL_BLOBS),
            ScheduleMask.NONE.mostFaults(),
            ScheduleMask.NONE.clients());

    private static final int MEAN_POINTS = 50;
    /** Points between two forced changes of the turn, more than a schedule has. */
    private static final int NO_CHANGE = Integer.MAX_VALUE;

    private static final long MOST_STEPS = 3_000_000;

    /**
     * The result of a schedule.
     *
     * @param counts of operations and faults, and of what must not be
     * @param failure that ended it early
     * @param story the last notes
     * @param records of a recorded schedule
     */
    public record Result(
            long seed,
            Map<String, Long> counts,
            Optional<Throwable> failure,
            long steps,
            long trace,
            List<String> story,
            List<String> records) {
        /** Returns a count; 0 if the schedule has none of that name. */
        public long count(String name) {
            return counts.getOrDefault(name, 0L);
        }

        /** Returns true if the schedule did not come to its end. */
        public boolean isStuck() {
            return failure.isPresent();
        }

        /** Returns the signs of what must not be; empty for a sound schedule. */
        public String sign() {
            return isStuck()
                    ? "stuck"
                    : SIGNS.stream().filter(name -> count(name) > 0).collect(Collectors.joining(" "));
        }

        /** Returns true if nothing was lost, came back, was wrong or stuck. */
        public boolean isSound() {
            return sign().isEmpty();
        }
    }

    private final FaultSites sites = new FaultSites();
    private final Carriers carriers = new Carriers();
    private final Class<?> run;

    /** Loads the cluster, and plays some schedules: what classes do at their first use is no part of a seed. */
    public ClusterSchedule() throws ClassNotFoundException, InterruptedException {
        this(Optional.empty());
    }

    /** @param defect that the cluster has */
    public ClusterSchedule(Optional<PlantedDefect> defect) throws ClassNotFoundException, InterruptedException {
        run = Class.forName(RUN, true, new RelinkingLoader(ClusterSchedule.class.getClassLoader(), defect, sites));
        for (long seed : WARM_SEEDS) {
            Result unused = play(seed, ClusterWorkload.of(WARM_OPERATIONS).with(WARM_OPERATIONS, WARM_MASK));
        }
        sites.aimAtLinked();
    }

    /** Plays the schedule of a seed. */
    public Result play(long seed, ClusterWorkload workload) throws InterruptedException {
        int meanPoints = workload.mask().allows(FaultKind.TURNS) ? MEAN_POINTS : NO_CHANGE;
        Schedule schedule =
                new Schedule(new Schedule.Terms(seed, meanPoints, MOST_STEPS, workload.recorded()), sites, carriers);
        Map<String, Long> counts = new TreeMap<>();
        schedule.run("control", () -> made(workload).accept(counts));
        return new Result(
                seed,
                counts,
                schedule.failure(),
                schedule.steps(),
                schedule.trace(),
                schedule.story(),
                schedule.records().lines());
    }

    /** Counts the faults of all sites from now on. */
    public void watchStacks() {
        sites.watchStacks();
    }

    /** Returns the sites of production in the classes that were used, with the faults of all schedules that were played. */
    public List<FaultSites.Site> sites() {
        return sites.all();
    }

    @SuppressWarnings("unchecked")
    private Consumer<Map<String, Long>> made(ClusterWorkload workload) {
        try {
            return (Consumer<Map<String, Long>>)
                    run.getConstructor(ClusterWorkload.class).newInstance(workload);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(RUN, e);
        }
    }
}
