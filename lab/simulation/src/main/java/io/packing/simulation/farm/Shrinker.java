// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.farm;

import io.packing.simulation.ClusterSchedule.Result;
import io.packing.simulation.schedule.ClusterWorkload;
import io.packing.simulation.schedule.FaultKind;
import io.packing.simulation.schedule.ScheduleMask;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A search for a small schedule that fails as a large one did. It leaves out kinds of faults, faults, clients and operations. Each
 * workload that is smaller is another schedule of its seed, so the search plays some seeds of it, and keeps it when one fails with
 * the sign of the first failure.
 */
final class Shrinker {
    private static final int SEEDS_OF_A_CANDIDATE = 12;
    /** The distance of the seeds of a candidate, so that those of neighbours differ. */
    private static final long STEP = 1_000_003;

    /** A way to play a schedule. */
    interface Player {
        Result play(long seed, ClusterWorkload workload) throws InterruptedException;
    }

    /**
     * A failed schedule.
     *
     * @param plays the schedules that the search has played
     */
    record Shrunk(Result result, ClusterWorkload workload, int plays) {}

    private final Player player;
    private final int mostPlays;
    private int plays;

    /** @param mostPlays schedules to play at most */
    Shrinker(Player player, int mostPlays) {
        this.player = player;
        this.mostPlays = mostPlays;
    }

    /** Returns a small schedule that fails as a given one does. */
    Shrunk shrink(Result failed, ClusterWorkload workload) throws InterruptedException {
        Shrunk smallest = new Shrunk(failed, workload, 0);
        boolean smaller = true;
        while (smaller) {
            smaller = false;
            for (ClusterWorkload candidate : candidates(smallest)) {
                Optional<Result> fails = failing(candidate, smallest.result(), failed.sign());
                if (fails.isPresent()) {
                    smallest = new Shrunk(fails.get(), candidate, plays);
                    smaller = true;
                    break;
                }
            }
        }
        return new Shrunk(smallest.result(), smallest.workload(), plays);
    }

    private Optional<Result> failing(ClusterWorkload candidate, Result smallest, String sign)
            throws InterruptedException {
        for (int i = 0; i < SEEDS_OF_A_CANDIDATE && plays < mostPlays; i++) {
            plays++;
            Result result = player.play(smallest.seed() + i * STEP, candidate);
            if (result.sign().equals(sign)) {
                return Optional.of(result);
            }
        }
        return Optional.empty();
    }

    /** Returns smaller workloads, first those that leave out most. */
    private static List<ClusterWorkload> candidates(Shrunk of) {
        ClusterWorkload workload = of.workload();
        ScheduleMask mask = workload.mask();
        List<ClusterWorkload> candidates = new ArrayList<>();
        for (int operations : smaller(workload.operations(), mask.clients())) {
            candidates.add(workload.with(operations, mask));
        }
        if (mask.clients() > 1) {
            candidates.add(workload.with(
                    workload.operations(), new ScheduleMask(mask.without(), mask.mostFaults(), mask.clients() - 1)));
        }
        int faults = (int) Math.min(mask.mostFaults(), of.result().count("machine_faults"));
        for (int most : smaller(faults, 0)) {
            candidates.add(
                    workload.with(workload.operations(), new ScheduleMask(mask.without(), most, mask.clients())));
        }
        for (FaultKind kind : FaultKind.values()) {
            if (mask.allows(kind)) {
                Set<FaultKind> without = EnumSet.of(kind);
                without.addAll(mask.without());
                candidates.add(workload.with(
                        workload.operations(), new ScheduleMask(without, mask.mostFaults(), mask.clients())));
            }
        }
        return candidates;
    }

    /** Returns numbers below one, and not below another. */
    private static List<Integer> smaller(int number, int least) {
        List<Integer> numbers = new ArrayList<>();
        for (int each : new int[] {number / 2, number * 3 / 4, number - Math.max(1, number / 8)}) {
            if (each >= least && each < number && !numbers.contains(each)) {
                numbers.add(each);
            }
        }
        return numbers;
    }
}
