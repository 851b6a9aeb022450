// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.masters;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * The acts of a round, drawn from one seed. Every round kills the leader.
 *
 * @param seed of the round
 * @param guarded whether all ports have TLS, and all stored bytes are encrypted
 */
record MasterGroupPlan(long seed, boolean guarded, List<Step> steps) {
    private static final int MOST_OTHERS = 2;

    /**
     * An act with its times.
     *
     * @param before time for which clients go on before it, milliseconds
     * @param lasts length of the act, milliseconds
     * @param silent whether connections stay open but pass no bytes; otherwise both sides see them closed
     * @param which number that selects one of several processes or values
     */
    record Step(MasterGroupAct act, long before, long lasts, boolean silent, int which) {
        @Override
        public String toString() {
            return "%s%s %d ms".formatted(act, silent ? " silently" : "", lasts);
        }
    }

    MasterGroupPlan {
        steps = List.copyOf(steps);
    }

    static MasterGroupPlan of(long seed) {
        Random random = new Random(seed);
        List<MasterGroupAct> acts = new ArrayList<>(Arrays.asList(MasterGroupAct.values()));
        // Another generator draws this: the first number of the other one is nearly the same for all small seeds.
        boolean guarded = new SplittableRandom(seed).nextBoolean();
        acts.removeIf(act -> act.isOfGuard() && !guarded);
        Collections.shuffle(acts, random);
        acts.remove(MasterGroupAct.KILL_LEADER);
        acts.subList(1 + random.nextInt(MOST_OTHERS), acts.size()).clear();
        acts.add(random.nextInt(acts.size() + 1), MasterGroupAct.KILL_LEADER);
        List<Step> steps = new ArrayList<>();
        for (MasterGroupAct act : acts) {
            boolean kill = act.name().startsWith("KILL");
            // A cut lasts longer than the lease of a leader, and is short enough for many rounds.
            long lasts = kill ? random.nextInt(100, 1_500) : random.nextInt(1_500, 4_000);
            steps.add(new Step(act, random.nextInt(200, 1_000), lasts, random.nextBoolean(), random.nextInt(1_000)));
        }
        return new MasterGroupPlan(seed, guarded, steps);
    }
}
