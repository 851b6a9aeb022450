package io.packing.trace.analysis;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.internal.chartpart.Chart;

/**
 * The report of an analysis: {@code report.html}, which needs nothing beside it and fits a phone; each figure as PNG and
 * SVG and its numbers as CSV in {@code figures/}; and all numbers in {@code numbers.json}.
 */
public final class Report {
    private static final int DOTS_PER_INCH = 144;
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private Report() {}

    /**
     * Writes the report, over an older one.
     *
     * @return the HTML file
     */
    public static Path write(Findings findings, Path directory) throws IOException {
        return write(new Analysis.Results(Optional.of(findings), Optional.empty()), directory);
    }

    /**
     * Writes the report of all kinds of calls, over an older one.
     *
     * @return the HTML file
     */
    public static Path write(Analysis.Results results, Path directory) throws IOException {
        System.setProperty("java.awt.headless", "true");
        List<Figure> figures = figures(results);
        Path files = Files.createDirectories(directory.resolve("figures"));
        StringBuilder html = new StringBuilder(HEAD);
        html.append("<h1>Trace analysis</h1>").append(input(results));
        Map<String, Object> numbers = new LinkedHashMap<>();
        numbers.put("input", results.input());
        for (Figure figure : figures) {
            Files.writeString(
                    files.resolve(figure.name() + ".csv"), figure.table().csv());
            numbers.put(figure.name(), figure.table().maps());
            html.append("<section id=\"%s\"><h2>%s</h2><p>%s</p>"
                    .formatted(figure.name(), Table.escape(figure.title()), Table.escape(figure.caption())));
            if (figure.chart().isPresent()) {
                html.append(draw(figure, files));
            }
            if (figure.name().equals("figure-2.1") && results.system().isPresent()) {
                html.append(TimelinePicture.html(results.system().get().timeline()));
            }
            html.append("<div class=t>").append(figure.table().html()).append("</div></section>\n");
        }
        JSON.writeValue(directory.resolve("numbers.json").toFile(), numbers);
        Path file = directory.resolve("report.html");
        Files.writeString(file, html.append("</body></html>\n"));
        return file;
    }

    private static List<Figure> figures(Analysis.Results results) {
        List<Figure> figures = new ArrayList<>();
        results.hdfs().ifPresent(found -> figures.addAll(new Figures(found).all()));
        results.system().ifPresent(found -> figures.addAll(new SystemFigures(found).all()));
        return figures;
    }

    /**
     * The tables of a report.
     *
     * @param figure number of the paper's figure or table; empty for our own
     * @param name under which {@code numbers.json} and {@code figures/} have it
     */
    public record TableOf(String figure, String name, String title) {}

    /** The tables that {@link #write} writes. */
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
        String image = Base64.getEncoder().encodeToString(Files.readAllBytes(files.resolve(figure.name() + ".png")));
        return "<img alt=\"%s\" src=\"data:image/png;base64,%s\">".formatted(Table.escape(figure.title()), image);
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
                    ("<p class=w>Not read: %,d damaged blocks with about %,d events, %,d bytes that belong to no block, "
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
            text.append("<p class=w>Not read at all: ")
                    .append(Table.escape(reason))
                    .append("</p>");
        }
        return text.append('\n').toString();
    }

    private static final String HEAD = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Trace analysis</title>
            <style>
            body { font: 16px/1.5 system-ui, sans-serif; max-width: 800px; margin: 0 auto; padding: 12px; color: #222 }
            h1 { font-size: 1.5em } h2 { font-size: 1.15em; margin: 2em 0 .2em }
            img { width: 100%; height: auto } .t { overflow-x: auto }
            table { border-collapse: collapse; font-size: .85em; margin: .5em 0 }
            th, td { padding: 2px 10px 2px 0; text-align: left; white-space: nowrap; border-bottom: 1px solid #ddd }
            .n { text-align: right; font-variant-numeric: tabular-nums } .w { background: #fff3cd; padding: 8px }
            </style></head><body>
            """;
}
