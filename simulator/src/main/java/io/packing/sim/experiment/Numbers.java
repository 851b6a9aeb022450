package io.packing.sim.experiment;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers as people read them. */
final class Numbers {
    private static final int MOST_DIGITS = 4;
    private static final MathContext DIGITS = new MathContext(MOST_DIGITS);
    /** From here on people want whole numbers. */
    private static final double LARGE = 10_000;

    private Numbers() {}

    /** Four digits, no exponent; {@code -} for what is not a number. */
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
     * The digits that an error leaves: down to the place of its first digit, four at most, and those before the point always.
     * Zeros at the end stay, as they are known.
     *
     * @param error how far the number may be off; 0: not at all
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
