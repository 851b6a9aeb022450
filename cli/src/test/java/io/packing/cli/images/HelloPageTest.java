package io.packing.cli.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.packing.cli.images.HelloExperiment.ImageResult;
import io.packing.storeservers.Link;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the report says of images and of a run. */
class HelloPageTest {
    @TempDir
    private Path home;

    private ImageSet.Blob layer(String name, Map<String, String> files) throws Exception {
        Path root = Files.createDirectories(home.resolve(name));
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.writeString(root.resolve(file.getKey()), file.getValue(), StandardCharsets.US_ASCII);
        }
        Path tar = home.resolve(name + ".tar");
        List<String> command = new ArrayList<>(List.of("tar", "--create", "--file", tar.toString(), "--directory"));
        command.addAll(List.of(root.toString(), "."));
        Programs.run(home, command);
        return ImageSet.blob(tar);
    }

    /** Two images on one base of four blocks; the upper layers have a file of it again, and one that shares half of its blocks. */
    private ImageSet images() throws Exception {
        String first = "a".repeat(4_096) + "b".repeat(4_096);
        String second = "c".repeat(4_096) + "d".repeat(4_096);
        ImageSet.Blob base = layer("base", Map.of("x", first, "y", second));
        ImageSet.Blob one = layer("one", new TreeMap<>(Map.of("x", "e".repeat(8_192), "again", second)));
        ImageSet.Blob two = layer("two", Map.of("half", "a".repeat(4_096) + "f".repeat(4_096)));
        return new ImageSet(
                List.of(
                        ImageSet.image(home, "one", List.of(base, one)),
                        ImageSet.image(home, "two", List.of(base, two))),
                0);
    }

    @Test
    void equalFilesAndBlocksAreCountedOnce() throws Exception {
        ImageStudy study = ImageStudy.of(images());
        // x is replaced; y is there under two names.
        assertThat(study.images().get(0).fileRatio()).isCloseTo(3 / 2.0, within(1e-9));
        // c and d, each twice, and e twice in one file.
        assertThat(study.images().get(0).blockRatio()).isCloseTo(6 / 3.0, within(1e-9));
        // a is there twice.
        assertThat(study.images().get(1).fileRatio()).isEqualTo(1);
        assertThat(study.images().get(1).blockRatio()).isCloseTo(6 / 5.0, within(1e-9));
        assertThat(study.allFileRatio()).isCloseTo(6 / 4.0, within(1e-9));
        assertThat(study.allBlockRatio()).isCloseTo(12 / 6.0, within(1e-9));
        assertThat(study.layerFileRatio()).isCloseTo(5 / 4.0, within(1e-9));
        assertThat(study.layersP50()).isEqualTo(2);
        assertThat(study.bytesByDepth().values().stream()
                        .mapToDouble(Double::doubleValue)
                        .sum())
                .isCloseTo(1, within(1e-9));
        assertThat(study.gzipRatio()).isGreaterThan(10);
    }

    @Test
    void thePageHasEachNumberBesideThePapersAndNeedsNoOtherFile() throws Exception {
        List<ImageResult> images = new ArrayList<>();
        for (String name : List.of("one", "two")) {
            HelloTimes peer = new HelloTimes(4, 3, 1, 0.5);
            HelloTimes ours = new HelloTimes(0.1, 0.1, 0.4, 0.6);
            HelloExperiment.FirstStart first = new HelloExperiment.FirstStart(0.1, 0.8, 4_000_000);
            images.add(new ImageResult(name, 50_000_000, peer, ours, first, 2_000_000, 0, 500_000, 1, false));
        }
        HelloExperiment.Result result =
                HelloExperiment.Result.of(images, Link.NONE, new SharedContainers(8, 100, 1.02, 50, 1.01));
        Path out = home.resolve("out");
        HelloPage.write(result, ImageStudy.of(images()), out);
        String page = Files.readString(out.resolve("hello.html"));
        assertThat(page)
                .contains("pull and run, times as fast<td>1<td>8.00<td class=l>5.3")
                .contains("push, pull and run, times as fast<td>1<td>8.00<td class=l>20")
                .contains("of what nobody has started before, times as fast<td>1<td>4.44<td class=l>")
                .contains("of the image<td>100.0 %<td>4.0 %<td class=l>6.4 % (mean)")
                .contains("need not read from the store again<td><td>100.0 %<td class=l>99 %")
                .contains("80.0 % to 20.0 %")
                .contains("equal blocks of 4 KB once, all images<td><td>2.00<td class=l>2.8")
                .contains("src=\"data:image/png;base64,")
                .doesNotContain("src=\"hello")
                .doesNotContain("NaN");
        assertThat(Files.readString(out.resolve("hello.json"))).contains("deployment_speedup_p50");
        assertThat(Files.readString(out.resolve("hello-images.json"))).contains("gzip_ratio_p50");
    }
}
