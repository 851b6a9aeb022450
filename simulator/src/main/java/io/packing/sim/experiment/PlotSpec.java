// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A plot of an experiment.
 *
 * @param x name of an axis, or of a metric in a scatter plot; unused in a timeline
 * @param y metrics; each is a line or a group of bars of its own
 * @param names of those metrics in the plot; empty: the metrics' own names
 * @param series axes whose values are lines of their own
 * @param factor of the metrics in the plot
 * @param only labels of the points that a timeline shows
 * @param from first hour of a timeline; likewise {@code to}
 */
record PlotSpec(
        Kind kind,
        String title,
        String x,
        String xTitle,
        List<String> y,
        List<String> names,
        String yTitle,
        List<String> series,
        double factor,
        Map<String, String> only,
        double from,
        double to) {
    enum Kind {
        LINES,
        BARS,
        /** The points in the plane of two metrics, with marks on those that no other beats in both. */
        PARETO,
        /** Hit rates over time. */
        TIMELINE;

        /** Returns the keys that a plot of this kind may have. */
        List<String> names() {
            return switch (this) {
                case LINES, BARS ->
                    List.of("kind", "title", "x", "x-title", "y", "names", "y-title", "series", "factor");
                case PARETO -> List.of("kind", "title", "x", "x-title", "y", "y-title");
                case TIMELINE -> List.of("kind", "title", "x-title", "y-title", "only", "from", "to");
            };
        }
    }

    PlotSpec {
        if (!names.isEmpty() && names.size() != y.size()) {
            throw new IllegalArgumentException(
                    "plots.names: %d names for %d metrics".formatted(names.size(), y.size()));
        }
    }

    /** Returns the name of a metric in the plot. */
    String nameOf(String metric) {
        return names.isEmpty() ? metric : names.get(y.indexOf(metric));
    }

    static PlotSpec from(Config c) {
        String name = c.hasPath("kind") ? c.getString("kind") : "lines";
        Kind kind;
        try {
            kind = Kind.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("plots.kind: no '%s'".formatted(name), e);
        }
        NameChecks.only(c, "plots, %s".formatted(name), kind.names());
        return new PlotSpec(
                kind,
                c.getString("title"),
                c.hasPath("x") ? c.getString("x") : "",
                c.hasPath("x-title") ? c.getString("x-title") : "",
                c.hasPath("y") ? c.getStringList("y") : List.of(),
                c.hasPath("names") ? c.getStringList("names") : List.of(),
                c.getString("y-title"),
                c.hasPath("series") ? c.getStringList("series") : List.of(),
                c.hasPath("factor") ? c.getDouble("factor") : 1,
                c.hasPath("only") ? NameChecks.selector(c.getConfig("only")) : Map.of(),
                c.hasPath("from") ? c.getDouble("from") : 0,
                c.hasPath("to") ? c.getDouble("to") : Double.MAX_VALUE);
    }
}
