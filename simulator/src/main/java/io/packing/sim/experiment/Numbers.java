package io.packing.sim.experiment;

import java.math.BigDecimal;
import java.math.MathContext;

/** Numbers as people read them. */
final class Numbers {
    private static final MathContext DIGITS = new MathContext(4);

    private Numbers() {}

    /** Four digits, no exponent; {@code -} for what is not a number. */
    static String text(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        if (Math.abs(value) >= 10_000) {
            return String.valueOf(Math.round(value));
        }
        var text = new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
        return text.equals("0E-0") ? "0" : text;
    }
}
