// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.seed.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Utf8OrderTest {
    private static final List<String> POINTS =
            List.of("a", "b", "/", "-", ".", "\u00e9", "\u20ac", "\ue000", "\uffee", "\ud83d\ude00", "\ud800\udc00");

    @Test
    void keysAreInTheOrderOfTheirBytes() {
        Random random = Seed.random();
        for (int i = 0; i < 20_000; i++) {
            String one = text(random);
            String other = text(random);
            int bytes = Arrays.compareUnsigned(
                    one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
            assertThat(Integer.signum(Utf8Order.INSTANCE.compare(one, other)))
                    .as("%s and %s", one, other)
                    .isEqualTo(Integer.signum(bytes));
        }
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(4); left > 0; left--) {
            text.append(POINTS.get(random.nextInt(POINTS.size())));
        }
        return text.toString();
    }
}
