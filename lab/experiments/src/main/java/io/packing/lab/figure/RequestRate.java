// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.figure;

import io.packing.lab.compare.PutTimeline;
import io.packing.s3server.S3ServerMetrics.Second;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** PUT requests that were served and that were throttled, over time (Figure 3). */
public record RequestRate(PutTimeline packed, PutTimeline direct) {
    /** Writes {@code requests.csv} and {@code requests.png} into a directory. */
    public void write(Path directory) throws IOException {
        Files.write(directory.resolve("requests.csv"), csv());
        Png.write(chart(), directory.resolve("requests.png"));
    }

    List<String> csv() {
        List<String> lines = new ArrayList<>();
        lines.add("side,second,put,throttled");
        rows(lines, "packed", packed);
        rows(lines, "direct", direct);
        return lines;
    }

    private static void rows(List<String> lines, String side, PutTimeline timeline) {
        for (int i = 0; i < timeline.seconds().size(); i++) {
            Second second = timeline.seconds().get(i);
            lines.add("%s,%d,%d,%d".formatted(side, i, second.put(), second.throttled()));
        }
    }

    private XYChart chart() {
        XYChart chart = new XYChartBuilder()
                .width(Png.WIDTH)
                .height(Png.HEIGHT)
                .title("PUT-class requests per second while ingesting the same files")
                .xAxisTitle("seconds since the first write of each side")
                .yAxisTitle("requests per second")
                .build();
        Png.style(chart.getStyler());
        chart.getStyler().setYAxisMin(0.0);
        line(chart, "direct, served", direct, Second::put, Png.DIRECT);
        line(chart, "direct, throttled (503)", direct, Second::throttled, Png.THROTTLED);
        line(chart, "packed, served", packed, Second::put, Png.PACKED);
        line(chart, "packed, throttled (503)", packed, Second::throttled, Color.GRAY);
        return chart;
    }

    private static void line(
            XYChart chart, String name, PutTimeline timeline, ToLongFunction<Second> value, Color color) {
        List<Second> seconds = timeline.seconds();
        if (seconds.isEmpty()) {
            return;
        }
        double[] x = IntStream.range(0, seconds.size()).asDoubleStream().toArray();
        double[] y = seconds.stream().mapToDouble(value::applyAsLong).toArray();
        chart.addSeries(name, x, y)
                .setMarker(SeriesMarkers.NONE)
                .setLineColor(color)
                .setLineWidth(3);
    }
}
