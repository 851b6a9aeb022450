// SPDX-License-Identifier: Apache-2.0
package io.packing.s3server;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The faults of a server, as shares of the requests from 0 to 1. A request has at most one fault.
 *
 * @param fail answers 500 and does nothing
 * @param refuse answers 503 SlowDown and does nothing
 * @param drop closes the connection and does nothing
 * @param lose does the work and closes the connection without an answer
 * @param late answers after {@code lateBy}
 * @param hang holds the connection for {@code lateBy}, then closes it and does nothing
 * @param lateBy delay of late and hanging requests
 * @param seed determines the faults, together with the order of requests
 */
public record Faults(
        double fail, double refuse, double drop, double lose, double late, double hang, Duration lateBy, long seed) {
    /** The faults of a server that works. */
    public static final Faults NONE = new Faults(0, 0, 0, 0, 0, 0, Duration.ZERO, 0);

    /** The fate of a request. */
    enum Fate {
        SERVED,
        FAILED,
        REFUSED,
        DROPPED,
        LOST,
        LATE,
        HUNG
    }

    public Faults {
        for (double share : new double[] {fail, refuse, drop, lose, late, hang}) {
            if (!(share >= 0 && share <= 1)) {
                throw new IllegalArgumentException("a share of faults is from 0 to 1, not " + share);
            }
        }
        if (fail + refuse + drop + lose + late + hang > 1.000_001) {
            throw new IllegalArgumentException("the shares of faults are more than 1 together");
        }
        if (lateBy.isNegative()) {
            throw new IllegalArgumentException("late by " + lateBy);
        }
    }

    /** Returns the query that {@link S3Server#FAULTS_PATH} takes. */
    public String toQuery() {
        return "fail=%s&refuse=%s&drop=%s&lose=%s&late=%s&hang=%s&lateMillis=%d&seed=%d"
                .formatted(fail, refuse, drop, lose, late, hang, lateBy.toMillis(), seed);
    }

    /**
     * Reads the query of {@link #toQuery}. A missing number is 0.
     *
     * @throws IllegalArgumentException with the name of a malformed or unknown number
     */
    static Faults of(Map<String, String> parameters) {
        for (String name : parameters.keySet()) {
            if (!NAMES.contains(name)) {
                throw new IllegalArgumentException("unknown fault '%s', want some of %s".formatted(name, NAMES));
            }
        }
        return new Faults(
                share(parameters, "fail"),
                share(parameters, "refuse"),
                share(parameters, "drop"),
                share(parameters, "lose"),
                share(parameters, "late"),
                share(parameters, "hang"),
                Duration.ofMillis(Long.parseLong(parameters.getOrDefault("lateMillis", "0"))),
                Long.parseLong(parameters.getOrDefault("seed", "0")));
    }

    private static final Set<String> NAMES =
            new TreeSet<>(List.of("fail", "refuse", "drop", "lose", "late", "hang", "lateMillis", "seed"));

    private static double share(Map<String, String> parameters, String name) {
        return Double.parseDouble(parameters.getOrDefault(name, "0"));
    }

    /** Returns the fate of a request for a random number from 0 to 1. */
    Fate fate(double drawn) {
        double[] shares = {fail, refuse, drop, lose, late, hang};
        Fate[] fates = {Fate.FAILED, Fate.REFUSED, Fate.DROPPED, Fate.LOST, Fate.LATE, Fate.HUNG};
        double up = 0;
        for (int i = 0; i < shares.length; i++) {
            up += shares[i];
            if (drawn < up) {
                return fates[i];
            }
        }
        return Fate.SERVED;
    }
}
