// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import io.packing.sim.RunResult;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * A rule that makes one number of an experiment's results.
 *
 * @param of labels of a point, by axis; with {@code each} of several
 * @param against labels of the point to compare with, or empty
 * @param as makes one number of the two
 * @param each makes one number of several points; {@code ONE}: the rule has one point
 */
record ClaimRule(String metric, Map<String, String> of, Map<String, String> against, As as, Each each) {
    static final List<String> NAMES = List.of("metric", "of", "against", "as", "each");

    /** A number of a point, or of two. */
    enum As {
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

    /** One number for several points. */
    enum Each {
        ONE,
        MEAN,
        MEDIAN,
        LEAST,
        MOST;

        double of(double... numbers) {
            return switch (this) {
                case ONE -> numbers[0];
                case MEAN -> DoubleStream.of(numbers).average().orElse(Double.NaN);
                case MEDIAN -> SeedSpread.of(numbers).median();
                case LEAST -> DoubleStream.of(numbers).min().orElse(Double.NaN);
                case MOST -> DoubleStream.of(numbers).max().orElse(Double.NaN);
            };
        }
    }

    static ClaimRule from(Config c) {
        As as = named(As.class, "as", c.getString("as"));
        if (as != As.VALUE && !c.hasPath("against")) {
            throw new IllegalArgumentException(
                    "claims: '%s' compares; 'against' is missing".formatted(c.getString("as")));
        }
        if (as == As.VALUE && c.hasPath("against")) {
            throw new IllegalArgumentException("claims: 'value' compares with nothing; leave 'against' out");
        }
        return new ClaimRule(
                c.getString("metric"),
                NameChecks.selector(c.getConfig("of")),
                c.hasPath("against") ? NameChecks.selector(c.getConfig("against")) : Map.of(),
                as,
                c.hasPath("each") ? named(Each.class, "each", c.getString("each")) : Each.ONE);
    }

    private static <E extends Enum<E>> E named(Class<E> type, String where, String label) {
        return Arrays.stream(type.getEnumConstants())
                .filter(value ->
                        value.name().equals(label.toUpperCase(Locale.ROOT).replace('-', '_')))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("claims.%s: no '%s'".formatted(where, label)));
    }

    boolean compares() {
        return as != As.VALUE;
    }

    /** Returns whether the rule reads a point. */
    boolean reads(Point point) {
        return point.is(of) || (compares() && point.is(against));
    }

    /**
     * Returns the points whose numbers the rule compares, each with the point that it is compared with. A comparison of several points
     * with one leaves that one out. With the {@code against} of several points each is compared with the point whose other labels are
     * equal.
     */
    private List<int[]> pairs(Results results) {
        List<Point> points = results.experiment().points();
        if (each == Each.ONE) {
            int one = results.index(of);
            return List.of(new int[] {one, compares() ? results.index(against) : one});
        }
        return IntStream.range(0, points.size())
                .filter(i ->
                        points.get(i).is(of) && !(compares() && points.get(i).is(against)))
                .mapToObj(i -> new int[] {i, compares() ? partner(results, i) : i})
                .toList();
    }

    private int partner(Results results, int of) {
        List<Point> points = results.experiment().points();
        List<Integer> found = IntStream.range(0, points.size())
                .filter(i -> points.get(i).is(against))
                .boxed()
                .toList();
        if (found.size() == 1) {
            return found.get(0);
        }
        return found.stream()
                .filter(i -> points.get(i).labels().entrySet().stream()
                        .allMatch(label -> against.containsKey(label.getKey())
                                || label.getValue()
                                        .equals(points.get(of).labels().get(label.getKey()))))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no point is %s beside %s"
                        .formatted(against, points.get(of).labels())));
    }

    /** Returns the number under each seed. */
    SeedSpread found(Results results) {
        List<int[]> pairs = pairs(results);
        return results.spread(runs ->
                each.of(pairs.stream().mapToDouble(pair -> of(runs, pair)).toArray()));
    }

    private double of(List<RunResult> runs, int[] pair) {
        return as.of(runs.get(pair[0]).metric(metric), runs.get(pair[1]).metric(metric));
    }

    /** Returns whether the numbers depend on a trace's seed. */
    boolean isRandom(Results results) {
        int one = pairs(results).get(0)[0];
        return results.experiment().points().get(one).task().input().seed().isPresent();
    }
}
