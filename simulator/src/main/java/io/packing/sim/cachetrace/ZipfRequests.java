// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.cachetrace;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Synthetic requests: most for objects whose popularity follows Zipf's law, some for objects that are requested once.
 * Equal parameters and seeds give equal requests.
 */
public final class ZipfRequests implements CacheRequests {
    /** The size of every object. */
    private static final long OBJECT_BYTES = 4096;

    private final double[] shares;
    private final long requests;
    private final double once;
    private final SplittableRandom random;
    private long number;
    private long object;

    /**
     * Makes requests in which object {@code n} of {@code objects} has a popularity in proportion to {@code 1 / n^skew}.
     *
     * @param once share of the requests whose object is requested only once
     */
    public ZipfRequests(int objects, long requests, double skew, double once, long seed) {
        if (objects < 1 || objects > 100_000_000) {
            throw new IllegalArgumentException("zipf.objects: from 1 to 100,000,000, not %,d".formatted(objects));
        }
        if (requests < 1) {
            throw new IllegalArgumentException("zipf.requests: 1 at least, not %,d".formatted(requests));
        }
        if (!(skew >= 0 && skew <= 10)) {
            throw new IllegalArgumentException("zipf.skew: from 0 to 10, not " + skew);
        }
        if (!(once >= 0 && once <= 1)) {
            throw new IllegalArgumentException("zipf.once: from 0 to 1, not " + once);
        }
        shares = new double[objects];
        double sum = 0;
        for (int i = 0; i < objects; i++) {
            sum += Math.pow(i + 1.0, -skew);
            shares[i] = sum;
        }
        this.requests = requests;
        this.once = once;
        this.random = new SplittableRandom(seed);
    }

    @Override
    public boolean advance() {
        if (number == requests) {
            return false;
        }
        number++;
        if (random.nextDouble() < once) {
            object = shares.length + number;
            return true;
        }
        int at = Arrays.binarySearch(shares, random.nextDouble() * shares[shares.length - 1]);
        object = Math.min(shares.length - 1, at >= 0 ? at : -1 - at);
        return true;
    }

    @Override
    public long object() {
        return object;
    }

    @Override
    public long bytes() {
        return OBJECT_BYTES;
    }

    @Override
    public TraceDefects damage() {
        return TraceDefects.NONE;
    }

    @Override
    public void close() {}
}
