// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.figure;

import io.packing.pages.Plot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/**
 * The cost or yield of several ways of doing one thing: a bar for each of them and each measure.
 *
 * @param name of the files, without what comes behind the dot
 * @param axis what the bars are, in words
 */
public record ByWay(String name, String title, String axis, List<String> ways, List<Measure> measures) {
    /**
     * A measure, with a value for each way.
     *
     * @param values in the order of the ways
     */
    public record Measure(String name, List<Double> values) {
        public Measure {
            values = List.copyOf(values);
        }
    }

    public ByWay {
        ways = List.copyOf(ways);
        measures = List.copyOf(measures);
        for (Measure measure : measures) {
            if (measure.values().size() != ways.size()) {
                throw new IllegalArgumentException("%s of %s".formatted(measure, ways));
            }
        }
    }

    /** Writes the numbers as CSV and their plot as PNG into a directory. */
    public void write(Path directory) throws IOException {
        Files.write(directory.resolve(name + ".csv"), csv());
        Png.write(chart(), directory.resolve(name + ".png"));
    }

    /** Draws the bars for a page, which writes the legend itself. */
    public Plot onPage() throws IOException {
        List<Plot.Line> legend = new ArrayList<>();
        for (int i = 0; i < measures.size(); i++) {
            legend.add(Plot.Line.solid(measures.get(i).name(), Png.hex(Png.color(i))));
        }
        CategoryChart chart = chart();
        chart.getStyler().setLegendVisible(false);
        return Plot.ofSvg(name, title, Png.svg(chart), legend);
    }

    private List<String> csv() {
        List<String> rows = new ArrayList<>();
        rows.add("way,measure,value");
        for (Measure measure : measures) {
            for (int i = 0; i < ways.size(); i++) {
                rows.add(String.format(
                        Locale.ROOT,
                        "%s,%s,%.3f",
                        ways.get(i),
                        measure.name(),
                        measure.values().get(i)));
            }
        }
        return rows;
    }

    private CategoryChart chart() {
        CategoryChart chart = new CategoryChartBuilder()
                .width(Png.WIDTH)
                .height(Png.HEIGHT)
                .title(title)
                .yAxisTitle(axis)
                .build();
        Png.style(chart.getStyler());
        chart.getStyler().setYAxisMin(0.0);
        for (int i = 0; i < measures.size(); i++) {
            chart.addSeries(measures.get(i).name(), ways, measures.get(i).values())
                    .setFillColor(Png.color(i));
        }
        return chart;
    }
}
