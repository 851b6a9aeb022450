// SPDX-License-Identifier: Apache-2.0
package io.packing.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AwaitTest {
    @Test
    void aConditionIsAskedUntilItHolds() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        Await.until("three", () -> asked.incrementAndGet() == 3);
        assertThat(asked).hasValue(3);
    }

    @Test
    void whatDoesNotHappenInTimeIsNamed() {
        assertThatIOException()
                .isThrownBy(() -> Await.until("a leader", Duration.ZERO, () -> false))
                .withMessageContaining("a leader");
    }
}
