package io.packing.sim.experiment;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws the plots of an experiment. */
final class Plots {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 560;
    /** That fit below a plot, about. */
    private static final int CHARACTERS = 90;

    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(\\.[0-9]+)?");
    private static final Color[] COLORS = {
        new Color(0x1b6ca8),
        new Color(0xd1495b),
        new Color(0x2e933c),
        new Color(0xedae49),
        new Color(0x6a4c93),
        new Color(0x444444),
        new Color(0x00a6a6),
        new Color(0x8d5524)
    };

    private Plots() {}

    /** Writes {@code base.png} and {@code base.svg}. */
    static void draw(PlotSpec spec, Results results, Path base) throws IOException {
        var chart = chart(spec, results);
        BitmapEncoder.saveBitmap(chart, base.toString(), BitmapEncoder.BitmapFormat.PNG);
        VectorGraphicsEncoder.saveVectorGraphic(chart, base.toString(), VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
    }

    private static Chart<?, ?> chart(PlotSpec spec, Results results) {
        return switch (spec.kind()) {
            case LINES -> lines(spec, results);
            case BARS -> bars(spec, results);
            case PARETO -> pareto(spec, results);
            case TIMELINE -> timeline(spec, results);
        };
    }

    private record Line(List<Double> x, List<Double> y, List<String> labels) {
        Line() {
            this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        }
    }

    /** The points of the experiment as lines: one for each metric and each value of the series' axes. */
    private static Map<String, Line> byLine(PlotSpec spec, Results results) {
        var lines = new LinkedHashMap<String, Line>();
        var points = results.experiment().points();
        for (int i = 0; i < points.size(); i++) {
            for (var metric : spec.y()) {
                var names = new ArrayList<String>();
                for (var axis : spec.series()) {
                    names.add(String.valueOf(points.get(i).labels().get(axis)));
                }
                if (spec.y().size() > 1 || names.isEmpty()) {
                    names.add(metric);
                }
                var label = String.valueOf(points.get(i).labels().get(spec.x()));
                var y = results.runs().get(i).metric(metric) * spec.factor();
                if (Double.isFinite(y)) {
                    var line = lines.computeIfAbsent(String.join(", ", names), name -> new Line());
                    line.x.add(number(label, line.x.size()));
                    line.y.add(y);
                    line.labels.add(label);
                }
            }
        }
        return lines;
    }

    /** Whether labels side by side would run into each other. */
    private static boolean crowded(Line line) {
        return line.labels().stream().mapToInt(label -> label.length() + 2).sum() > CHARACTERS;
    }

    /** The number in a label such as "60 GB"; a word stands at its place in the order. */
    private static double number(String label, int place) {
        var matcher = NUMBER.matcher(label);
        return matcher.find() ? Double.parseDouble(matcher.group()) : place;
    }

    private static XYChart xy(PlotSpec spec) {
        var chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(spec.title())
                .xAxisTitle(spec.xTitle())
                .yAxisTitle(spec.yTitle())
                .build();
        var styler = chart.getStyler();
        styler.setSeriesColors(COLORS);
        styler.setLegendPosition(Styler.LegendPosition.OutsideE);
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setMarkerSize(6);
        styler.setYAxisMin(0.0);
        return chart;
    }

    private static XYChart lines(PlotSpec spec, Results results) {
        var chart = xy(spec);
        byLine(spec, results)
                .forEach((name, line) ->
                        chart.addSeries(name, line.x(), line.y()).setLineStyle(new BasicStroke(2)));
        return chart;
    }

    private static CategoryChart bars(PlotSpec spec, Results results) {
        var chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(spec.title())
                .xAxisTitle(spec.xTitle())
                .yAxisTitle(spec.yTitle())
                .build();
        chart.getStyler().setSeriesColors(COLORS);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        if (spec.x().isEmpty()) {
            // One bar per metric.
            var run = results.runs().get(0);
            chart.addSeries(
                    results.experiment().name(),
                    spec.y(),
                    spec.y().stream()
                            .map(metric -> run.metric(metric) * spec.factor())
                            .toList());
            chart.getStyler().setLegendVisible(false);
            return chart;
        }
        var lines = byLine(spec, results);
        lines.forEach((name, line) -> chart.addSeries(name, line.labels(), line.y()));
        chart.getStyler().setLegendVisible(lines.size() > 1);
        if (lines.values().stream().anyMatch(Plots::crowded)) {
            chart.getStyler().setXAxisLabelRotation(45);
        }
        return chart;
    }

    private static XYChart pareto(PlotSpec spec, Results results) {
        var chart = xy(spec);
        chart.getStyler().setDefaultSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter);
        chart.getStyler().setMarkerSize(9);
        chart.getStyler().setYAxisLogarithmic(true);
        chart.getStyler().setYAxisMin(null);
        var other = new Line();
        var y = spec.y().get(0);
        for (int i = 0; i < results.runs().size(); i++) {
            var run = results.runs().get(i);
            if (results.optimal(i, spec.x(), y)) {
                var label = String.join(
                        " ",
                        results.experiment()
                                .points()
                                .get(i)
                                .labels(results.experiment().axes()));
                chart.addSeries(label, List.of(run.metric(spec.x())), List.of(run.metric(y)));
            } else {
                other.x.add(run.metric(spec.x()));
                other.y.add(run.metric(y));
            }
        }
        if (!other.x.isEmpty()) {
            var series = chart.addSeries("not justified", other.x, other.y);
            series.setMarkerColor(Color.LIGHT_GRAY);
            series.setMarker(SeriesMarkers.CIRCLE);
        }
        return chart;
    }

    private static XYChart timeline(PlotSpec spec, Results results) {
        var chart = xy(spec);
        for (int i = 0; i < results.runs().size(); i++) {
            if (!results.experiment().points().get(i).is(spec.only())) {
                continue;
            }
            var run = results.runs().get(i);
            var line = new Line();
            for (int at = 0; at < run.hitRates().size(); at++) {
                var hours = at * run.stretchHours();
                if (Double.isFinite(run.hitRates().get(at)) && hours >= spec.from() && hours <= spec.to()) {
                    line.x.add(hours);
                    line.y.add(run.hitRates().get(at));
                }
            }
            var label = String.join(
                    " ",
                    results.experiment()
                            .points()
                            .get(i)
                            .labels(results.experiment().axes()));
            var series = chart.addSeries(label, line.x, line.y);
            series.setMarker(SeriesMarkers.NONE);
            series.setLineStyle(new BasicStroke(1.5f));
        }
        return chart;
    }
}
