package io.packing.placement;

import java.util.Locale;

/** How many replicas of a layer stay whole; the others are kept as files (§4.2, replica deduplication modes). */
public sealed interface ReplicaMode {
    /**
     * How many of the replicas of a layer stay whole, from 0 to all.
     *
     * @param replicas of every layer
     * @param popularity of the layer: its pulls as a share of the pulls of the most pulled layer, from 0 to 1
     */
    int intact(int replicas, double popularity);

    /**
     * As many for every layer.
     *
     * @param count B-mode n: 0 splits all replicas, as many as there are replicas split none
     */
    record Basic(int count) implements ReplicaMode {
        public Basic {
            if (count < 0) {
                throw new IllegalArgumentException("B-mode " + count);
            }
        }

        @Override
        public int intact(int replicas, double popularity) {
            return Math.min(count, replicas);
        }
    }

    /**
     * In proportion to a layer's popularity.
     *
     * @param least for layers that nobody pulls
     */
    record Selective(int least) implements ReplicaMode {
        public Selective {
            if (least < 0) {
                throw new IllegalArgumentException("S-mode with %d whole replicas at least".formatted(least));
            }
        }

        @Override
        public int intact(int replicas, double popularity) {
            if (!(popularity >= 0 && popularity <= 1)) {
                throw new IllegalArgumentException("a popularity of " + popularity);
            }
            return Math.min(replicas, Math.max(least, (int) Math.round(popularity * replicas)));
        }
    }

    /**
     * The mode of a name: {@code b0}, {@code b1} and so on, {@code s}, which keeps one whole replica of layers that nobody pulls as the paper's
     * does, or {@code s0}, which keeps none.
     *
     * @throws IllegalArgumentException when there is no such mode
     */
    static ReplicaMode named(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.matches("b\\d{1,3}")) {
            return new Basic(Integer.parseInt(lower.substring(1)));
        }
        if (lower.matches("s\\d{0,3}")) {
            return new Selective(lower.length() == 1 ? 1 : Integer.parseInt(lower.substring(1)));
        }
        throw new IllegalArgumentException("there is no mode '%s': b0, b1 and so on, or s".formatted(name));
    }
}
