// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers as text for readers. */
final class NumberText {
    private static final int MOST_DIGITS = 4;
    private static final MathContext DIGITS = new MathContext(MOST_DIGITS);
    /** The least number that is rounded to a whole one. */
    private static final double LARGE = 10_000;

    private NumberText() {}

    /** Formats a number with four digits and no exponent; {@code -} for NaN. */
    static String text(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        if (Math.abs(value) >= LARGE) {
            return String.valueOf(Math.round(value));
        }
        String text = new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
        return text.equals("0E-0") ? "0" : text;
    }

    /**
     * Formats a number with the digits that its error leaves: at most four, down to the place of the error's first
     * digit. Digits before the point stay, and so do known zeros at the end.
     *
     * @param error possible error of the number; 0: none
     */
    static String text(double value, double error) {
        if (!Double.isFinite(value) || !(error > 0) || Double.isInfinite(error) || Math.abs(value) >= LARGE) {
            return text(value);
        }
        int places = -(int) Math.floor(Math.log10(error));
        int most = value == 0 ? places : MOST_DIGITS - 1 - (int) Math.floor(Math.log10(Math.abs(value)));
        return new BigDecimal(value)
                .setScale(Math.max(0, Math.min(places, most)), RoundingMode.HALF_EVEN)
                .toPlainString();
    }
}
