// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.packing.pages.Pages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.internal.chartpart.Chart;

/**
 * The report of an analysis. {@code report.html} needs no other file and fits a phone. Each figure is a PNG and an SVG
 * file with its numbers as CSV in {@code figures/}. {@code numbers.json} has all numbers.
 */
public final class AnalysisReport {
    private static final int DOTS_PER_INCH = 144;
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private AnalysisReport() {}

    /**
     * Writes the report, and replaces an older one.
     *
     * @return the HTML file
     */
    public static Path write(Findings findings, Path directory) throws IOException {
        return write(new Analysis.Results(Optional.of(findings), Optional.empty()), directory);
    }

    /**
     * Writes the report of all kinds of calls, and replaces an older one.
     *
     * @return the HTML file
     */
    public static Path write(Analysis.Results results, Path directory) throws IOException {
        System.setProperty("java.awt.headless", "true");
        List<Figure> figures = figures(results);
        Path files = Files.createDirectories(directory.resolve("figures"));
        StringBuilder html = new StringBuilder(Pages.head("Trace analysis"));
        html.append(input(results));
        Map<String, Object> numbers = new LinkedHashMap<>();
        numbers.put("input", results.input());
        for (Figure figure : figures) {
            Files.writeString(
                    files.resolve(figure.name() + ".csv"), figure.table().csv());
            numbers.put(figure.name(), figure.table().maps());
            html.append("<section id=\"%s\"><h2>%s</h2><p>%s</p>"
                    .formatted(figure.name(), Pages.escape(figure.title()), Pages.escape(figure.caption())));
            if (figure.chart().isPresent()) {
                html.append(draw(figure, files));
            }
            if (figure.name().equals("figure-2.1") && results.system().isPresent()) {
                html.append(TimelinePicture.html(results.system().get().timeline()));
            }
            html.append("<div class=scroll>").append(figure.table().html()).append("</div></section>\n");
        }
        JSON.writeValue(directory.resolve("numbers.json").toFile(), numbers);
        Path file = directory.resolve("report.html");
        Files.writeString(file, html.append(Pages.FOOT));
        return file;
    }

    private static List<Figure> figures(Analysis.Results results) {
        List<Figure> figures = new ArrayList<>();
        results.hdfs().ifPresent(found -> figures.addAll(new Figures(found).all()));
        results.system().ifPresent(found -> figures.addAll(new SystemFigures(found).all()));
        return figures;
    }

    /**
     * A table of a report.
     *
     * @param figure number of the paper's figure or table; empty for our own
     * @param name of the table in {@code numbers.json} and {@code figures/}
     */
    public record TableOf(String figure, String name, String title) {}

    /** Returns the tables that {@link #write} writes. */
    public static List<TableOf> tables(Analysis.Results results) {
        return figures(results).stream()
                .map(figure -> new TableOf(figure.number().orElse(""), figure.name(), figure.title()))
                .toList();
    }

    private static String draw(Figure figure, Path files) throws IOException {
        Chart<?, ?> chart = figure.chart().orElseThrow();
        String base = files.resolve(figure.name()).toString();
        BitmapEncoder.saveBitmapWithDPI(chart, base, BitmapEncoder.BitmapFormat.PNG, DOTS_PER_INCH);
        VectorGraphicsEncoder.saveVectorGraphic(chart, base, VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
        return Charts.onPage(figure.title(), chart).html();
    }

    private static String input(Analysis.Results results) {
        InputReport input = results.input();
        Optional<Integer> hours =
                results.hdfs().map(found -> found.eventsByHour().size());
        StringBuilder text = new StringBuilder("<p>%,d events of %,d files were read%s.</p>"
                .formatted(
                        input.events(),
                        input.files(),
                        hours.map(", over %,d hours"::formatted).orElse("")));
        if (!input.isWhole() || input.dropped() > 0 || input.unknownCalls() > 0) {
            text.append(
                    ("<p class=note>Not read: %,d damaged blocks with about %,d events, %,d bytes that belong to no block, "
                                    + "%,d torn files. The tracer dropped %,d events; %,d calls are of a newer version.</p>")
                            .formatted(
                                    input.damagedBlocks(),
                                    input.lostEvents(),
                                    input.skippedBytes(),
                                    input.tornFiles(),
                                    input.dropped(),
                                    input.unknownCalls()));
        }
        for (String reason : input.unreadable()) {
            text.append("<p class=note>Not read at all: ")
                    .append(Pages.escape(reason))
                    .append("</p>");
        }
        return text.append('\n').toString();
    }
}
