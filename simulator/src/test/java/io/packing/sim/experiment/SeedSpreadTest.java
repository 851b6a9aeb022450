// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SeedSpreadTest {
    @Test
    void theMiddleNumberStandsBeforeTheRange() {
        assertThat(SeedSpread.of(3, 1, 2.5).text()).isEqualTo("2.5 (1.0 to 3.0)");
        assertThat(SeedSpread.of(4, 1, 2, 3).text()).isEqualTo("2.5 (1.0 to 4.0)");
    }

    @Test
    void aNumberHasTheDigitsThatItsSeedsSupport() {
        assertThat(SeedSpread.of(0.62341, 0.6012, 0.6412).text()).isEqualTo("0.62 (0.60 to 0.64)");
        assertThat(SeedSpread.of(0.62341, 0.62312, 0.62371).text()).isEqualTo("0.6234 (0.6231 to 0.6237)");
        assertThat(SeedSpread.of(57.61, 57.49, 58.21).text()).isEqualTo("57.6 (57.5 to 58.2)");
        assertThat(SeedSpread.of(1.812, 1.64, 1.91).text()).isEqualTo("1.81 (1.64 to 1.91)");
        assertThat(SeedSpread.of(812.3, 700.1, 950.9).text()).isEqualTo("812 (700 to 951)");
        // Counts are exact.
        assertThat(SeedSpread.of(1234, 1001, 1999).text()).isEqualTo("1234 (1001 to 1999)");
    }

    @Test
    void aSingleNumberHasTheDigitsThatChanceLeaves() {
        assertThat(SeedSpread.of(0.628349).text(Math.sqrt(0.628349 * 0.371651 / 2_000_000)))
                .isEqualTo("0.6283");
        assertThat(SeedSpread.of(0.628349).text(Math.sqrt(0.628349 * 0.371651 / 1_000)))
                .isEqualTo("0.63");
        assertThat(SeedSpread.of(0.6).text(0.01)).isEqualTo("0.60");
        assertThat(SeedSpread.of(8.9123).text(0.089)).isEqualTo("8.91");
        assertThat(SeedSpread.of(33.333).text(0.33)).isEqualTo("33.3");
        assertThat(SeedSpread.of(1050).text(10)).isEqualTo("1050");
        assertThat(SeedSpread.of(0.62834).text(0)).isEqualTo("0.6283");
        assertThat(SeedSpread.of(0).text(0.1)).isEqualTo("0");
        assertThat(SeedSpread.of(Double.NaN).text(Double.NaN)).isEqualTo("-");
        assertThat(SeedSpread.of(Double.POSITIVE_INFINITY).text(Double.POSITIVE_INFINITY))
                .isEqualTo("inf");
    }

    @Test
    void equalNumbersAreOneNumber() {
        assertThat(SeedSpread.of(7, 7, 7).text()).isEqualTo("7");
        assertThat(SeedSpread.of(Double.NaN, Double.NaN).text()).isEqualTo("-");
        assertThatThrownBy(SeedSpread::of).hasMessageContaining("no numbers");
    }
}
