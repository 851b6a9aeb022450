// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RepeatedPutsTest {
    private final RepeatedPuts repeated = new RepeatedPuts();

    @Test
    void aPutThatItsClientGaveUpIsDoneAgainAndCounted() throws IOException {
        AtomicInteger calls = new AtomicInteger();
        repeated.run(() -> {
            if (calls.incrementAndGet() < 3) {
                throw new IOException("slow down");
            }
        });
        assertThat(calls).hasValue(3);
        assertThat(repeated.count()).isEqualTo(2);
    }

    @Test
    void aStoreThatTakesNothingEndsTheRun() {
        assertThatThrownBy(() -> repeated.run(() -> {
                    throw new IOException("slow down");
                }))
                .hasMessage("slow down");
        assertThat(repeated.count()).isEqualTo(100);
    }
}
