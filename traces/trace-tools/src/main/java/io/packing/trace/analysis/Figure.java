package io.packing.trace.analysis;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.knowm.xchart.internal.chartpart.Chart;

/**
 * A figure of the report: what it shows, the drawing if there is one, and its numbers.
 *
 * @param name of its files
 * @param caption what a reader is to see in it, in a sentence or two; with the paper's figure
 */
record Figure(String name, String title, String caption, Optional<Chart<?, ?>> chart, Table table) {
    private static final Pattern NUMBER = Pattern.compile("\\(((?:Fig\\.|Table) [0-9]+\\.[0-9]+[a-z]?)");

    static Figure drawn(String name, String title, String caption, Chart<?, ?> chart, Table table) {
        return new Figure(name, title, caption, Optional.of(chart), table);
    }

    /** The number of the paper's figure or table, such as 2.3 or Table 2.2, as the caption names it; empty for our own. */
    Optional<String> number() {
        Matcher named = NUMBER.matcher(caption);
        return named.find() ? Optional.of(named.group(1).replace("Fig. ", "")) : Optional.empty();
    }

    static Figure ofNumbers(String name, String title, String caption, Table table) {
        return new Figure(name, title, caption, Optional.empty(), table);
    }
}
