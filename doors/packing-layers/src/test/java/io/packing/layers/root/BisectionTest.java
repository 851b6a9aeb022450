// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of the search by halves. */
class BisectionTest {
    /** Searches; returns the number of trials. */
    private static int search(Bisection bisection, int firstBad, Set<Integer> untried) {
        int trials = 0;
        for (OptionalInt next = bisection.next(); next.isPresent(); next = bisection.next()) {
            trials++;
            int at = next.getAsInt();
            if (untried.contains(at)) {
                bisection.skip(at);
            } else if (at >= firstBad) {
                bisection.bad(at);
            } else {
                bisection.good(at);
            }
        }
        return trials;
    }

    @Test
    void everyFirstBadOneIsFoundWithinTheLogarithmOfTheHistory() {
        for (int count = 2; count <= 130; count++) {
            for (int firstBad = 1; firstBad < count; firstBad++) {
                Bisection bisection = new Bisection(count);
                int trials = search(bisection, firstBad, Set.of());
                assertThat(bisection.firstBad()).isEqualTo(firstBad);
                assertThat(bisection.lastGood()).isEqualTo(firstBad - 1);
                assertThat(trials).isLessThanOrEqualTo(32 - Integer.numberOfLeadingZeros(count - 1));
            }
        }
    }

    @Test
    void aSkippedOneBesideTheBoundLeavesBothOpen() {
        Bisection bisection = new Bisection(10);
        int unused = search(bisection, 5, Set.of(4));
        assertThat(bisection.lastGood()).isEqualTo(3);
        assertThat(bisection.firstBad()).isEqualTo(5);
        Bisection elsewhere = new Bisection(10);
        int unusedToo = search(elsewhere, 5, Set.of(2, 7, 8));
        assertThat(elsewhere.lastGood()).isEqualTo(4);
        assertThat(elsewhere.firstBad()).isEqualTo(5);
    }

    @Test
    void anAnswerAboutAPlaceThatIsKnownIsRefused() {
        Bisection bisection = new Bisection(5);
        bisection.bad(2);
        assertThatThrownBy(() -> bisection.good(3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> bisection.skip(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Bisection(1)).hasMessageContaining("a history of 1");
    }
}
