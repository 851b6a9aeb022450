// SPDX-License-Identifier: Apache-2.0
package io.packing.placement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The mode that decides how many replicas of a layer stay whole; the others are kept as files (§4.2, replica
 * deduplication modes).
 */
public sealed interface ReplicaMode {
    /**
     * A layer with pulls.
     *
     * @param layer its name
     * @param bytes of a whole replica
     * @param pulls since the count of all layers began, at least 1
     */
    record Pulled(String layer, long bytes, long pulls) {
        public Pulled {
            if (bytes < 0 || pulls < 1) {
                throw new IllegalArgumentException("layer %s of %d bytes with %d pulls".formatted(layer, bytes, pulls));
            }
        }
    }

    /** Returns the number of whole replicas of a layer without pulls, from 0 to all. No layer has fewer. */
    int least(int replicas);

    /** Returns the most whole replicas of a layer. */
    int most(int replicas);

    /**
     * Returns the number of whole replicas of each layer with pulls.
     *
     * @param replicas of every layer
     * @param pulled all layers with pulls
     * @param storedBytes of all replicas of all layers, whole ones and files
     */
    Map<String, Integer> whole(int replicas, Collection<Pulled> pulled, long storedBytes);

    /**
     * The mode with equally many for every layer.
     *
     * @param count B-mode n: 0 splits all replicas, the number of replicas splits none
     */
    record Basic(int count) implements ReplicaMode {
        public Basic {
            if (count < 0) {
                throw new IllegalArgumentException("B-mode " + count);
            }
        }

        @Override
        public int least(int replicas) {
            return Math.min(count, replicas);
        }

        @Override
        public int most(int replicas) {
            return least(replicas);
        }

        @Override
        public Map<String, Integer> whole(int replicas, Collection<Pulled> pulled, long storedBytes) {
            Map<String, Integer> whole = new HashMap<>();
            pulled.forEach(each -> whole.put(each.layer(), least(replicas)));
            return whole;
        }
    }

    /**
     * The mode in proportion to a layer's popularity: its pulls as a share of those of the most pulled layer.
     *
     * @param count for layers without pulls
     */
    record Selective(int count) implements ReplicaMode {
        public Selective {
            if (count < 0) {
                throw new IllegalArgumentException("S-mode with %d whole replicas at least".formatted(count));
            }
        }

        @Override
        public int least(int replicas) {
            return Math.min(count, replicas);
        }

        @Override
        public int most(int replicas) {
            return replicas;
        }

        @Override
        public Map<String, Integer> whole(int replicas, Collection<Pulled> pulled, long storedBytes) {
            long most = pulled.stream().mapToLong(Pulled::pulls).max().orElse(1);
            Map<String, Integer> whole = new HashMap<>();
            for (Pulled each : pulled) {
                int proportional = (int) Math.round((double) each.pulls() / most * replicas);
                whole.put(each.layer(), Math.max(least(replicas), proportional));
            }
            return whole;
        }
    }

    /**
     * The mode with one whole replica of the most pulled layers, as many of them as fit into a share of the storage. It
     * passes over a layer that does not fit.
     *
     * @param share of all stored bytes that whole replicas take at most, from 0 to 1
     */
    record Budgeted(double share) implements ReplicaMode {
        public Budgeted {
            if (!(share >= 0 && share <= 1)) {
                throw new IllegalArgumentException("S-mode with a share of " + share);
            }
        }

        @Override
        public int least(int replicas) {
            return 0;
        }

        @Override
        public int most(int replicas) {
            return 1;
        }

        @Override
        public Map<String, Integer> whole(int replicas, Collection<Pulled> pulled, long storedBytes) {
            List<Pulled> byPulls = new ArrayList<>(pulled);
            byPulls.sort(Comparator.comparingLong(Pulled::pulls).reversed().thenComparing(Pulled::layer));
            long left = (long) (share * storedBytes);
            Map<String, Integer> whole = new HashMap<>();
            for (Pulled each : byPulls) {
                boolean fits = each.bytes() <= left;
                left -= fits ? each.bytes() : 0;
                whole.put(each.layer(), fits ? 1 : 0);
            }
            return whole;
        }
    }

    /**
     * Returns the mode of a name. {@code b0}, {@code b1} and higher are B-modes. {@code s} keeps one whole replica of
     * layers without pulls, as in the paper, and {@code s0} none. With {@code s5%} whole replicas take no more than
     * that share of the storage.
     *
     * @throws IllegalArgumentException when no mode has the name
     */
    static ReplicaMode named(String name) {
        Matcher parts = Pattern.compile("([bs])(\\d{0,3})(%?)").matcher(name.toLowerCase(Locale.ROOT));
        if (parts.matches()) {
            boolean selective = parts.group(1).equals("s");
            boolean budget = !parts.group(3).isEmpty();
            if (!parts.group(2).isEmpty()) {
                int number = Integer.parseInt(parts.group(2));
                if (!budget) {
                    return selective ? new Selective(number) : new Basic(number);
                }
                if (selective && number <= 100) {
                    return new Budgeted(number / 100.0);
                }
            } else if (selective && !budget) {
                return new Selective(1);
            }
        }
        throw new IllegalArgumentException("no mode is called '%s'; want b0, b1, ..., s, or s5%%".formatted(name));
    }
}
