// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FigureSpreadTest {
    @Test
    void theMiddleStandsBetweenTheExtremes() {
        assertThat(FigureSpread.of(List.of(3.0, 1.0, 2.5))).isEqualTo(new FigureSpread(2.5, 1, 3));
        assertThat(FigureSpread.of(List.of(3.0, 1.0, 2.5))).hasToString("2.50 (1.00 to 3.00)");
    }

    @Test
    void oneFigureHasNoSpread() {
        assertThat(FigureSpread.of(List.of(4.0))).hasToString("4.00");
    }
}
