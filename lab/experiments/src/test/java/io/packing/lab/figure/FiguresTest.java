// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.figure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.lab.compare.PutTimeline;
import io.packing.lab.figure.Throughput.Point;
import io.packing.s3server.S3ServerMetrics;
import io.packing.s3server.S3ServerMetrics.Second;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FiguresTest {
    private static final Throughput SIZES = new Throughput(List.of(
            new Point(4 << 10, "sdk", 100, 2, 7),
            new Point(4 << 10, Throughput.PACKING, 100, 0.01, 0),
            new Point(40 << 20, "sdk", 2, 4, 0)));

    @TempDir
    Path directory;

    @Test
    void requestsOverTimeAreDrawnInBothColoursWithTheirNumbersBeside() throws IOException {
        RequestRate rate = new RequestRate(timeline(1, 0), timeline(300, 200));
        rate.write(directory);
        assertThat(directory.resolve("requests.csv")).hasContent("""
                        side,second,put,throttled
                        packed,0,1,0
                        packed,1,1,0
                        direct,0,300,200
                        direct,1,300,200
                        """);
        assertThat(colours(directory.resolve("requests.png")))
                .contains(Png.PACKED.getRGB(), Png.DIRECT.getRGB(), Png.THROTTLED.getRGB());
    }

    @Test
    void throughputBySizeIsDrawnInBothColoursWithItsNumbersBeside() throws IOException {
        SIZES.write(directory);
        assertThat(directory.resolve("sizes.csv")).hasContent("""
                        size,side,client,files,bytes,seconds,mb_per_second,throttled
                        4096,direct,sdk,100,409600,2.000,0.195,7
                        4096,packed,packing,100,409600,0.010,39.063,0
                        41943040,direct,sdk,2,83886080,4.000,20.000,0
                        """);
        assertThat(colours(directory.resolve("sizes.png"))).contains(Png.PACKED.getRGB(), Png.DIRECT.getRGB());
    }

    @Test
    void waysAreDrawnBySizeWithTheirNumbersBeside() throws IOException {
        CostBySize figure = new CostBySize(
                "copies",
                "Copies",
                "milliseconds",
                "ms",
                List.of(
                        new CostBySize.Line(
                                "clone", List.of(new CostBySize.Point(4096, 2.5), new CostBySize.Point(1 << 20, 2.6))),
                        new CostBySize.Line(
                                "copy", List.of(new CostBySize.Point(4096, 3), new CostBySize.Point(1 << 20, 40)))));
        figure.write(directory);
        assertThat(directory.resolve("copies.csv")).hasContent("""
                        way,bytes,ms
                        clone,4096,2.500
                        clone,1048576,2.600
                        copy,4096,3.000
                        copy,1048576,40.000
                        """);
        assertThat(colours(directory.resolve("copies.png"))).contains(Png.PACKED.getRGB(), Png.DIRECT.getRGB());
    }

    @Test
    void measuresOfWaysAreDrawnAsBarsWithTheirNumbersBeside() throws IOException {
        ByWay figure = new ByWay(
                "bars",
                "Bars",
                "times",
                List.of("clones", "copies"),
                List.of(
                        new ByWay.Measure("fetched", List.of(1.0, 8.0)),
                        new ByWay.Measure("memory", List.of(1.1, 8.2))));
        figure.write(directory);
        assertThat(directory.resolve("bars.csv")).hasContent("""
                        way,measure,value
                        clones,fetched,1.000
                        copies,fetched,8.000
                        clones,memory,1.100
                        copies,memory,8.200
                        """);
        assertThat(colours(directory.resolve("bars.png"))).contains(Png.PACKED.getRGB(), Png.DIRECT.getRGB());
    }

    @Test
    void jsonOfSizesHasTheNumbersOfTheFigure() {
        JsonNode point = new ObjectMapper().valueToTree(SIZES).get("points").get(0);
        assertThat(point.fieldNames())
                .toIterable()
                .containsExactly("size", "side", "client", "files", "bytes", "seconds", "mb_per_second", "throttled");
        assertThat(point.get("side").asText()).isEqualTo("direct");
    }

    @Test
    void aTimelineBeginsWithTheSecondOfTheFirstReading() {
        S3ServerMetrics before = new S3ServerMetrics(Map.of(), List.of(new Second(9, 9), new Second(1, 0)));
        S3ServerMetrics after =
                new S3ServerMetrics(Map.of(), List.of(new Second(9, 9), new Second(2, 0), new Second(3, 0)));
        assertThat(PutTimeline.between(before, after).seconds()).containsExactly(new Second(2, 0), new Second(3, 0));
        S3ServerMetrics nothing = new S3ServerMetrics(Map.of(), List.of());
        assertThat(PutTimeline.between(nothing, nothing).seconds()).isEmpty();
    }

    @Test
    void sizesAreWrittenInTheUnitThatSuitsThem() {
        assertThat(List.of(100L, 4096L, 419_430L, 4L << 20, 41_943_040L).stream()
                        .map(size -> new Point(size, "sdk", 1, 1, 0).label()))
                .containsExactly("100 B", "4 KB", "409.6 KB", "4 MB", "40 MB");
    }

    private static PutTimeline timeline(long put, long throttled) {
        return new PutTimeline(List.of(new Second(put, throttled), new Second(put, throttled)));
    }

    private static List<Integer> colours(Path png) throws IOException {
        BufferedImage image = ImageIO.read(png.toFile());
        assertThat(image.getWidth()).isEqualTo(Png.WIDTH);
        assertThat(image.getHeight()).isEqualTo(Png.HEIGHT);
        return Arrays.stream(image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth()))
                .distinct()
                .boxed()
                .toList();
    }
}
