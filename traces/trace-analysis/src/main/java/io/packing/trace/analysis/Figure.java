package io.packing.trace.analysis;

import java.util.Optional;
import org.knowm.xchart.internal.chartpart.Chart;

/**
 * A figure of the report: what it shows, the drawing if there is one, and its numbers.
 *
 * @param name of its files
 * @param caption what a reader is to see in it, in a sentence or two; with the paper's figure
 */
record Figure(String name, String title, String caption, Optional<Chart<?, ?>> chart, Table table) {
    static Figure drawn(String name, String title, String caption, Chart<?, ?> chart, Table table) {
        return new Figure(name, title, caption, Optional.of(chart), table);
    }

    static Figure ofNumbers(String name, String title, String caption, Table table) {
        return new Figure(name, title, caption, Optional.empty(), table);
    }
}
