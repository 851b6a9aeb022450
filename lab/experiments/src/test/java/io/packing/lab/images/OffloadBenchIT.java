// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.cli.launch.Narrator;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The measurement of pulls without files that a client has, with real processes, on two small images. */
@Tag("process")
class OffloadBenchIT {
    @TempDir
    private Path home;

    /** An image of one layer, with files that have numbers. */
    private ImageSet.Image image(String name, int from, int to) throws IOException, InterruptedException {
        Path root = Files.createDirectories(home.resolve(name));
        for (int i = from; i < to; i++) {
            byte[] bytes = new byte[20_000];
            new SplittableRandom(Seed.value() + i).nextBytes(bytes);
            Files.write(root.resolve("file-" + i), bytes);
        }
        return ImageSet.image(home, name, List.of(ImageSet.tar(home, name + "-layer", root)));
    }

    @Test
    void aRelatedImageCostsAFewOfItsBytes() throws Exception {
        ImageSet set = new ImageSet(List.of(image("older", 0, 100), image("newer", 10, 110)), 0);
        OffloadBench.Result result = new OffloadBench(Map.of(), List.of(1, 2), 1, new Narrator(true)).run(set);
        assertThat(result.images()).extracting(OffloadBench.Image::name).containsExactly("older", "newer");
        assertThat(result.images().get(1).whole()).isGreaterThan(2_000_000);
        assertThat(result.laterRatio()).isGreaterThan(5);
        assertThat(result.ratio()).isGreaterThan(1.5);
        assertThat(result.layers()).isEqualTo(2);
        assertThat(result.halved()).isEqualTo(0.5);
        assertThat(result.clients())
                .extracting(each -> each.way() + " " + each.threads())
                .containsExactly("whole 1", "lean 1", "made 1", "whole 2", "lean 2", "made 2");
        for (OffloadLoad.Client each : result.clients()) {
            // 110 different files.
            assertThat(each.stored()).isEqualTo(2_200_000);
            assertThat(each.elapsedSeconds()).isPositive();
            assertThat(each.peak()).isGreaterThan(10_000_000);
            assertThat(each.low()).isBetween(0.0, each.utilisation());
            assertThat(each.high()).isGreaterThanOrEqualTo(each.utilisation());
            if (each.way().equals("whole")) {
                assertThat(each.received()).isGreaterThan(2_000_000);
            } else {
                assertThat(each.received()).isBetween(200_000L, 400_000L);
            }
        }
    }
}
