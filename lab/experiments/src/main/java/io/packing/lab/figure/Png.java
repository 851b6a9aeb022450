// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.figure;

import java.awt.Color;
import java.awt.Font;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;

/** The look of every plot, and its way into a file. */
final class Png {
    static final int WIDTH = 1_400;
    static final int HEIGHT = 800;
    static final Color PACKED = new Color(0x1b6ca8);
    static final Color DIRECT = new Color(0xd1495b);
    static final Color THROTTLED = new Color(0xe0a13c);

    private static final List<Color> COLORS = List.of(PACKED, DIRECT, THROTTLED, Color.GRAY);

    private Png() {}

    /** One for each of the first few things that a plot has. */
    static Color color(int index) {
        return COLORS.get(index % COLORS.size());
    }

    static void style(AxesChartStyler styler) {
        styler.setChartTitleFont(font(Font.BOLD, 24));
        styler.setAxisTitleFont(font(Font.PLAIN, 20));
        styler.setAxisTickLabelsFont(font(Font.PLAIN, 18));
        styler.setLegendFont(font(Font.PLAIN, 18));
        styler.setAnnotationTextFont(font(Font.PLAIN, 16));
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotGridLinesColor(new Color(0xdddddd));
        styler.setLegendPosition(Styler.LegendPosition.OutsideS);
        styler.setLegendLayout(Styler.LegendLayout.Horizontal);
        styler.setChartPadding(24);
        styler.setMarkerSize(12);
    }

    /**
     * Makes the x axis one of sizes, whose points are at {@link #ofSize}. The library labels a logarithmic axis of its own as if it
     * were linear once the caller sets the labels.
     */
    static void styleSizes(AxesChartStyler styler) {
        styler.setxAxisTickLabelsFormattingFunction(x -> x == Math.rint(x) ? Throughput.tick(Math.pow(2, x)) : " ");
    }

    /** Returns the place of a size on an axis of sizes. */
    static double ofSize(long bytes) {
        return Math.log((double) bytes) / Math.log(2);
    }

    static String hex(Color color) {
        return "#%02x%02x%02x".formatted(color.getRed(), color.getGreen(), color.getBlue());
    }

    /** Returns the chart as an SVG document. */
    static String svg(Chart<?, ?> chart) throws IOException {
        ByteArrayOutputStream svg = new ByteArrayOutputStream();
        VectorGraphicsEncoder.saveVectorGraphic(chart, svg, VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
        return svg.toString(StandardCharsets.UTF_8);
    }

    private static Font font(int style, int size) {
        return new Font(Font.SANS_SERIF, style, size);
    }

    static void write(Chart<?, ?> chart, Path file) throws IOException {
        try {
            BitmapEncoder.saveBitmap(chart, file.toString(), BitmapEncoder.BitmapFormat.PNG);
        } catch (LinkageError | NullPointerException | InternalError e) {
            // What the JDK throws where it finds no font at all.
            throw new IOException(
                    "cannot draw %s; are fonts installed (fontconfig, fonts-dejavu-core)?".formatted(file), e);
        }
    }
}
