// SPDX-License-Identifier: Apache-2.0
package io.packing.storeservers;

import java.util.random.RandomGenerator;

/**
 * The fate of a connection.
 *
 * @param harm to the connection
 * @param after number of bytes of its direction before the harm
 */
record Fate(Harm harm, long after) {
    /** The bits of the largest {@code after}. Requests have some hundred bytes, or some hundred thousand with files. */
    private static final int MOST_BITS = 16;

    enum Harm {
        NONE,
        /** Requests break off. */
        CUT_REQUEST,
        /** Answers break off. */
        CUT_ANSWER,
        /** Answers end early and in good order, as if they were complete. */
        HALF_ANSWER,
        /** No further bytes arrive, and the connection stays open. */
        SILENCE,
        /** Each piece of a request is slow, and then requests break off. */
        DELAY
    }

    Fate {
        if (after < 0) {
            throw new IllegalArgumentException("after %d bytes".formatted(after));
        }
    }

    /** Draws a fate. It harms {@code percent} of a hundred connections. */
    static Fate draw(RandomGenerator random, int percent) {
        if (random.nextInt(100) >= percent) {
            return new Fate(Harm.NONE, 0);
        }
        Harm[] harms = Harm.values();
        // Each magnitude is equally likely.
        long after = random.nextLong(1L << random.nextInt(MOST_BITS + 1));
        return new Fate(harms[1 + random.nextInt(harms.length - 1)], after);
    }

    /** Returns how many of the next bytes of a direction pass before the harm. */
    int passing(boolean answers, long passed, int next) {
        boolean hit = switch (harm) {
            case NONE -> false;
            case CUT_REQUEST, DELAY -> !answers;
            case CUT_ANSWER, HALF_ANSWER, SILENCE -> answers;
        };
        return hit ? (int) Math.max(0, Math.min(next, after - passed)) : next;
    }
}
