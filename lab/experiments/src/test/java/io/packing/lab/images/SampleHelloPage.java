// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import io.packing.lab.images.HelloExperiment.ImageResult;
import io.packing.storeservers.NetworkLink;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A page of HelloBench with two small images and times that a test chose. */
public final class SampleHelloPage {
    private static final List<String> NAMES = List.of("one", "two");

    private SampleHelloPage() {}

    private static ImageSet.Blob layer(Path home, String name, Map<String, String> files) throws Exception {
        Path root = Files.createDirectories(home.resolve(name));
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.writeString(root.resolve(file.getKey()), file.getValue(), StandardCharsets.US_ASCII);
        }
        Path tar = home.resolve(name + ".tar");
        List<String> command = new ArrayList<>(List.of("tar", "--create", "--file", tar.toString(), "--directory"));
        command.addAll(List.of(root.toString(), "."));
        HostPrograms.run(home, command);
        return ImageSet.blob(tar);
    }

    /** Two images on one base of four blocks; the upper layers have a file of it again, and one that shares half of its blocks. */
    static ImageSet images(Path home) throws Exception {
        String first = "a".repeat(4_096) + "b".repeat(4_096);
        String second = "c".repeat(4_096) + "d".repeat(4_096);
        ImageSet.Blob base = layer(home, "base", Map.of("x", first, "y", second));
        ImageSet.Blob one = layer(home, "one", new TreeMap<>(Map.of("x", "e".repeat(8_192), "again", second)));
        ImageSet.Blob two = layer(home, "two", Map.of("half", "a".repeat(4_096) + "f".repeat(4_096)));
        return new ImageSet(
                List.of(
                        ImageSet.image(home, "one", List.of(base, one)),
                        ImageSet.image(home, "two", List.of(base, two))),
                0);
    }

    /**
     * Writes the page into {@code out} below a directory.
     *
     * @return the page
     */
    public static Path write(Path home) throws Exception {
        List<ImageResult> images = new ArrayList<>();
        for (String name : NAMES) {
            HelloTimes peer = new HelloTimes(4, 3, 1, 0.5);
            HelloTimes ours = new HelloTimes(0.1, 0.1, 0.4, 0.6);
            HelloExperiment.FirstStart first = new HelloExperiment.FirstStart(0.1, 0.8, 4_000_000);
            images.add(new ImageResult(name, 50_000_000, peer, ours, first, 2_000_000, 0, 500_000, 1, false));
        }
        HelloExperiment.Result result =
                HelloExperiment.Result.of(images, NetworkLink.NONE, new SharedContainers(8, 100, 1.02, 50, 1.01));
        Path out = home.resolve("out");
        HelloPage.write(result, ImageStudy.of(images(home)), out);
        return out.resolve("hello.html");
    }
}
