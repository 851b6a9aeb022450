package io.packing.bdt.master;

import io.packing.seed.Seed;
import java.util.stream.LongStream;

/** How many rounds a test against a model plays ({@code -Dpacking.model.rounds}), and what it has done so far. */
final class ModelRuns {
    private static long steps;
    private static long crashes;

    private ModelRuns() {}

    /** A seed for each round. */
    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("packing.model.rounds", 10)).map(round -> Seed.value() + round);
    }

    static void step() {
        steps++;
    }

    /** The master was killed, or its table rebuilt from the store. */
    static void crash() {
        crashes++;
    }

    static String soFar() {
        return ", after %d steps and %d crashes and rebuilds".formatted(steps, crashes);
    }
}
