package io.packing.cli.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.cli.rig.Narrator;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment on images with real processes, on two tiny images. */
class ImagesExperimentIT {
    @TempDir
    private Path home;

    @BeforeAll
    static void nameTheClone() {
        System.setProperty(
                "packing.home", Path.of("..").toAbsolutePath().normalize().toString());
    }

    /** A layer with a file of its own and one that all layers have. */
    private ImageSet.Blob layer(String name) throws Exception {
        Path root = Files.createDirectories(home.resolve(name));
        Files.writeString(root.resolve("own"), name.repeat(10_000), StandardCharsets.UTF_8);
        Files.writeString(root.resolve("shared"), "shared".repeat(10_000), StandardCharsets.UTF_8);
        Path tar = home.resolve(name + ".tar");
        Programs.run(
                home, List.of("tar", "--create", "--sort=name", "--file", tar.toString(), "--directory", name, "."));
        return ImageSet.blob(tar);
    }

    private static boolean has(String program) {
        try {
            Programs.check(program, "");
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static ImagesExperiment.Mode mode(ImagesExperiment.Result result, String name) {
        return Optional.ofNullable(result.modes().get(name)).orElseThrow();
    }

    @Test
    void everyModePullsTheSameBytesAndASplitStoreIsSmaller() throws Exception {
        assumeTrue(has("docker-registry"), "it needs docker-registry: apt-get install docker-registry");
        ImageSet.Blob base = layer("base");
        ImageSet set = new ImageSet(
                List.of(
                        ImageSet.image(home, "one", List.of(base, layer("upper"))),
                        ImageSet.image(home, "two", List.of(base, layer("other")))),
                0);
        ImagesExperiment.Result result =
                new ImagesExperiment(Map.of(), 1, new Narrator(true)).run(set, ImageSet.warmUp(home));
        assertThat(result.wrongDigests()).isZero();
        assertThat(result.images()).isEqualTo(2);
        assertThat(result.layers()).isEqualTo(3);
        assertThat(result.peer().storedBytes()).isPositive();
        assertThat(result.modes().keySet())
                .containsExactly("intact", "b0", "b0+sequential", "b0+cache", "b0+nodes", "b1", "b2", "b3", "s");
        ImagesExperiment.Mode intact = mode(result, "intact");
        ImagesExperiment.Mode split = mode(result, "b0");
        assertThat(split.storedBytes()).isLessThan(intact.storedBytes());
        assertThat(split.restoreMs()).containsOnlyKeys("0-1MB");
        assertThat(mode(result, "b0+cache").get())
                .as("requests to the store for layers that are in the cache")
                .isLessThanOrEqualTo(split.get());
    }
}
