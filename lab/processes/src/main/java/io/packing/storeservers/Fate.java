package io.packing.storeservers;

import java.util.random.RandomGenerator;

/**
 * What becomes of a connection.
 *
 * @param harm what happens to it
 * @param after so many bytes of its direction have passed
 */
record Fate(Harm harm, long after) {
    /** Requests have some hundred bytes, and those with files some hundred thousand. */
    private static final int MOST_BITS = 16;

    enum Harm {
        NONE,
        /** Requests break off. */
        CUT_REQUEST,
        /** Answers break off. */
        CUT_ANSWER,
        /** Answers end early and politely, as if that were all. */
        HALF_ANSWER,
        /** Nothing comes any more, and nothing is said. */
        SILENCE,
        /** Each piece takes a while, and then requests break off. */
        DELAY
    }

    Fate {
        if (after < 0) {
            throw new IllegalArgumentException("after %d bytes".formatted(after));
        }
    }

    /** A fate in which so many of a hundred connections are harmed. */
    static Fate draw(RandomGenerator random, int percent) {
        if (random.nextInt(100) >= percent) {
            return new Fate(Harm.NONE, 0);
        }
        Harm[] harms = Harm.values();
        // As many after some bytes as after many.
        long after = random.nextLong(1L << random.nextInt(MOST_BITS + 1));
        return new Fate(harms[1 + random.nextInt(harms.length - 1)], after);
    }

    /** How many of the next bytes of a direction pass before the harm. */
    int passing(boolean answers, long passed, int next) {
        boolean hit = switch (harm) {
            case NONE -> false;
            case CUT_REQUEST, DELAY -> !answers;
            case CUT_ANSWER, HALF_ANSWER, SILENCE -> answers;
        };
        return hit ? (int) Math.max(0, Math.min(next, after - passed)) : next;
    }
}
