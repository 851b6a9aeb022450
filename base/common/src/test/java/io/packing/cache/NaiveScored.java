// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** The policies that give each block a score, with a search of all blocks at each eviction. */
final class NaiveScored {
    private NaiveScored() {}

    /** Age of the cache, and requests: the paper's K = L + F. */
    static final class Gdsf implements NaiveCaches.Naive {
        private final int capacity;
        private final Map<Long, Double> priorities = new HashMap<>();
        private final Map<Long, Integer> requests = new HashMap<>();
        private final Map<Long, Integer> last = new HashMap<>();
        private double age;
        private int turn;

        Gdsf(int capacity) {
            this.capacity = capacity;
        }

        @Override
        public boolean request(long block) {
            turn++;
            boolean hit = priorities.containsKey(block);
            requests.merge(block, 1, Integer::sum);
            priorities.put(block, age + requests.getOrDefault(block, 0) * 1e6);
            last.put(block, turn);
            if (priorities.size() > capacity) {
                long lowest = priorities.keySet().stream()
                        .min(Comparator.<Long>comparingDouble(priorities::get).thenComparing(last::get))
                        .orElseThrow();
                age = priorities.getOrDefault(lowest, 0.0);
                priorities.remove(lowest);
                requests.remove(lowest);
            }
            return hit;
        }

        @Override
        public Set<Long> content() {
            return Set.copyOf(priorities.keySet());
        }
    }

    /** Requests for each request since the block came in. */
    static final class Hyperbolic implements NaiveCaches.Naive {
        private final int capacity;
        private final List<Long> held = new ArrayList<>();
        private final Map<Long, Integer> requests = new HashMap<>();
        private final Map<Long, Integer> entered = new HashMap<>();
        private final SplittableRandom random = SlotSample.numbers();
        private int turn;

        Hyperbolic(int capacity) {
            this.capacity = capacity;
        }

        @Override
        public boolean request(long block) {
            turn++;
            if (held.contains(block)) {
                requests.merge(block, 1, Integer::sum);
                return true;
            }
            if (held.size() == capacity) {
                List<Long> candidates = new ArrayList<>(held);
                if (capacity > 64) {
                    candidates.clear();
                    for (int i = 0; i < 64; i++) {
                        candidates.add(held.get(random.nextInt(capacity)));
                    }
                }
                long lowest = candidates.stream()
                        .min(Comparator.<Long>comparingDouble(one ->
                                        requests.getOrDefault(one, 0) / (double) (turn - entered.getOrDefault(one, 0)))
                                .thenComparing(entered::get))
                        .orElseThrow();
                // The last one takes its place.
                held.set(held.indexOf(lowest), held.get(held.size() - 1));
                held.remove(held.size() - 1);
            }
            held.add(block);
            requests.put(block, 1);
            entered.put(block, turn);
            return false;
        }

        @Override
        public Set<Long> content() {
            return new HashSet<>(held);
        }
    }

    /** Algorithm 1 of the paper, with lists. */
    static final class Lecar implements NaiveCaches.Naive {
        private final int capacity;
        private final List<Long> byUse = new ArrayList<>();
        private final Map<Long, Integer> requests = new HashMap<>();
        private final List<Long> leftByLru = new ArrayList<>();
        private final List<Long> leftByLfu = new ArrayList<>();
        private final Map<Long, Integer> leftAt = new HashMap<>();
        private final SplittableRandom random = LecarCache.numbers();
        private double lru = 0.5;
        private double lfu = 0.5;
        private int turn;

        Lecar(int capacity) {
            this.capacity = capacity;
        }

        @Override
        public boolean request(long block) {
            turn++;
            if (byUse.remove(block)) {
                byUse.add(block);
                requests.merge(block, 1, Integer::sum);
                return true;
            }
            double reward = Math.pow(0.005, (turn - leftAt.getOrDefault(block, 0)) / (double) capacity);
            if (leftByLru.remove(block)) {
                lfu *= Math.exp(0.45 * reward);
            } else if (leftByLfu.remove(block)) {
                lru *= Math.exp(0.45 * reward);
            }
            double both = lru + lfu;
            lru /= both;
            lfu /= both;
            if (byUse.size() == capacity) {
                boolean first = random.nextDouble() < lru;
                long leaves = first
                        ? byUse.get(0)
                        : byUse.stream()
                                .min(Comparator.<Long>comparingInt(requests::get)
                                        .thenComparing(byUse::indexOf))
                                .orElseThrow();
                byUse.remove(leaves);
                List<Long> names = first ? leftByLru : leftByLfu;
                names.add(leaves);
                leftAt.put(leaves, turn);
                if (names.size() > capacity) {
                    names.remove(0);
                }
            }
            byUse.add(block);
            requests.put(block, 1);
            return false;
        }

        @Override
        public Set<Long> content() {
            return new HashSet<>(byUse);
        }
    }
}
