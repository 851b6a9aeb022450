// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase.load;

import java.util.SplittableRandom;
import java.util.function.ToIntFunction;

/**
 * One request of the load: 60 percent gets, 34 percent puts, 6 percent deletes.
 *
 * @param kind get, put or delete
 * @param family of the row's columns
 * @param user number of the row
 */
record LoadRequest(Kind kind, Family family, int user) {
    /** The kind of a request, with its percentage. */
    enum Kind {
        GET(60),
        PUT(34),
        DELETE(6);

        private final int percent;

        Kind(int percent) {
            this.percent = percent;
        }
    }

    /** The exponent of the users' popularity: the busiest tenth gets about half of all operations. */
    private static final double SKEW = 3;

    /** A prime above all users. The product with it gives each popularity to one user and keeps popular users apart. */
    private static final long SHUFFLE = 2_654_435_761L;

    /** The golden ratio as a fraction of 2^64. Its multiples are spread evenly. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    static LoadRequest next(SplittableRandom random, int users) {
        Kind kind = pick(Kind.values(), k -> k.percent, random);
        Family family = pick(Family.values(), kind == Kind.GET ? Family::getWeight : Family::putWeight, random);
        long popularity = (long) (users * Math.pow(random.nextDouble(), SKEW));
        return new LoadRequest(kind, family, (int) (popularity * SHUFFLE % users));
    }

    /** Draws a choice; the weights are percent. */
    private static <T> T pick(T[] choices, ToIntFunction<T> weight, SplittableRandom random) {
        int left = random.nextInt(100);
        for (T choice : choices) {
            left -= weight.applyAsInt(choice);
            if (left < 0) {
                return choice;
            }
        }
        throw new IllegalStateException("weights of %s do not add up to 100".formatted(choices[0].getClass()));
    }

    /**
     * Returns the row's key. Keys are spread evenly over {@code 00000000} to {@code ffffffff}, so that splits are easy.
     */
    static String key(int user) {
        return "%08x-user%d".formatted((int) ((user * SPREAD) >>> 32), user);
    }
}
