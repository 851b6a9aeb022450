// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Few writes into a small volume. */
@Tag("process")
class VolumeWritesTest {
    @Test
    void everyFigureIsMeasured() throws Exception {
        Map<String, Double> figures = VolumeWrites.measure(200, 1 << 20, 3);
        assertThat(figures.values())
                .hasSize(14)
                .allSatisfy(figure -> assertThat(figure).isPositive());
        assertThat(figures.get("pieces")).isLessThanOrEqualTo(256);
    }
}
