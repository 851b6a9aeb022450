// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.cli.launch.Narrator;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment on images with real processes, on two tiny images. */
@Tag("experiment")
class ImagesExperimentIT {
    /** The bytes of "base", "upper", "other" and "shared", ten thousand times each. */
    private static final long FILE_BYTES = 10_000 * (4 + 5 + 5 + 6);
    /** A bound on the bytes of all replicas beside the files. */
    private static final long OTHER_BYTES = 60_000;

    @TempDir
    private Path home;

    @BeforeAll
    static void nameTheClone() {
        System.setProperty(
                "packing.home", Path.of("../..").toAbsolutePath().normalize().toString());
    }

    /** A layer with a file of its own and one that all layers have. */
    private ImageSet.Blob layer(String name) throws Exception {
        return layer(name, "shared");
    }

    private ImageSet.Blob layer(String name, String shared) throws Exception {
        Path root = Files.createDirectories(home.resolve(name));
        Files.writeString(root.resolve("own"), name.repeat(10_000), StandardCharsets.UTF_8);
        Files.writeString(root.resolve("shared"), shared.repeat(10_000), StandardCharsets.UTF_8);
        Path tar = home.resolve(name + ".tar");
        HostPrograms.run(
                home, List.of("tar", "--create", "--sort=name", "--file", tar.toString(), "--directory", name, "."));
        return ImageSet.blob(tar);
    }

    private static boolean has(String program) {
        try {
            HostPrograms.check(program, "");
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static ImagesExperiment.Mode mode(ImagesExperiment.Result result, String name) {
        return Optional.ofNullable(result.modes().get(name)).orElseThrow();
    }

    @Test
    void everyModePullsTheSameBytesAndStoresAsManyAsItsReplicasHave() throws Exception {
        assumeTrue(has("docker-registry"), "it needs docker-registry: apt-get install docker-registry");
        ImageSet.Blob base = layer("base");
        ImageSet set = new ImageSet(
                List.of(
                        ImageSet.image(home, "one", List.of(base, layer("upper"))),
                        ImageSet.image(home, "two", List.of(base, layer("other")))),
                FILE_BYTES);
        // A file that it shared with the images would be stored before they are.
        ImageSet.Blob warm = layer("warm", "before");
        ImageSet warmUp = new ImageSet(List.of(ImageSet.image(home, "warm-up", List.of(warm))), 1);
        ImagesExperiment.Result result = new ImagesExperiment(
                        Map.of(), 1, new ImagesExperiment.Parts(List.of("b0", "b1", "s"), false), new Narrator(true))
                .run(set, warmUp);
        assertThat(result.wrongDigests()).isZero();
        assertThat(result.images()).isEqualTo(2);
        assertThat(result.layers()).isEqualTo(3);
        assertThat(result.gzipped()).isNull();
        assertThat(result.peer().storedBytes()).isPositive();
        assertThat(result.modes().keySet())
                .containsExactly("intact", "b0", "b0+sequential", "b0+cache", "b0+nodes", "b1", "s");
        ImagesExperiment.Mode intact = mode(result, "intact");
        ImagesExperiment.Mode split = mode(result, "b0");
        assertThat(split.storedBytes()).isLessThan(intact.storedBytes());
        assertThat(split.restoreMs()).containsOnlyKeys("0-1MB");
        assertThat(mode(result, "b0+cache").get())
                .as("requests to the store for layers that are in the cache")
                .isLessThanOrEqualTo(split.get());
        nodesStoreTheirReplicas(result);
    }

    /** Three replicas: of files once each, or of whole layers. Beside them there are configurations, recipes and manifests. */
    private static void nodesStoreTheirReplicas(ImagesExperiment.Result result) {
        long layers = result.layerBytes();
        assertThat(mode(result, "b0+nodes").storedBytes())
                .as("three of files")
                .isBetween(3 * FILE_BYTES, 3 * FILE_BYTES + OTHER_BYTES);
        long one = layers + 2 * FILE_BYTES;
        assertThat(mode(result, "b1").storedBytes())
                .as("one of layers, two of files")
                .isBetween(one, one + OTHER_BYTES);
        ImagesExperiment.Mode selective = mode(result, "s");
        assertThat(selective.newStoredRatio() * 3 * FILE_BYTES)
                .as("what nobody pulled has one whole replica")
                .isBetween((double) one, (double) one + OTHER_BYTES);
        assertThat(selective.storedBytes())
                .as("popular layers have more of them, and no files")
                .isGreaterThan(one)
                .isLessThanOrEqualTo(3 * layers + 2 * FILE_BYTES + OTHER_BYTES);
        for (String name : List.of("b0+nodes", "b1", "s")) {
            ImagesExperiment.Mode mode = mode(result, name);
            assertThat(mode.storedRatio()).as(name).isEqualTo(mode.storedBytes() / 3.0 / FILE_BYTES);
            assertThat(mode.put()).as("what " + name + " wrote to the store").isPositive();
            assertThat(mode.restoreMs()).as(name).containsOnlyKeys("0-1MB");
        }
    }
}
