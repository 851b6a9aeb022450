// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.figure;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import java.awt.Color;
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

/** A store's throughput by the size of the objects, with and without packing (Figure 2). */
public record Throughput(List<Point> points) {
    /** The name of the client that packs. */
    public static final String PACKING = "packing";

    private static final double MIB = 1 << 20;

    public Throughput {
        points = List.copyOf(points);
    }

    /** One object for each file, or through packing. */
    public enum Side {
        DIRECT,
        PACKED;

        @JsonValue
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The rate of writes of files of one size.
     *
     * @param size bytes of a file
     * @param client {@link #PACKING}, or the name of a client without it
     * @param seconds until all files were durable
     * @param throttled requests that the store refused
     */
    @JsonPropertyOrder({"size", "side", "client", "files", "bytes", "seconds", "mb_per_second", "throttled"})
    public record Point(long size, String client, long files, double seconds, long throttled) {
        /** Returns the side of the client. */
        @JsonProperty
        public Side side() {
            return client.equals(PACKING) ? Side.PACKED : Side.DIRECT;
        }

        @JsonProperty
        public long bytes() {
            return files * size;
        }

        /** MiB per second. */
        @JsonProperty("mb_per_second")
        public double megabytesPerSecond() {
            return seconds == 0 ? 0 : bytes() / MIB / seconds;
        }

        /** The size in the unit that suits it. */
        public String label() {
            if (size >= 1 << 20) {
                return number(size / MIB) + " MB";
            }
            return size >= 1 << 10 ? number(size / 1024.0) + " KB" : size + " B";
        }

        private static String number(double n) {
            return n == Math.rint(n) ? Long.toString((long) n) : String.format(Locale.ROOT, "%.1f", n);
        }
    }

    /** Writes {@code sizes.csv} and {@code sizes.png} into a directory. */
    public void write(Path directory) throws IOException {
        Files.write(directory.resolve("sizes.csv"), csv());
        Png.write(chart(), directory.resolve("sizes.png"));
    }

    List<String> csv() {
        List<String> lines = new ArrayList<>();
        lines.add("size,side,client,files,bytes,seconds,mb_per_second,throttled");
        for (Point point : points) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%d,%s,%s,%d,%d,%.3f,%.3f,%d",
                    point.size(),
                    point.side().label(),
                    point.client(),
                    point.files(),
                    point.bytes(),
                    point.seconds(),
                    point.megabytesPerSecond(),
                    point.throttled()));
        }
        return lines;
    }

    private XYChart chart() {
        XYChart chart = new XYChartBuilder()
                .width(Png.WIDTH)
                .height(Png.HEIGHT)
                .title("Throughput by file size")
                .xAxisTitle("size of each file")
                .yAxisTitle("MB per second, until durable in S3")
                .build();
        Png.style(chart.getStyler());
        chart.getStyler().setYAxisLogarithmic(true);
        chart.getStyler().setYAxisDecimalPattern("#,##0.##");
        Png.styleSizes(chart.getStyler());
        List<String> direct = points.stream()
                .filter(point -> point.side() == Side.DIRECT)
                .map(Point::client)
                .distinct()
                .toList();
        for (int i = 0; i < direct.size(); i++) {
            line(chart, "one object per file, " + direct.get(i), direct.get(i), Png.color(i + 1));
        }
        line(chart, "packed", PACKING, Png.PACKED);
        return chart;
    }

    /** Returns the label at an axis of sizes. */
    static String tick(double bytes) {
        return new Point(Math.round(bytes), PACKING, 1, 0, 0).label();
    }

    private void line(XYChart chart, String name, String client, Color color) {
        List<Point> ofSide =
                points.stream().filter(point -> point.client().equals(client)).toList();
        if (!ofSide.isEmpty()) {
            XYSeries series = chart.addSeries(
                    name,
                    ofSide.stream()
                            .mapToDouble(point -> Png.ofSize(point.size()))
                            .toArray(),
                    ofSide.stream().mapToDouble(Point::megabytesPerSecond).toArray());
            series.setMarker(SeriesMarkers.CIRCLE);
            series.setMarkerColor(color);
            series.setLineColor(color);
            series.setLineWidth(3);
        }
    }
}
