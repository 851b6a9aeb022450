// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.subtree;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;

/** The use and the size of each subtree, and the group that has it. */
final class SubtreeMap {
    private final int groups;
    private final double[] heat;
    private final double[] size;
    private final int[] owner;

    /** Spreads subtrees, the most used first, each to the least used group so far. */
    SubtreeMap(SplitMount mount, Random random) {
        this.groups = mount.groups();
        this.heat = zipf(mount.subtrees(), mount.heatSkew());
        this.size = shuffled(zipf(mount.subtrees(), mount.sizeSkew()), random);
        this.owner = new int[heat.length];
        double[] used = new double[groups];
        double[] full = new double[groups];
        for (int subtree = 0; subtree < heat.length; subtree++) {
            int best = 0;
            for (int group = 1; group < groups; group++) {
                // Among groups of equal use, the emptiest one gets the subtree.
                if (used[group] + full[group] / 8 < used[best] + full[best] / 8) {
                    best = group;
                }
            }
            owner[subtree] = best;
            used[best] += heat[subtree];
            full[best] += size[subtree];
        }
    }

    private static double[] zipf(int count, double skew) {
        double[] shares = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            shares[i] = Math.pow(i + 1, -skew);
            sum += shares[i];
        }
        for (int i = 0; i < count; i++) {
            shares[i] /= sum;
        }
        return shares;
    }

    private static double[] shuffled(double[] values, Random random) {
        for (int i = values.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            double kept = values[i];
            values[i] = values[other];
            values[other] = kept;
        }
        return values;
    }

    int owner(int subtree) {
        return owner[subtree];
    }

    /** Returns running sums of the subtrees' use, to draw from. */
    double[] sums() {
        double[] sums = heat.clone();
        Arrays.parallelPrefix(sums, Double::sum);
        return sums;
    }

    /** Returns the use of each group. */
    double[] used() {
        return ofGroups(heat);
    }

    /** Returns each group's share of the files. */
    double[] full() {
        return ofGroups(size);
    }

    private double[] ofGroups(double[] values) {
        double[] sums = new double[groups];
        for (int subtree = 0; subtree < values.length; subtree++) {
            sums[owner[subtree]] += values[subtree];
        }
        return sums;
    }

    /** Exchanges the use of some subtrees, as a new day does. */
    void drift(double share, Random random) {
        int[] changed = IntStream.range(0, heat.length)
                .filter(i -> random.nextDouble() < share)
                .toArray();
        double[] values =
                shuffled(Arrays.stream(changed).mapToDouble(i -> heat[i]).toArray(), random);
        for (int i = 0; i < changed.length; i++) {
            heat[changed[i]] = values[i];
        }
    }

    /**
     * The moves that brought all groups back below a limit.
     *
     * @param size share of the files
     */
    record Moves(int count, double size) {}

    /**
     * Moves subtrees from groups above the limit to the least used group. Subtrees with the fewest files for their use
     * move first.
     */
    Moves balance(double limit) {
        double[] used = used();
        Integer[] order = IntStream.range(0, heat.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> size[i] / heat[i]))
                .toArray(Integer[]::new);
        int count = 0;
        double moved = 0;
        for (int subtree : order) {
            int from = owner[subtree];
            if (used[from] <= limit) {
                continue;
            }
            int to = IntStream.range(0, groups)
                    .boxed()
                    .min(Comparator.comparingDouble(group -> used[group]))
                    .orElseThrow();
            if (used[to] + heat[subtree] <= limit) {
                owner[subtree] = to;
                used[from] -= heat[subtree];
                used[to] += heat[subtree];
                count++;
                moved += size[subtree];
            }
        }
        return new Moves(count, moved);
    }
}
