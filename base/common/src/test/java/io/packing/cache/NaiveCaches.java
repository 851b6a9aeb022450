// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The policies of the papers, with lists that are searched from end to end; the oldest block is the first. */
final class NaiveCaches {
    private NaiveCaches() {}

    /** A cache that shows only its content. */
    interface Naive {
        boolean request(long block);

        Set<Long> content();
    }

    static Naive of(CachePolicy policy, int capacity) {
        return switch (policy) {
            case LRU -> new Lru(capacity);
            case SIEVE -> new Sieve(capacity);
            case S3_FIFO -> new S3Fifo(capacity);
            case ARC -> new Arc(capacity);
            case W_TINYLFU -> new WindowTinyLfu(capacity);
            case TWO_QUEUE -> new NaiveTwoQueue(capacity);
            case LIRS -> new NaiveLirs(capacity);
            case GDSF -> new NaiveScored.Gdsf(capacity);
            case HYPERBOLIC -> new NaiveScored.Hyperbolic(capacity);
            case LECAR -> new NaiveScored.Lecar(capacity);
            case LHD -> throw new IllegalArgumentException("LhdCacheTest has its model");
        };
    }

    private record Lru(int capacity, List<Long> queue) implements Naive {
        Lru(int capacity) {
            this(capacity, new ArrayList<>());
        }

        @Override
        public boolean request(long block) {
            boolean hit = queue.remove(block);
            if (!hit && queue.size() == capacity) {
                queue.remove(0);
            }
            queue.add(block);
            return hit;
        }

        @Override
        public Set<Long> content() {
            return new HashSet<>(queue);
        }
    }

    private static final class Sieve implements Naive {
        private final int capacity;
        private final List<Long> queue = new ArrayList<>();
        private final Map<Long, Boolean> visited = new HashMap<>();
        private int hand;

        Sieve(int capacity) {
            this.capacity = capacity;
        }

        @Override
        public boolean request(long block) {
            if (visited.containsKey(block)) {
                visited.put(block, true);
                return true;
            }
            if (queue.size() == capacity) {
                while (Boolean.TRUE.equals(visited.get(queue.get(hand % capacity)))) {
                    visited.put(queue.get(hand % capacity), false);
                    hand++;
                }
                hand %= capacity;
                visited.remove(queue.remove(hand));
                // At the young end the hand starts again with the oldest block, even if another one comes in now.
                hand = hand == queue.size() ? 0 : hand;
            }
            queue.add(block);
            visited.put(block, false);
            return false;
        }

        @Override
        public Set<Long> content() {
            return new HashSet<>(queue);
        }
    }

    private static final class S3Fifo implements Naive {
        private final int capacity;
        private final List<Long> small = new ArrayList<>();
        private final List<Long> main = new ArrayList<>();
        private final List<Long> ghost = new ArrayList<>();
        private final Map<Long, Integer> requests = new HashMap<>();

        S3Fifo(int capacity) {
            this.capacity = capacity;
        }

        private int tenth() {
            return Math.max(1, capacity / 10);
        }

        @Override
        public boolean request(long block) {
            if (small.contains(block) || main.contains(block)) {
                requests.merge(block, 1, (a, b) -> Math.min(3, a + b));
                return true;
            }
            while (small.size() + main.size() >= capacity) {
                if (small.size() >= tenth() || main.isEmpty()) {
                    evictSmall();
                } else {
                    evictMain();
                }
            }
            (ghost.remove(block) ? main : small).add(block);
            requests.put(block, 0);
            return false;
        }

        private void evictSmall() {
            while (!small.isEmpty()) {
                long oldest = small.remove(0);
                if (requests.getOrDefault(oldest, 0) <= 1) {
                    ghost.add(oldest);
                    if (ghost.size() > capacity * 9 / 10) {
                        ghost.remove(0);
                    }
                    return;
                }
                requests.put(oldest, 0);
                main.add(oldest);
                if (main.size() > capacity - tenth()) {
                    evictMain();
                }
            }
        }

        private void evictMain() {
            long oldest = main.remove(0);
            while (requests.getOrDefault(oldest, 0) > 0) {
                requests.merge(oldest, -1, Integer::sum);
                main.add(oldest);
                oldest = main.remove(0);
            }
        }

        @Override
        public Set<Long> content() {
            Set<Long> all = new HashSet<>(small);
            all.addAll(main);
            return all;
        }
    }

    /** Cases I to IV of the paper's Figure 4. */
    private static final class Arc implements Naive {
        private final int c;
        private final List<Long> t1 = new ArrayList<>();
        private final List<Long> t2 = new ArrayList<>();
        private final List<Long> b1 = new ArrayList<>();
        private final List<Long> b2 = new ArrayList<>();
        private int p;

        Arc(int capacity) {
            c = capacity;
        }

        @Override
        public boolean request(long x) {
            if (t1.remove(x) || t2.remove(x)) {
                t2.add(x);
                return true;
            }
            if (b1.contains(x)) {
                p = Math.min(c, p + Math.max(b2.size() / b1.size(), 1));
                replace(x);
                b1.remove(x);
                t2.add(x);
                return false;
            }
            if (b2.contains(x)) {
                p = Math.max(0, p - Math.max(b1.size() / b2.size(), 1));
                replace(x);
                b2.remove(x);
                t2.add(x);
                return false;
            }
            if (t1.size() + b1.size() == c) {
                if (t1.size() < c) {
                    b1.remove(0);
                    replace(x);
                } else {
                    t1.remove(0);
                }
            } else if (t1.size() + t2.size() + b1.size() + b2.size() >= c) {
                if (t1.size() + t2.size() + b1.size() + b2.size() == 2 * c) {
                    b2.remove(0);
                }
                replace(x);
            }
            t1.add(x);
            return false;
        }

        private void replace(long x) {
            if (!t1.isEmpty() && (t1.size() > p || (b2.contains(x) && t1.size() == p))) {
                b1.add(t1.remove(0));
            } else {
                b2.add(t2.remove(0));
            }
        }

        @Override
        public Set<Long> content() {
            Set<Long> all = new HashSet<>(t1);
            all.addAll(t2);
            return all;
        }
    }

    private static final class WindowTinyLfu implements Naive {
        private final int capacity;
        private final int main;
        private final FrequencySketch sketch;
        private final List<Long> window = new ArrayList<>();
        private final List<Long> probation = new ArrayList<>();
        private final List<Long> guarded = new ArrayList<>();

        WindowTinyLfu(int capacity) {
            this.capacity = capacity;
            main = capacity * 99 / 100;
            sketch = new FrequencySketch(capacity);
        }

        @Override
        public boolean request(long block) {
            sketch.increment(block);
            if (window.remove(block)) {
                window.add(block);
                return true;
            }
            if (probation.remove(block) || guarded.remove(block)) {
                guarded.add(block);
                if (guarded.size() > main * 4 / 5) {
                    probation.add(guarded.remove(0));
                }
                return true;
            }
            window.add(block);
            if (window.size() > capacity - main) {
                long candidate = window.remove(0);
                probation.add(candidate);
                if (window.size() + probation.size() + guarded.size() > capacity) {
                    long victim = probation.get(0);
                    probation.remove(sketch.frequency(candidate) > sketch.frequency(victim) ? victim : candidate);
                }
            }
            return false;
        }

        @Override
        public Set<Long> content() {
            Set<Long> all = new HashSet<>(window);
            all.addAll(probation);
            all.addAll(guarded);
            return all;
        }
    }
}
