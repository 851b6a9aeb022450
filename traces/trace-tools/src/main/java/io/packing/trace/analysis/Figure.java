// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.knowm.xchart.internal.chartpart.Chart;

/**
 * A figure of the report: title, caption, optional drawing, and numbers.
 *
 * @param name of its files
 * @param caption content of the figure in a sentence or two; with the paper's figure
 */
record Figure(String name, String title, String caption, Optional<Chart<?, ?>> chart, FigureTable table) {
    private static final Pattern NUMBER = Pattern.compile("\\(((?:Fig\\.|Table) [0-9]+\\.[0-9]+[a-z]?)");

    static Figure drawn(String name, String title, String caption, Chart<?, ?> chart, FigureTable table) {
        return new Figure(name, title, caption, Optional.of(chart), table);
    }

    /**
     * Returns the number of the paper's figure or table, such as 2.3 or Table 2.2, from the caption; empty for our own.
     */
    Optional<String> number() {
        Matcher named = NUMBER.matcher(caption);
        return named.find() ? Optional.of(named.group(1).replace("Fig. ", "")) : Optional.empty();
    }

    static Figure ofNumbers(String name, String title, String caption, FigureTable table) {
        return new Figure(name, title, caption, Optional.empty(), table);
    }
}
