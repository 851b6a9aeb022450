// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.seed.Seed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two small images, of which the second has the first one's blocks in other places. */
@Tag("process")
class VolumeImagesTest {
    private static final int BLOCKS = 256;
    private static final int BLOCK = 4 << 10;
    private static final double MB = BLOCKS * BLOCK / 1e6;

    @TempDir
    private Path home = Path.of("");

    @Test
    void aSecondImageOfTheBlocksOfTheFirstPushesNothing() throws Exception {
        byte[] first = new byte[BLOCKS * BLOCK];
        Seed.random().nextBytes(first);
        byte[] second = new byte[first.length];
        System.arraycopy(first, 0, second, first.length / 2, first.length / 2);
        System.arraycopy(first, first.length / 2, second, 0, first.length / 2);
        Map<String, Double> figures = VolumeImages.measure(
                List.of(Files.write(home.resolve("a"), first), Files.write(home.resolve("b"), second)));
        assertThat(figures.get("2_plain_pushed_mb")).isGreaterThan(MB);
        assertThat(figures.get("1_shared_pushed_mb")).isGreaterThan(MB);
        assertThat(figures.get("2_shared_shared_mb")).isEqualTo(MB);
        assertThat(figures.get("2_shared_pushed_mb")).isLessThan(MB / 10);
    }
}
