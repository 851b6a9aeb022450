// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.lab.compare.Median;
import io.packing.lab.figure.ByWay;
import io.packing.lab.images.HelloExperiment.ImageResult;
import io.packing.pages.Pages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** All numbers of a run of HelloBench beside the paper's (Slacker, chapters 4 and 5), on one page that needs no other. */
final class HelloPage {
    private static final double MEGABYTE = 1e6;

    private HelloPage() {}

    /**
     * A number beside the paper's.
     *
     * @param figure of the paper
     * @param overlay of the peer: overlayfs over full pulls; empty where the number is not one of a side
     * @param paper what the paper has for AUFS, and for Slacker if it has that
     */
    private record Row(String figure, String what, String overlay, String ours, String paper) {}

    /** Writes {@code hello.html}, and what is on it as JSON and CSV. */
    static void write(HelloExperiment.Result result, ImageStudy study, Path directory) throws IOException {
        Files.createDirectories(directory);
        ObjectMapper json = new ObjectMapper();
        json.writerWithDefaultPrettyPrinter()
                .writeValue(directory.resolve("hello.json").toFile(), result);
        json.writerWithDefaultPrettyPrinter()
                .writeValue(directory.resolve("hello-images.json").toFile(), study);
        StringBuilder html = new StringBuilder(Pages.head("HelloBench: how fast containers start"))
                .append(
                        "<p>%d images of Debian packages. The paper has 57 images of a hub, on another machine and another"
                                .formatted(result.images()))
                .append(" decade: compare ratios, not seconds. Overlay is overlayfs over a full pull from"
                        + " docker-registry,")
                .append(" the paper's AUFS; ours stands where the paper has Slacker. All are medians over images"
                        + " unless a")
                .append(" line says something else.</p>");
        table(html, "Times (§4.4, §5.7.1, §5.7.3)", times(result));
        plot(html, directory, deployment(result));
        table(html, "Bytes that a start needs (§4.3, §4.6)", bytes(result, study));
        plot(html, directory, sizes(result));
        table(html, "What the images are made of (§4.3)", data(study));
        table(html, "Layers (§4.5)", layers(study));
        images(html, result, study);
        Files.writeString(directory.resolve("hello.html"), html.append(Pages.FOOT));
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    private static String seconds(double value) {
        return number("%.3f s", value);
    }

    private static String percent(double value) {
        return number("%.1f %%", 100 * value);
    }

    private static String times(double value) {
        return number("%.2f", value);
    }

    private static List<Row> times(HelloExperiment.Result result) {
        HelloTimes peer = result.peer();
        HelloTimes ours = result.ours();
        return List.of(
                new Row("4.8", "push", seconds(peer.pushS()), seconds(ours.pushS()), "61 s"),
                new Row("4.8", "pull", seconds(peer.pullS()), seconds(ours.pullS()), "16 s"),
                new Row("4.8", "first run", seconds(peer.runS()), seconds(ours.runS()), "0.97 s"),
                new Row("5.9", "second run", seconds(peer.rerunS()), seconds(ours.rerunS()), "0.67 s; Slacker 0.97 s"),
                new Row(
                        "4.9",
                        "share of the pull in pull and run",
                        percent(peer.pullS() / peer.deployment()),
                        percent(ours.pullS() / ours.deployment()),
                        "76 % (mean)"),
                new Row("5.6", "push, times as fast", "1", times(peer.pushS() / ours.pushS()), "153 (mean)"),
                new Row("5.6", "pull, times as fast", "1", times(peer.pullS() / ours.pullS()), "72 (mean)"),
                new Row("5.6", "first run, to overlay's time", "1", times(ours.runS() / peer.runS()), "1.17 (mean)"),
                new Row("5.7", "pull and run, times as fast", "1", times(result.deploymentSpeedup()), "5.3"),
                new Row(
                        "5.7",
                        "pull and run of what nobody has started before, times as fast",
                        "1",
                        times(result.firstDeploymentSpeedup()),
                        ""),
                new Row("5.7", "push, pull and run, times as fast", "1", times(result.developmentSpeedup()), "20"),
                new Row("5.9", "second run, to overlay's time", "1", times(result.rerunRatio()), "1.45"));
    }

    private static List<Row> bytes(HelloExperiment.Result result, ImageStudy study) {
        double first = sum(result, ImageResult::readBytes);
        double again = sum(result, ImageResult::rerunReadBytes);
        double written = sum(result, ImageResult::writtenBytes);
        return List.of(
                new Row("4.5", "image, MB", "", median(result, ImageResult::bytes), "329"),
                new Row(
                        "4.5",
                        "image, compressed, MB",
                        "",
                        number(
                                "%.1f",
                                Median.of(study.images().stream()
                                                .map(each -> (double) each.gzipBytes())
                                                .toList())
                                        / MEGABYTE),
                        "117"),
                new Row(
                        "4.5",
                        "transferred for pull and first run, MB",
                        median(result, ImageResult::bytes),
                        median(result, ImageResult::readBytes),
                        "117; Slacker 20"),
                new Row("4.6", "of the image", percent(1), percent(result.readFraction()), "6.4 % (mean)"),
                new Row("4.6", "of the image, first start anywhere", "", percent(result.firstReadFraction()), ""),
                new Row(
                        "4.14",
                        "of first runs' reads, what second runs need not read from the store again",
                        "",
                        first == 0 ? "" : percent(Math.max(0, 1 - again / first)),
                        "99 %"),
                new Row(
                        "4.14",
                        "reads to writes, all images",
                        "",
                        "%s to %s".formatted(percent(first / (first + written)), percent(written / (first + written))),
                        "88 % to 12 %"),
                new Row(
                        "",
                        "page cache of %d containers of one image, to one's"
                                .formatted(result.shared().containers()),
                        "",
                        number("%.3f", result.shared().cachedRatio()),
                        ""),
                new Row(
                        "",
                        "reads of the store of these, to one's",
                        "",
                        number("%.3f", result.shared().readRatio()),
                        ""));
    }

    private static List<Row> data(ImageStudy study) {
        return List.of(
                new Row("4.7", "gzip, an image", "", times(study.gzipRatio()), "2.3 to 2.7"),
                new Row("4.7", "equal files once, an image", "", times(study.fileRatio()), "below gzip"),
                new Row("4.7", "equal blocks of 4 KB once, an image", "", times(study.blockRatio()), "below gzip"),
                new Row("4.7", "equal files once, all images", "", times(study.allFileRatio()), "2.6"),
                new Row("4.7", "equal blocks of 4 KB once, all images", "", times(study.allBlockRatio()), "2.8"),
                new Row(
                        "4.7",
                        "equal files once, all images, of which each layer is there once",
                        "",
                        times(study.layerFileRatio()),
                        ""));
    }

    private static List<Row> layers(ImageStudy study) {
        List<Row> rows = new ArrayList<>();
        rows.add(new Row("4.3", "layers of an image", "", number("%.0f", study.layersP50()), "up to 28"));
        double below = 0;
        for (Map.Entry<Integer, Double> depth : study.bytesByDepth().entrySet()) {
            below += depth.getValue();
            rows.add(new Row(
                    "4.12",
                    "bytes at depth %d; so far".formatted(depth.getKey()),
                    "",
                    "%s; %s".formatted(percent(depth.getValue()), percent(below)),
                    depth.getKey() == 9 ? "half lies at 9 or deeper" : ""));
        }
        rows.add(new Row(
                "4.13", "of an image in its uppermost layer", "", percent(study.topShare()), "0 % in 79 % of images"));
        rows.add(new Row("4.13", "in its lowest layer", "", percent(study.bottomShare()), "27 %"));
        rows.add(new Row("4.13", "in its largest layer", "", percent(study.largestShare()), "more than half"));
        return rows;
    }

    private static double sum(HelloExperiment.Result result, ToDoubleFunction<ImageResult> of) {
        return result.perImage().stream().mapToDouble(of).sum();
    }

    private static String median(HelloExperiment.Result result, ToDoubleFunction<ImageResult> of) {
        return number(
                "%.2f",
                Median.of(result.perImage().stream().map(of::applyAsDouble).toList()) / MEGABYTE);
    }

    private static void table(StringBuilder html, String title, List<Row> rows) {
        html.append(
                "<h2>%s</h2><div class=scroll><table><tr><th class=text>figure<th class=text><th>overlay<th>ours<th class=text>paper"
                        .formatted(title));
        for (Row row : rows) {
            html.append("<tr><td class=text>%s<td class=text>%s<td>%s<td>%s<td class=text>%s"
                    .formatted(row.figure(), row.what(), row.overlay(), row.ours(), row.paper()));
        }
        html.append("</table></div>");
    }

    private static List<String> names(HelloExperiment.Result result) {
        return result.perImage().stream().map(ImageResult::name).toList();
    }

    private static ByWay.Measure measure(String name, HelloExperiment.Result result, ToDoubleFunction<ImageResult> of) {
        return new ByWay.Measure(
                name, result.perImage().stream().map(of::applyAsDouble).toList());
    }

    private static ByWay deployment(HelloExperiment.Result result) {
        return new ByWay(
                "hello-deployment",
                "Pull and first run (Figure 5.6)",
                "seconds",
                names(result),
                List.of(
                        measure("ours", result, each -> each.ours().deployment()),
                        measure("overlay", result, each -> each.peer().deployment())));
    }

    private static ByWay sizes(HelloExperiment.Result result) {
        return new ByWay(
                "hello-bytes",
                "Read for a start, and the image (Figure 4.6)",
                "MB",
                names(result),
                List.of(
                        measure("read", result, each -> each.readBytes() / MEGABYTE),
                        measure("image", result, each -> each.bytes() / MEGABYTE)));
    }

    /** The plot is a part of the page; its numbers are a file beside it, too. */
    private static void plot(StringBuilder html, Path directory, ByWay plot) throws IOException {
        plot.write(directory);
        html.append("<figure>").append(plot.onPage().html()).append("</figure>");
    }

    private static void images(StringBuilder html, HelloExperiment.Result result, ImageStudy study) {
        html.append("<h2>Each image</h2><div class=scroll><table><tr><th class=text>image");
        for (String column : List.of("MB", "gzip", "files", "blocks", "read MB", "written kB")) {
            html.append("<th>").append(column);
        }
        for (String side : List.of("overlay", "ours")) {
            for (String step : List.of("push", "pull", "run", "second")) {
                html.append("<th>%s %s, s".formatted(side, step));
            }
        }
        for (int i = 0; i < result.perImage().size(); i++) {
            ImageResult image = result.perImage().get(i);
            ImageStudy.OfImage data = study.images().get(i);
            html.append("<tr><td class=text>%s<td>%s<td>%s<td>%s<td>%s<td>%s<td>%s"
                    .formatted(
                            Pages.escape(image.name()),
                            number("%.1f", image.bytes() / MEGABYTE),
                            times(data.gzipRatio()),
                            times(data.fileRatio()),
                            times(data.blockRatio()),
                            number("%.2f", image.readBytes() / MEGABYTE),
                            number("%.1f", image.writtenBytes() / 1e3)));
            for (HelloTimes side : List.of(image.peer(), image.ours())) {
                for (double each : List.of(side.pushS(), side.pullS(), side.runS(), side.rerunS())) {
                    html.append("<td>").append(number("%.3f", each));
                }
            }
        }
        html.append("</table></div>");
    }
}
