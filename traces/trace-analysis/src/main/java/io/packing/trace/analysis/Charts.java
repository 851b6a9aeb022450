package io.packing.trace.analysis;

import java.awt.Color;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** How the figures of a report look. */
final class Charts {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 460;
    private static final Color[] COLORS = {
        new Color(0x1f4e79), new Color(0xc55a11), new Color(0x6a9a3b), new Color(0x7f4f9e), new Color(0x808080)
    };

    private Charts() {}

    /** Stacked bars: one per name, made of the series. */
    static CategoryChart bars(String xTitle, String yTitle, List<String> names, Map<String, List<Double>> series) {
        CategoryChart chart = categories(xTitle, yTitle);
        chart.getStyler().setStacked(series.size() > 1);
        series.forEach((name, values) -> chart.addSeries(name, names, values));
        return chart;
    }

    /** Points on a logarithmic axis: for each name one per series. Values must be positive. */
    static CategoryChart points(String xTitle, String yTitle, List<String> names, Map<String, List<Double>> series) {
        CategoryChart chart = categories(xTitle, yTitle);
        chart.getStyler().setDefaultSeriesRenderStyle(CategorySeries.CategorySeriesRenderStyle.Scatter);
        chart.getStyler().setYAxisLogarithmic(true);
        series.forEach((name, values) -> chart.addSeries(name, names, values));
        return chart;
    }

    private static CategoryChart categories(String xTitle, String yTitle) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .xAxisTitle(xTitle)
                .yAxisTitle(yTitle)
                .build();
        style(chart.getStyler());
        chart.getStyler().setXAxisLabelRotation(20);
        return chart;
    }

    /** Lines over a logarithmic x axis; y from 0 to 1. */
    static XYChart shares(String xTitle, String yTitle, double[] x, Map<String, double[]> lines) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .xAxisTitle(xTitle)
                .yAxisTitle(yTitle)
                .build();
        style(chart.getStyler());
        chart.getStyler().setXAxisLogarithmic(true);
        chart.getStyler().setYAxisMin(0.0);
        chart.getStyler().setYAxisMax(1.0);
        lines.forEach((name, y) -> chart.addSeries(name, x, y).setMarker(SeriesMarkers.NONE));
        return chart;
    }

    private static void style(AxesChartStyler styler) {
        styler.setSeriesColors(COLORS);
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotBorderVisible(false);
        styler.setLegendPosition(Styler.LegendPosition.OutsideS);
        styler.setLegendLayout(Styler.LegendLayout.Horizontal);
        styler.setLegendBorderColor(Color.WHITE);
        styler.setChartTitleVisible(false);
    }
}
