// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;

/**
 * A figure with the distance that a number may have from it.
 *
 * @param tolerance greatest distance
 * @param reason source of the tolerance, or the reason of a figure that is not the paper's
 */
record ClaimBound(double figure, Side side, double tolerance, String reason) {
    /** The side of the figure on which any distance is right. */
    enum Side {
        ABOUT,
        AT_MOST,
        AT_LEAST;

        static Side named(String label) {
            return switch (label) {
                case "about" -> ABOUT;
                case "at-most" -> AT_MOST;
                case "at-least" -> AT_LEAST;
                default ->
                    throw new IllegalArgumentException(
                            "claims.bound: about, at-most or at-least, not '%s'".formatted(label));
            };
        }
    }

    ClaimBound {
        if (!(tolerance >= 0) || Double.isInfinite(tolerance) || !Double.isFinite(figure)) {
            throw new IllegalArgumentException(
                    "claims: a figure of %s with a tolerance of %s; a claim that nothing can break"
                            .formatted(figure, tolerance));
        }
        if (reason.isBlank()) {
            throw new IllegalArgumentException(
                    "claims.because: say where the tolerance of %s comes from".formatted(figure));
        }
    }

    /** Reads the bound of a figure, such as {@code paper}. */
    static ClaimBound from(Config c, String figure) {
        return new ClaimBound(
                c.getDouble(figure),
                c.hasPath("bound") ? Side.named(c.getString("bound")) : Side.ABOUT,
                c.getDouble("tolerance"),
                c.getString("because"));
    }

    /** Returns whether a number is within the tolerance; NaN is not. */
    boolean holds(double number) {
        return switch (side) {
            case ABOUT -> Math.abs(number - figure) <= tolerance;
            case AT_MOST -> number <= figure + tolerance;
            case AT_LEAST -> number >= figure - tolerance;
        };
    }

    String text() {
        String number = NumberText.text(figure);
        return switch (side) {
            case ABOUT -> tolerance == 0 ? number : number + " ± " + NumberText.text(tolerance);
            case AT_MOST -> "≤ " + NumberText.text(figure + tolerance);
            case AT_LEAST -> "≥ " + NumberText.text(figure - tolerance);
        };
    }
}
