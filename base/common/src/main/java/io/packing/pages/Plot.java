// SPDX-License-Identifier: Apache-2.0
package io.packing.pages;

import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A plot as an element of a page. The page scales it, shows it dark where the reader's system is dark, and writes the legend
 * below it as text, which wraps.
 *
 * @param picture an element
 * @param legend empty: the plot needs none
 */
public record Plot(String picture, List<Line> legend) {
    private static final Pattern ROOT = Pattern.compile("<svg[^>]*>");
    private static final Pattern SIZE = Pattern.compile("\\s(width|height)=\"[^\"]*\"");
    /** The decimals of a coordinate from the third on: a reader does not see a thousandth of a pixel. */
    private static final Pattern DECIMALS = Pattern.compile("(\\.[0-9]{2})[0-9]+");

    private static final String KEY = """
            <li><svg class="key" viewBox="0 0 28 8" aria-hidden="true">
            <path d="M0 4h28" stroke="%s" stroke-width="4" stroke-dasharray="%s"/></svg>%s</li>
            """;

    private static final Pattern INDENT = Pattern.compile("\\n\\s+");

    /**
     * A line of a legend.
     *
     * @param color in hexadecimal digits, such as {@code #1b6ca8}
     * @param dashes as in {@code stroke-dasharray}; empty: the line has no gaps
     */
    public record Line(String name, String color, String dashes) {
        /** Creates the line of bars or of a line without gaps. */
        public static Line solid(String name, String color) {
            return new Line(name, color, "");
        }
    }

    public Plot {
        legend = List.copyOf(legend);
    }

    /**
     * Creates a plot of an SVG document without a legend.
     *
     * @param name unique on the page
     * @param title of the plot, for readers who do not see it
     * @throws IllegalArgumentException if the document has no root with a view box
     */
    public static Plot ofSvg(String name, String title, String svg, List<Line> legend) {
        Matcher root = ROOT.matcher(svg);
        if (!root.find() || !root.group().contains("viewBox=")) {
            throw new IllegalArgumentException("%s is no svg with a view box".formatted(name));
        }
        // Identifiers count for the whole page: a clip path of another plot that has the same name would cut this plot.
        String content = INDENT.matcher(svg.substring(root.end()))
                .replaceAll("\n")
                .replace(" id=\"", " id=\"" + name + "-")
                .replace("url(#", "url(#" + name + "-")
                .replace("href=\"#", "href=\"#" + name + "-");
        String label = "<svg class=\"chart\" role=\"img\" aria-label=\"%s\"".formatted(Pages.escape(title));
        String sized = SIZE.matcher(root.group().substring("<svg".length())).replaceAll("");
        return new Plot(label + sized + DECIMALS.matcher(content).replaceAll("$1"), legend);
    }

    /**
     * Creates a plot of an image without a legend, for a page with so many plots that they would be too large as SVG.
     *
     * @param title of the plot, for readers who do not see it
     */
    public static Plot ofPng(String title, byte[] png, List<Line> legend) {
        String data = Base64.getEncoder().encodeToString(png);
        return new Plot(
                "<img class=\"chart\" alt=\"%s\" src=\"data:image/png;base64,%s\">"
                        .formatted(Pages.escape(title), data),
                legend);
    }

    /** Returns the elements. */
    public String html() {
        StringBuilder html = new StringBuilder("<div class=\"scroll plain\">")
                .append(picture)
                .append("</div>\n");
        if (!legend.isEmpty()) {
            html.append("<ul class=\"legend\">");
            for (Line line : legend) {
                html.append(KEY.formatted(
                        Pages.escape(line.color()), Pages.escape(line.dashes()), Pages.escape(line.name())));
            }
            html.append("</ul>\n");
        }
        return html.toString();
    }
}
