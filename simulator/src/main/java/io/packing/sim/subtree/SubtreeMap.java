package io.packing.sim.subtree;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;

/** How much each subtree is used and has, and which group has it. */
final class SubtreeMap {
    private final int groups;
    private final double[] heat;
    private final double[] size;
    private final int[] owner;

    /** Spreads subtrees, the most used first, each to the group that is used least so far. */
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
                // Of groups that are used alike, the emptiest.
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

    /** Running sums of how much subtrees are used, to draw from. */
    double[] sums() {
        double[] sums = heat.clone();
        Arrays.parallelPrefix(sums, Double::sum);
        return sums;
    }

    /** How much each group is used. */
    double[] used() {
        return ofGroups(heat);
    }

    /** What each group has of the files. */
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

    /** Gives some subtrees the use of each other, as another day does. */
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
     * What the moves were that brought all groups back below a limit.
     *
     * @param size share of the files
     */
    record Moves(int count, double size) {}

    /** Moves subtrees from groups that are used more than the limit to the one that is used least, those first that have the least for their use. */
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
