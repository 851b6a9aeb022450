// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.packing.layers.Umoci;
import io.packing.layers.tree.LayerException;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Layers at random: the root of an image of one is the tree that umoci unpacks, or the image is refused with a reason.
 * An image that umoci refuses is refused here, too, but for the two kinds of entries that {@link RandomLayer#draw}
 * names. {@code -Dpacking.layers.random=2000} is the long form.
 */
@Timeout(7_200)
@Tag("hunt")
class RandomLayersTest {
    private static final int LAYERS = Integer.getInteger("packing.layers.random", 60);

    @TempDir
    private Path home;

    private Umoci umoci;
    private ShownImages images;

    @BeforeEach
    void start() throws IOException {
        umoci = Umoci.orSkip(home);
        images = new ShownImages(home);
    }

    @AfterEach
    void stop() throws IOException {
        if (images != null) {
            images.close();
        }
    }

    @Test
    void aTreeIsWhatUmociUnpacksOrIsRefusedByName() throws Exception {
        long seed = Seed.value();
        int shown = 0;
        Map<String, Integer> refused = new TreeMap<>();
        for (int i = 0; i < LAYERS; i++) {
            byte[] layer = RandomLayer.draw(new Random(seed + i), false, false);
            try {
                compare(
                        "layer %d of seed %d".formatted(i, seed),
                        List.of(layer),
                        List.of(RandomLayer.draw(new Random(seed + i), false, true)));
                shown++;
            } catch (LayerException e) {
                assertThat(e).as("layer %d of seed %d", i, seed).hasMessageMatching("(?s)blob .* is no layer: .+");
                refused.merge(
                        String.valueOf(e.getMessage()).replaceAll("(?s)^.* is no layer: |'.*?'|[0-9]+", ""),
                        1,
                        Integer::sum);
            }
        }
        System.out.printf("%d layers: %d shown, refused: %s%n", LAYERS, shown, refused);
        assertThat(shown).as("layers that are shown").isGreaterThan(LAYERS / 4);
        assertThat(refused).as("layers that are refused").isNotEmpty();
    }

    @Test
    void anImageIsWhatUmociUnpacksOfItsLayers() throws Exception {
        long seed = Seed.value();
        int shown = 0;
        for (int i = 0; i < LAYERS / 3; i++) {
            Random random = new Random(seed + i);
            List<byte[]> layers = new ArrayList<>();
            for (int count = random.nextInt(1, 4); count > 0; count--) {
                layers.add(RandomLayer.draw(random, true, false));
            }
            try {
                compare("image %d of seed %d".formatted(i, seed), layers, layers);
                shown++;
            } catch (LayerException e) {
                // A link to a file of another layer, or to none.
                assertThat(e).as("image %d of seed %d", i, seed).hasMessageContaining(" is a link to ");
            }
        }
        System.out.printf("%d images: %d shown%n", LAYERS / 3, shown);
        assertThat(shown).as("images that are shown").isGreaterThan(LAYERS / 8);
    }

    private void compare(String which, List<byte[]> layers, List<byte[]> forUmoci)
            throws IOException, InterruptedException {
        Map<String, String> root = images.root(layers.toArray(byte[][]::new));
        Map<String, String> wanted = umoci.unpack(forUmoci);
        Instant now = Instant.now();
        Map<String, String> one = Unpacked.comparable(root, wanted, now);
        Map<String, String> other = Unpacked.comparable(wanted, wanted, now);
        if (!one.equals(other)) {
            fail(which + ":\n" + Unpacked.differences(one, other));
        }
    }
}
