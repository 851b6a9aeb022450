// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.master.table.row.MapForm;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class LostRangesTest {
    private static final long LENGTH = 1L << 30;

    private final LostRanges lost = new LostRanges(MapForm.USUAL);
    private int asked;

    private boolean isDue(long content, long bytes) throws IOException {
        return lost.isDue(content, bytes, id -> {
            asked++;
            return LENGTH;
        });
    }

    @Test
    void aContentIsLookedAtAgainWhenASixteenthOfItWasGivenUp() throws IOException {
        long given = 0;
        int due = 0;
        while (given < LENGTH) {
            due += isDue(1, 4_096) ? 1 : 0;
            given += 4_096;
        }
        assertThat(due).isEqualTo(16);
        // Its row is not read for each write.
        assertThat(asked).isLessThanOrEqualTo(17);
    }

    @Test
    void aSmallContentIsNotLookedAtForAFewBytes() throws IOException {
        for (int i = 0; i < 15; i++) {
            assertThat(isDue(2, 4_096)).isFalse();
        }
        assertThat(asked).isZero();
    }
}
