// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ClientRateTest {
    private long now;
    private final ClientRate pace = new ClientRate(() -> now);

    private void move(Duration time, long bytes) throws IOException {
        long since = pace.waits();
        now += time.toNanos();
        pace.moved(since, bytes);
    }

    @Test
    void aClientMayBeSlowForAWhile() throws IOException {
        move(ClientRate.PATIENCE, 0);
        assertThatThrownBy(() -> move(Duration.ofSeconds(1), ClientRate.LEAST_BYTES_PER_SECOND - 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("999 bytes while it was waited for 61 s");
    }

    @Test
    void oneThatIsFastEnoughGoesOnForEver() throws IOException {
        for (int i = 0; i < 10_000; i++) {
            move(Duration.ofSeconds(10), 10 * ClientRate.LEAST_BYTES_PER_SECOND);
        }
    }

    @Test
    void theTimeOfTheRegistryItselfDoesNotCount() throws IOException {
        for (int i = 0; i < 100; i++) {
            now += Duration.ofHours(1).toNanos();
            move(Duration.ofMillis(1), 1);
        }
    }

    @Test
    void bytesThatDripAreNotReadForEver() {
        InputStream dripping = new PacedInput(
                new ByteArrayInputStream(new byte[1_000]) {
                    @Override
                    public synchronized int read(byte[] into, int offset, int length) {
                        now += Duration.ofSeconds(10).toNanos();
                        return super.read(into, offset, 1);
                    }
                },
                pace);
        assertThatThrownBy(dripping::readAllBytes)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("too slow");
        assertThat(now).isEqualTo(Duration.ofSeconds(70).toNanos());
    }
}
