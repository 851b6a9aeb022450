// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.publish;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A message of closed files waits for about half of the files under writing, and not for files that stay open. */
class PublishWaitTest {
    private int written;
    private long now;
    private final PublishWait gathering = new PublishWait(() -> written, () -> now);

    @Test
    void aFileThatNobodyWritesBesideWaitsForNobody() {
        written = 1;
        assertThat(gathering.begin(1)).isTrue();
        assertThat(gathering.isEnough(1)).isTrue();
    }

    @Test
    void halfOfTheFilesThatAreWrittenAreEnough() {
        written = 16;
        assertThat(gathering.begin(1)).isTrue();
        assertThat(gathering.isEnough(7)).isFalse();
        assertThat(gathering.isEnough(8)).isTrue();
        // One of them was deleted.
        written = 14;
        assertThat(gathering.isEnough(7)).isTrue();
    }

    @Test
    void aMessageWaitsNoLongerThanAMoment() {
        written = 16;
        assertThat(gathering.begin(1)).isTrue();
        assertThat(gathering.left()).isEqualTo(PublishWait.MOST_NANOS);
        now = PublishWait.MOST_NANOS;
        assertThat(gathering.left()).isZero();
    }

    @Test
    void messagesThatWaitedInVainBecomeRare() {
        written = 16;
        int waited = 0;
        for (int i = 0; i < 1_000; i++) {
            if (gathering.begin(1)) {
                waited++;
                gathering.end(1);
            }
        }
        assertThat(waited).isLessThan(25);
    }

    @Test
    void whoGetsMoreWaitsAgain() {
        written = 16;
        for (int i = 0; i < 1_000; i++) {
            assertThat(gathering.begin(1)).isTrue();
            gathering.end(2);
        }
    }
}
