// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A figure in the paper's text, with the rule that finds it in an experiment's results.
 *
 * @param says the paper's sentence, shortened
 * @param of labels of a point, by axis
 * @param against labels of the point to compare with, or empty
 * @param as rule that makes one number of the two
 * @param expected the paper's number
 * @param tolerance greatest difference of a reproduced figure
 */
record PaperClaim(
        String says,
        String metric,
        Map<String, String> of,
        Map<String, String> against,
        Kind as,
        double expected,
        double tolerance) {
    /** The relative difference between two seeds, about (docs/simulator.md). */
    private static final double CHANCE = 0.01;

    enum Kind {
        VALUE,
        /** The percent by which the first number is less. */
        PERCENT_LESS,
        PERCENT_MORE,
        /** The factor by which the first number exceeds the second. */
        TIMES,
        DIFFERENCE;

        double of(double one, double other) {
            return switch (this) {
                case VALUE -> one;
                case PERCENT_LESS -> 100 * (1 - one / other);
                case PERCENT_MORE -> 100 * (one / other - 1);
                case TIMES -> one / other;
                case DIFFERENCE -> one - other;
            };
        }
    }

    /**
     * The simulation's figure; the median of several seeds decides.
     *
     * @param chance possible error of a single seed's number
     */
    record Outcome(PaperClaim claim, SeedSpread found, double chance) {
        String verdict() {
            if (Double.isNaN(found.median())) {
                return "not decidable";
            }
            return Math.abs(found.median() - claim.expected) <= claim.tolerance ? "reproduced" : "differs";
        }
    }

    static PaperClaim from(Config c) {
        NameChecks.only(c, "claims", List.of("says", "metric", "of", "against", "as", "paper", "tolerance"));
        String as = c.getString("as");
        Kind kind;
        try {
            kind = Kind.valueOf(as.toUpperCase(Locale.ROOT).replace('-', '_'));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("claims.as: no '%s'".formatted(as), e);
        }
        if (kind != Kind.VALUE && !c.hasPath("against")) {
            throw new IllegalArgumentException("claims: '%s' compares; 'against' is missing".formatted(as));
        }
        if (kind == Kind.VALUE && c.hasPath("against")) {
            throw new IllegalArgumentException("claims: 'value' compares with nothing; leave 'against' out");
        }
        return new PaperClaim(
                c.getString("says"),
                c.getString("metric"),
                NameChecks.selector(c.getConfig("of")),
                c.hasPath("against") ? NameChecks.selector(c.getConfig("against")) : Map.of(),
                kind,
                c.getDouble("paper"),
                c.getDouble("tolerance"));
    }

    Outcome check(Results results) {
        int one = results.index(of);
        int other = as == Kind.VALUE ? one : results.index(against);
        SeedSpread found = results.spread(
                runs -> as.of(runs.get(one).metric(metric), runs.get(other).metric(metric)));
        boolean random =
                results.experiment().points().get(one).task().input().seed().isPresent();
        return new Outcome(this, found, random ? CHANCE * Math.abs(found.median()) : 0);
    }
}
