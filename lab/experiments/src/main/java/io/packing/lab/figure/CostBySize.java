// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.figure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * The cost or yield of several ways of doing one thing, by a number of bytes: a line for each way, on logarithmic axes.
 *
 * @param name of the files, without what comes behind the dot
 * @param measure in words, for the axis
 * @param column the same, as the head of the column
 */
public record CostBySize(String name, String title, String measure, String column, List<Line> lines) {
    /** One way. */
    public record Line(String way, List<Point> points) {
        public Line {
            points = List.copyOf(points);
        }
    }

    /** One figure. */
    public record Point(long bytes, double value) {}

    public CostBySize {
        lines = List.copyOf(lines);
    }

    /** Writes the numbers as CSV and their plot as PNG into a directory. */
    public void write(Path directory) throws IOException {
        Files.write(directory.resolve(name + ".csv"), csv());
        Png.write(chart(), directory.resolve(name + ".png"));
    }

    private List<String> csv() {
        List<String> rows = new ArrayList<>();
        rows.add("way,bytes," + column);
        for (Line line : lines) {
            for (Point point : line.points()) {
                rows.add(String.format(Locale.ROOT, "%s,%d,%.3f", line.way(), point.bytes(), point.value()));
            }
        }
        return rows;
    }

    private XYChart chart() {
        XYChart chart = new XYChartBuilder()
                .width(Png.WIDTH)
                .height(Png.HEIGHT)
                .title(title)
                .xAxisTitle("bytes")
                .yAxisTitle(measure)
                .build();
        Png.style(chart.getStyler());
        chart.getStyler().setYAxisLogarithmic(true);
        chart.getStyler().setYAxisDecimalPattern("#,##0.##");
        Png.styleSizes(chart.getStyler());
        for (int i = 0; i < lines.size(); i++) {
            List<Point> points = lines.get(i).points();
            if (!points.isEmpty()) {
                XYSeries series = chart.addSeries(
                        lines.get(i).way(),
                        points.stream()
                                .mapToDouble(point -> Png.ofSize(point.bytes()))
                                .toArray(),
                        points.stream().mapToDouble(Point::value).toArray());
                series.setMarker(SeriesMarkers.CIRCLE);
                series.setMarkerColor(Png.color(i));
                series.setLineColor(Png.color(i));
                series.setLineWidth(3);
            }
        }
        return chart;
    }
}
