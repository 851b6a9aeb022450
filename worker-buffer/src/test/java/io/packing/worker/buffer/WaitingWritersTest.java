// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaitingWritersTest {
    private final WaitingWriters writers = new WaitingWriters();

    private void close(int times) {
        for (int i = 0; i < times; i++) {
            writers.handedOver();
        }
    }

    @Test
    void aLoneWriterIsEverybody() {
        for (int i = 0; i < 100; i++) {
            writers.handedOver();
            writers.look();
            assertThat(writers.areAll()).isTrue();
            writers.answered();
        }
    }

    @Test
    void nobodyIsNotEverybody() {
        writers.look();
        assertThat(writers.areAll()).isFalse();
    }

    @Test
    void whoWaitedAMomentAgoIsExpectedAgain() {
        close(8);
        writers.look();
        assertThat(writers.areAll()).isTrue();
        writers.answered();
        writers.look();
        assertThat(writers.areAll()).isFalse();
        writers.handedOver();
        assertThat(writers.areAll()).isTrue();
    }

    @Test
    void writersThatEndedAreNotWaitedForForever() {
        close(256);
        writers.look();
        for (int i = 0; i < 255; i++) {
            writers.answered();
        }
        int looks = 0;
        while (!writers.areAll()) {
            writers.look();
            looks++;
        }
        assertThat(looks).isBetween(50, 150);
    }
}
