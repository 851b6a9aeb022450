// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import io.packing.pages.Plot;
import io.packing.sim.RunResult;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.internal.series.Series;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A drawer of an experiment's plots. */
final class Plots {
    private static final int WIDTH = 1000;
    private static final int HEIGHT = 560;
    /** The number of characters that fit below a plot, about. */
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

    private static final BasicStroke[] STROKES = {new BasicStroke(2), dashes(8, 5), dashes(2, 4), dashes(12, 4, 2, 4)};
    private static final Marker[] MARKERS = {
        SeriesMarkers.CIRCLE, SeriesMarkers.DIAMOND, SeriesMarkers.SQUARE, SeriesMarkers.TRIANGLE_UP
    };
    /** The distance of a point's label from the point, as a part of the largest value. */
    private static final double LABEL_AWAY = 0.03;
    /** The distance on a logarithmic axis, as a part of the point's own value. */
    private static final double TIMES_AWAY = 0.2;

    private static final String DECIMALS = "#,##0.####";
    private static final String SMALL_DECIMALS = "#,##0.########";

    /** The ratio of the largest to the least value from which an axis is logarithmic. */
    private static final double APART = 100;

    private static final String LOGARITHMIC = ", logarithmic";
    private static final String NO_ZEROS = LOGARITHMIC + "; zeros are left out";

    private Plots() {}

    private static BasicStroke dashes(float... lengths) {
        return new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10, lengths, 0);
    }

    /** Writes {@code base.png} and {@code base.svg}. */
    static void draw(PlotSpec spec, Results results, Path base) throws IOException {
        Chart<?, ?> chart = chart(spec, results);
        BitmapEncoder.saveBitmap(chart, base.toString(), BitmapEncoder.BitmapFormat.PNG);
        VectorGraphicsEncoder.saveVectorGraphic(chart, base.toString(), VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
    }

    /** Draws a plot for a page, which writes the legend itself. */
    static Plot onPage(PlotSpec spec, Results results, String name) throws IOException {
        Chart<?, ?> chart = chart(spec, results);
        boolean legend =
                chart.getStyler().isLegendVisible() && chart.getSeriesMap().size() > 1;
        chart.getStyler().setLegendVisible(false);
        ByteArrayOutputStream svg = new ByteArrayOutputStream();
        VectorGraphicsEncoder.saveVectorGraphic(chart, svg, VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
        // The library gives a series its colour when it draws the series.
        List<Plot.Line> lines = legend
                ? chart.getSeriesMap().values().stream()
                        .map(series -> legendLine(series))
                        .toList()
                : List.of();
        return Plot.ofSvg(name, spec.title(), svg.toString(StandardCharsets.UTF_8), lines);
    }

    private static Plot.Line legendLine(Series series) {
        if (!(series instanceof XYSeries line)) {
            return Plot.Line.solid(series.getLabel(), hex(series.getFillColor()));
        }
        float[] dashes = line.getLineStyle().getDashArray();
        List<String> lengths = new ArrayList<>();
        for (int i = 0; dashes != null && i < dashes.length; i++) {
            lengths.add(String.valueOf(dashes[i]));
        }
        return new Plot.Line(series.getLabel(), hex(line.getMarkerColor()), String.join(" ", lengths));
    }

    private static String hex(Color color) {
        return "#%02x%02x%02x".formatted(color.getRed(), color.getGreen(), color.getBlue());
    }

    static Chart<?, ?> chart(PlotSpec spec, Results results) {
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

        /** Returns the points that have a place on a logarithmic axis. */
        Line positive() {
            Line line = new Line();
            for (int i = 0; i < y.size(); i++) {
                if (y.get(i) > 0) {
                    line.x.add(x.get(i));
                    line.y.add(y.get(i));
                    line.labels.add(labels.get(i));
                }
            }
            return line;
        }
    }

    /** Groups the points of the experiment by line: one for each metric and each value of the series' axes. */
    private static Map<List<String>, Line> byLine(PlotSpec spec, Results results) {
        Map<List<String>, Line> lines = new LinkedHashMap<>();
        List<Point> points = results.experiment().points();
        for (int i = 0; i < points.size(); i++) {
            for (String metric : spec.y()) {
                List<String> names = new ArrayList<>();
                if (spec.y().size() > 1 || spec.series().isEmpty()) {
                    names.add(spec.nameOf(metric));
                }
                for (String axis : spec.series()) {
                    names.add(results.experiment().inWords(axis, points.get(i)));
                }
                String label = String.valueOf(points.get(i).labels().get(spec.x()));
                double y = results.metric(i, metric) * spec.factor();
                if (Double.isFinite(y)) {
                    Line line = lines.computeIfAbsent(List.copyOf(names), name -> new Line());
                    line.x.add(number(label, line.x.size()));
                    line.y.add(y);
                    line.labels.add(label);
                }
            }
        }
        return lines;
    }

    private static boolean areApart(Collection<Double> values) {
        DoubleSummaryStatistics positive = values.stream()
                .mapToDouble(Double::doubleValue)
                .filter(value -> value > 0)
                .summaryStatistics();
        return positive.getCount() > 0
                && positive.getMax() >= APART * positive.getMin()
                && values.stream().allMatch(value -> value >= 0);
    }

    private static List<Double> values(Map<List<String>, Line> lines) {
        return lines.values().stream().flatMap(line -> line.y().stream()).toList();
    }

    /** Makes the y axis logarithmic, and says so beside it. */
    private static void spread(Chart<?, ?> chart, AxesChartStyler styler, PlotSpec spec, Collection<Double> values) {
        styler.setYAxisLogarithmic(true);
        styler.setYAxisMin(null);
        styler.setYAxisDecimalPattern(SMALL_DECIMALS);
        chart.setYAxisTitle(spec.yTitle() + (values.contains(0.0) ? NO_ZEROS : LOGARITHMIC));
    }

    private static <T> int place(List<T> known, T one) {
        if (!known.contains(one)) {
            known.add(one);
        }
        return known.indexOf(one);
    }

    /** Returns whether labels side by side would overlap. */
    private static boolean crowded(Line line) {
        return line.labels().stream().mapToInt(label -> label.length() + 2).sum() > CHARACTERS;
    }

    /** Returns the number in a label such as "60 GB", or for a word its place in the order. */
    private static double number(String label, int place) {
        Matcher matcher = NUMBER.matcher(label);
        return matcher.find() ? Double.parseDouble(matcher.group()) : place;
    }

    private static XYChart xy(PlotSpec spec) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(spec.title())
                .xAxisTitle(spec.xTitle())
                .yAxisTitle(spec.yTitle())
                .build();
        XYStyler styler = chart.getStyler();
        styler.setSeriesColors(COLORS);
        styler.setLegendPosition(Styler.LegendPosition.OutsideE);
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setMarkerSize(6);
        styler.setYAxisMin(0.0);
        styler.setXAxisDecimalPattern(DECIMALS);
        styler.setYAxisDecimalPattern(DECIMALS);
        return chart;
    }

    private static XYChart lines(PlotSpec spec, Results results) {
        XYChart chart = xy(spec);
        // Lines that differ only in the last of their names have one colour: they often overlap.
        List<List<String>> colors = new ArrayList<>();
        List<String> strokes = new ArrayList<>();
        Map<List<String>, Line> lines = byLine(spec, results);
        List<Double> values = values(lines);
        boolean apart = areApart(values);
        if (apart) {
            spread(chart, chart.getStyler(), spec, values);
        }
        lines.forEach((names, every) -> {
            Line line = apart ? every.positive() : every;
            if (line.x().isEmpty()) {
                return;
            }
            boolean several = names.size() > 1;
            int color = place(colors, several ? names.subList(0, names.size() - 1) : names);
            int stroke = several ? place(strokes, names.get(names.size() - 1)) : 0;
            XYSeries series = chart.addSeries(String.join(", ", names), line.x(), line.y());
            series.setLineStyle(STROKES[stroke % STROKES.length]);
            series.setLineColor(COLORS[color % COLORS.length]);
            series.setMarker(MARKERS[stroke % MARKERS.length]);
            series.setMarkerColor(COLORS[color % COLORS.length]);
        });
        return chart;
    }

    private static CategoryChart bars(PlotSpec spec, Results results) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(spec.title())
                .xAxisTitle(spec.xTitle())
                .yAxisTitle(spec.yTitle())
                .build();
        chart.getStyler().setSeriesColors(COLORS);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        chart.getStyler().setYAxisMin(0.0);
        chart.getStyler().setYAxisDecimalPattern(DECIMALS);
        Map<List<String>, Line> lines = new LinkedHashMap<>();
        if (spec.x().isEmpty()) {
            // One bar for each metric.
            Line line = new Line();
            for (String metric : spec.y()) {
                line.labels.add(spec.nameOf(metric));
                line.y.add(results.metric(0, metric) * spec.factor());
            }
            lines.put(List.of(results.experiment().name()), line);
        } else {
            lines.putAll(byLine(spec, results));
        }
        List<Double> values = values(lines);
        boolean apart = areApart(values);
        if (apart) {
            // A bar's length means nothing on an axis without a zero: points replace the bars.
            spread(chart, chart.getStyler(), spec, values);
            chart.getStyler().setDefaultSeriesRenderStyle(CategorySeries.CategorySeriesRenderStyle.Scatter);
            chart.getStyler().setMarkerSize(9);
        }
        lines.forEach((names, line) ->
                chart.addSeries(String.join(", ", names), line.labels(), apart ? orNothing(line.y()) : line.y()));
        chart.getStyler().setLegendVisible(lines.size() > 1);
        if (lines.values().stream().anyMatch(Plots::crowded)) {
            chart.getStyler().setXAxisLabelRotation(45);
        }
        return chart;
    }

    /** Replaces values without a logarithm by null, for which the library draws nothing. */
    private static List<@Nullable Double> orNothing(List<Double> values) {
        List<@Nullable Double> positive = new ArrayList<>();
        values.forEach(value -> positive.add(value > 0 ? value : null));
        return positive;
    }

    private static XYChart pareto(PlotSpec spec, Results results) {
        XYChart chart = xy(spec);
        chart.getStyler().setDefaultSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter);
        chart.getStyler().setMarkerSize(9);
        Line best = new Line();
        Line other = new Line();
        Experiment experiment = results.experiment();
        String y = spec.y().get(0);
        for (int i = 0; i < experiment.points().size(); i++) {
            boolean optimal = results.optimal(i, spec.x(), y);
            Line line = optimal ? best : other;
            line.x.add(results.metric(i, spec.x()));
            line.y.add(results.metric(i, y));
            if (optimal) {
                Point point = experiment.points().get(i);
                best.labels.add(String.join("/", point.labels(experiment.axes())));
            }
        }
        scatter(chart, "justified", best, Color.BLACK);
        if (!other.x.isEmpty()) {
            scatter(chart, "not justified", other, Color.LIGHT_GRAY);
        }
        List<Double> values = Stream.concat(best.y.stream(), other.y.stream()).toList();
        boolean apart = areApart(values) && !values.contains(0.0);
        if (apart) {
            spread(chart, chart.getStyler(), spec, values);
        }
        name(chart, best, apart);
        return chart;
    }

    /** Writes the labels of points below and above them in turn, since neighbours' labels would overlap. */
    private static void name(XYChart chart, Line line, boolean apart) {
        chart.getStyler().setAnnotationTextFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        double away = Collections.max(line.y) * LABEL_AWAY;
        List<Integer> order = IntStream.range(0, line.x.size())
                .boxed()
                .sorted(Comparator.comparing(line.x::get))
                .toList();
        for (int i = 0; i < order.size(); i++) {
            int at = order.get(i);
            double side = i % 2 == 0 ? -1 : 1;
            double y = apart ? line.y.get(at) * (1 + side * TIMES_AWAY) : line.y.get(at) + side * away;
            chart.addAnnotation(new AnnotationText(line.labels.get(at), line.x.get(at), y, false));
        }
    }

    private static void scatter(XYChart chart, String name, Line line, Color color) {
        XYSeries series = chart.addSeries(name, line.x, line.y);
        series.setMarkerColor(color);
        series.setMarker(SeriesMarkers.CIRCLE);
    }

    private static XYChart timeline(PlotSpec spec, Results results) {
        XYChart chart = xy(spec);
        Experiment experiment = results.experiment();
        for (int i = 0; i < experiment.points().size(); i++) {
            Point point = experiment.points().get(i);
            if (!point.is(spec.only())) {
                continue;
            }
            // The first seed is drawn: a median of several days' hours would be none of them.
            RunResult run = results.seeds().get(0).get(i);
            Line line = new Line();
            for (int at = 0; at < run.hitRates().size(); at++) {
                double hours = at * run.stretchHours();
                if (Double.isFinite(run.hitRates().get(at)) && hours >= spec.from() && hours <= spec.to()) {
                    line.x.add(hours);
                    line.y.add(run.hitRates().get(at));
                }
            }
            // The title has the labels that all lines share.
            String label = experiment.axes().stream()
                    .filter(axis -> !spec.only().containsKey(axis.name()))
                    .map(axis -> experiment.inWords(axis.name(), point))
                    .collect(Collectors.joining(", "));
            XYSeries series = chart.addSeries(label, line.x, line.y);
            series.setMarker(SeriesMarkers.NONE);
            series.setLineStyle(new BasicStroke(1.5f));
        }
        return chart;
    }
}
