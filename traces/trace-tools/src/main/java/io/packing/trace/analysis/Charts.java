// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import io.packing.pages.Plot;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.internal.series.AxesChartSeries;
import org.knowm.xchart.internal.series.Series;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The style of a report's figures. */
final class Charts {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 460;
    private static final Color[] COLORS = {
        new Color(0x1f4e79), new Color(0xc55a11), new Color(0x6a9a3b), new Color(0x7f4f9e), new Color(0x808080)
    };
    private static final int SCALE = 2;

    private Charts() {}

    /** Draws stacked bars: one for each name, made of the series. */
    static CategoryChart bars(String xTitle, String yTitle, List<String> names, Map<String, List<Double>> series) {
        CategoryChart chart = categories(xTitle, yTitle);
        chart.getStyler().setStacked(series.size() > 1);
        series.forEach((name, values) -> chart.addSeries(name, names, values));
        return chart;
    }

    /** Draws points on a logarithmic axis: one for each name and series. Values must be positive. */
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

    /** Draws lines over a logarithmic x axis; y from 0 to 1. */
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

    /** Draws a chart for the page, which writes the legend itself, with {@value #SCALE} dots for a pixel. */
    static Plot onPage(String title, Chart<?, ?> chart) throws IOException {
        chart.getStyler().setLegendVisible(false);
        BufferedImage image =
                new BufferedImage(SCALE * chart.getWidth(), SCALE * chart.getHeight(), BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.scale(SCALE, SCALE);
        chart.paint(graphics, chart.getWidth(), chart.getHeight());
        graphics.dispose();
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        ImageIO.write(image, "png", png);
        List<Plot.Line> legend = new ArrayList<>();
        for (Series series : chart.getSeriesMap().values()) {
            // The library gives a series its colour when it draws the series.
            if (series instanceof AxesChartSeries drawn) {
                Color color = drawn.getLineColor();
                legend.add(Plot.Line.solid(
                        series.getLabel(),
                        "#%02x%02x%02x".formatted(color.getRed(), color.getGreen(), color.getBlue())));
            }
        }
        return Plot.ofPng(title, png.toByteArray(), legend.size() > 1 ? legend : List.of());
    }

    private static void style(AxesChartStyler styler) {
        styler.setSeriesColors(COLORS);
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotBorderVisible(false);
        styler.setLegendPosition(Styler.LegendPosition.OutsideS);
        styler.setLegendLayout(Styler.LegendLayout.Horizontal);
        styler.setLegendBorderColor(Color.WHITE);
        styler.setChartTitleVisible(false);
        styler.setYAxisDecimalPattern("#,##0.######");
    }
}
