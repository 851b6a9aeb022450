// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.masters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OutagesTest {
    private final AtomicLong now = new AtomicLong();
    private final Outages outages = new Outages(2, now::get);

    private void at(long millis) {
        now.set(millis * 1_000_000);
    }

    @Test
    void anOutageIsTheLongestWaitOfAnyClient() {
        at(5);
        outages.acknowledged(0);
        at(20);
        outages.acknowledged(0);
        at(30);
        outages.acknowledged(1);
        assertThat(outages.longest()).isEqualTo(Duration.ofMillis(30));
    }

    @Test
    void whatWasBeforeTheBeginDoesNotCount() {
        at(50);
        outages.acknowledged(0);
        at(60);
        outages.begin();
        at(61);
        outages.acknowledged(0);
        outages.acknowledged(1);
        assertThat(outages.longest()).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void aClientThatIsNotServedIsNamed() {
        outages.acknowledged(0);
        assertThatIOException()
                .isThrownBy(() -> outages.await(1, Duration.ZERO))
                .withMessageContaining("client 0");
    }
}
