package io.packing.sim.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SpreadTest {
    @Test
    void theMiddleNumberStandsBeforeTheRange() {
        assertThat(Spread.of(3, 1, 2.5).text()).isEqualTo("2.5 (1 to 3)");
        assertThat(Spread.of(4, 1, 2, 3).text()).isEqualTo("2.5 (1 to 4)");
        assertThat(Spread.of(0.12345, 0.2).roundedToTenths().text()).isEqualTo("0.2 (0.1 to 0.2)");
    }

    @Test
    void equalNumbersAreOneNumber() {
        assertThat(Spread.of(7, 7, 7).text()).isEqualTo("7");
        assertThat(Spread.of(Double.NaN, Double.NaN).text()).isEqualTo("-");
        assertThatThrownBy(Spread::of).hasMessageContaining("no numbers");
    }
}
