// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class MedianTest {
    @Test
    void oneOutlierDoesNotMoveTheMiddleOfThree() {
        assertThat(Median.of(List.of(900.0, 2.0, 1.0))).isEqualTo(2);
    }

    @Test
    void theMiddleOfAnEvenNumberLiesBetweenTwo() {
        assertThat(Median.of(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(3);
    }

    @Test
    void nothingHasNoMiddle() {
        assertThatIllegalArgumentException().isThrownBy(() -> Median.of(List.of()));
    }
}
