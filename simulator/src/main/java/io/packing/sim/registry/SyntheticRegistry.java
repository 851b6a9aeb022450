// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.registry;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A synthetic trace of a registry. Repositories stand on shared bases, and a push replaces upper layers now and then.
 * Users pull the newest image of a repository, and of it only the layers that they lack. It keeps three figures of the
 * IBM traces from DupHunter's paper (§3.4). These are the rate of users that pull a layer twice, the wait between a
 * manifest and a layer, and the share of users without a cache. Equal parameters give equal requests.
 *
 * @param repositories whose popularity follows Zipf's law
 * @param bases stacks of layers below those of the repositories
 * @param users whose activity follows Zipf's law
 * @param pulls of images
 * @param skew of both laws
 * @param favourites repositories of each user, which get most of the user's pulls
 * @param forgetful share of the users that keep no layer
 * @param pushes of new versions, for each pull
 * @param pullEveryMicros mean time between two pulls
 * @param layerMedian bytes; sizes are log-normal
 * @param layerSigma of the logarithm
 * @param clientRate bytes a second of a user's pull, all its connections together
 */
public record SyntheticRegistry(
        int repositories,
        int bases,
        int users,
        int pulls,
        double skew,
        int favourites,
        double forgetful,
        double pushes,
        long pullEveryMicros,
        long layerMedian,
        double layerSigma,
        long clientRate,
        long seed) {
    private static final int MOST_LAYERS = 6;
    private static final long LARGEST = 2L << 30;
    /** The layers that a client pulls at a time (§3.4). */
    private static final int CONNECTIONS = 3;
    /** The share of a user's pulls that go to the favourites. */
    private static final double LOYALTY = 0.8;

    private static final double MICROS = 1e6;

    public SyntheticRegistry {
        if (repositories < 1 || bases < 1 || users < 1 || pulls < 1 || favourites < 1) {
            throw new IllegalArgumentException(
                    "registry.synthetic: repositories, bases, users, pulls and favourites are 1 at least");
        }
        if (!(forgetful >= 0 && forgetful <= 1) || !(pushes >= 0 && pushes <= 10) || !(skew >= 0 && skew <= 10)) {
            throw new IllegalArgumentException(
                    "registry.synthetic: forgetful is from 0 to 1, pushes and skew are from 0 to 10");
        }
        if (pullEveryMicros < 1 || layerMedian < 1 || !(layerSigma >= 0 && layerSigma <= 5) || clientRate < 1) {
            throw new IllegalArgumentException("registry.synthetic: bad times or sizes");
        }
    }

    /** Makes the trace. */
    public RegistryTrace make() {
        return new Maker().make();
    }

    private final class Maker {
        private final SplittableRandom random = new SplittableRandom(seed);
        private final double[] popularity = shares(repositories);
        private final double[] activity = shares(users);
        private final List<RegistryRequest> requests = new ArrayList<>();
        private final List<int[]> images = new ArrayList<>();
        private final Map<Integer, BitSet> kept = new HashMap<>();
        private final int[] newest = new int[repositories];
        private final int[] baseLayers = new int[repositories];
        private final int[][] liked = new int[users][favourites];
        private long[] layerBytes = new long[1 << 10];
        private int layers;

        RegistryTrace make() {
            int[][] stacks = new int[bases][];
            for (int i = 0; i < bases; i++) {
                stacks[i] = layers(1 + random.nextInt(3));
            }
            for (int i = 0; i < repositories; i++) {
                int[] base = stacks[Math.min(bases - 1, (int) (bases * Math.pow(random.nextDouble(), 2)))];
                baseLayers[i] = base.length;
                newest[i] = image(base, layers(1 + random.nextInt(MOST_LAYERS)));
            }
            for (int[] each : liked) {
                Arrays.setAll(each, i -> draw(popularity));
            }
            long now = 0;
            for (int i = 0; i < pulls; i++) {
                now += exponential(pullEveryMicros);
                if (random.nextDouble() < pushes) {
                    push(now, draw(popularity));
                }
                pull(now, draw(activity));
            }
            requests.sort(Comparator.comparingLong(RegistryRequest::micros));
            return new RegistryTrace(requests, Arrays.copyOf(layerBytes, layers), images);
        }

        private double[] shares(int count) {
            double[] sums = new double[count];
            double sum = 0;
            for (int i = 0; i < count; i++) {
                sum += Math.pow(i + 1.0, -skew);
                sums[i] = sum;
            }
            return sums;
        }

        private int draw(double[] sums) {
            int at = Arrays.binarySearch(sums, random.nextDouble() * sums[sums.length - 1]);
            return Math.min(sums.length - 1, at >= 0 ? at : -1 - at);
        }

        private long exponential(long mean) {
            return (long) (-mean * Math.log(1 - random.nextDouble()));
        }

        private int[] layers(int count) {
            int[] made = new int[count];
            for (int i = 0; i < count; i++) {
                if (layers == layerBytes.length) {
                    layerBytes = Arrays.copyOf(layerBytes, 2 * layers);
                }
                double size = layerMedian * Math.exp(layerSigma * random.nextGaussian());
                layerBytes[layers] = (long) Math.max(1, Math.min(LARGEST, size));
                made[i] = layers++;
            }
            return made;
        }

        private int image(int[] lower, int[] upper) {
            int[] all = Arrays.copyOf(lower, lower.length + upper.length);
            System.arraycopy(upper, 0, all, lower.length, upper.length);
            images.add(all);
            return images.size() - 1;
        }

        /** Pushes a new version, with other layers from some layer above the base on. */
        private void push(long now, int repository) {
            int[] before = images.get(newest[repository]);
            int first = baseLayers[repository] + random.nextInt(before.length - baseLayers[repository]);
            int[] upper = layers(before.length - first);
            int pusher = users + repository;
            long at = now;
            for (int layer : upper) {
                at += (long) (layerBytes[layer] * MICROS / clientRate);
                requests.add(new RegistryRequest(at, pusher, RegistryRequest.Kind.PUT_LAYER, layer));
            }
            newest[repository] = image(Arrays.copyOf(before, first), upper);
        }

        private void pull(long now, int user) {
            int repository = random.nextDouble() < LOYALTY ? liked[user][random.nextInt(favourites)] : draw(popularity);
            int image = newest[repository];
            requests.add(new RegistryRequest(now, user, RegistryRequest.Kind.GET_MANIFEST, image));
            boolean forgets = user < users * forgetful;
            BitSet has = forgets ? new BitSet() : kept.computeIfAbsent(user, absent -> new BitSet());
            long[] free = new long[CONNECTIONS];
            Arrays.fill(free, now + thinking());
            for (int layer : images.get(image)) {
                if (!has.get(layer)) {
                    has.set(layer);
                    Arrays.sort(free);
                    requests.add(new RegistryRequest(free[0], user, RegistryRequest.Kind.GET_LAYER, layer));
                    free[0] += (long) (layerBytes[layer] * CONNECTIONS * MICROS / clientRate);
                }
            }
        }

        /**
         * Draws the wait between a manifest and the first layer: 20 % within a second (London), 40 % within five
         * (Sydney), Figure 5.
         */
        private long thinking() {
            double part = random.nextDouble();
            double seconds;
            if (part < 0.2) {
                seconds = 0.05 + 0.95 * random.nextDouble();
            } else if (part < 0.4) {
                seconds = 1 + 4 * random.nextDouble();
            } else {
                seconds = 5 - 5 * Math.log(1 - random.nextDouble());
            }
            return (long) (seconds * MICROS);
        }
    }
}
