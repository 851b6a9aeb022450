// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.measure;

import io.packing.store.ObjectStore;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The speed of a store, measured by a few requests.
 *
 * @param putSeconds of a small PUT, the median
 * @param getSeconds of a small GET, the median
 * @param bytesPerSecond of one connection, by a large GET
 */
public record StoreProbe(double putSeconds, double getSeconds, double bytesPerSecond) {
    private static final int SMALL = 1 << 10;
    private static final int LARGE = 8 << 20;
    private static final int TRIES = 9;
    private static final int LARGE_TRIES = 3;
    /** The first requests open connections and load classes. */
    private static final int WARM_UP = 3;

    private interface Request {
        void send() throws IOException;
    }

    /** Measures a store by objects of two names that it deletes again. */
    public static StoreProbe of(ObjectStore store) throws IOException {
        String small = "probe-small";
        String large = "probe-large";
        byte[] bytes = new byte[LARGE];
        new Random(1).nextBytes(bytes);
        try {
            double put = median(
                    TRIES,
                    () -> store.put(small, ByteBuffer.wrap(bytes, 0, SMALL).slice(), PutCondition.NONE));
            store.put(large, ByteBuffer.wrap(bytes), PutCondition.NONE);
            double get = median(TRIES, () -> {
                ByteBuffer unused = store.get(small, 0, SMALL);
            });
            double whole = median(LARGE_TRIES, () -> {
                ByteBuffer unused = store.get(large, 0, LARGE);
            });
            return new StoreProbe(put, get, LARGE / Math.max(1e-6, whole - get));
        } finally {
            store.delete(List.of(small, large));
        }
    }

    private static double median(int tries, Request request) throws IOException {
        double[] seconds = new double[tries];
        for (int i = -WARM_UP; i < tries; i++) {
            long begin = System.nanoTime();
            request.send();
            if (i >= 0) {
                seconds[i] = (System.nanoTime() - begin) / 1e9;
            }
        }
        Arrays.sort(seconds);
        return seconds[tries / 2];
    }
}
