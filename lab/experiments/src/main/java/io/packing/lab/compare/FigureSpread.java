// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.compare;

import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The median of some figures, and the least and the most of them. */
public record FigureSpread(double median, double least, double most) {
    /** Returns the spread of at least one figure. */
    public static FigureSpread of(List<Double> figures) {
        return new FigureSpread(Median.of(figures), Collections.min(figures), Collections.max(figures));
    }

    /** Returns the words for people, such as {@code 5.2 (4.9 to 6.0)}. */
    @Override
    public String toString() {
        return least == most
                ? String.format(Locale.ROOT, "%,.2f", median)
                : String.format(Locale.ROOT, "%,.2f (%,.2f to %,.2f)", median, least, most);
    }
}
