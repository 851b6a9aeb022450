// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A request that is repeated for minutes ends with its store. */
class ClosedStoreTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final AtomicLong nanos = new AtomicLong();
    private final List<Integer> sent = new ArrayList<>();
    private final Attempts attempts = new Attempts(
            "s3://bucket",
            RequestListener.NONE,
            nanos::get,
            millis -> nanos.addAndGet(millis * 1_000_000),
            ObjectStoreContract.random());

    private Object run(Attempts.Request<Object> request) throws IOException {
        return attempts.run(RequestKind.PUT, "put x", LONG, request, done -> 0);
    }

    @Test
    void aRequestThatFailsWhileTheStoreIsClosedIsNotRepeated() {
        assertThatThrownBy(() -> run(attempt -> {
                    sent.add(attempt);
                    if (attempt == 3) {
                        attempts.close();
                    }
                    throw new Attempts.Transient("refused", false, null);
                }))
                .isInstanceOf(InterruptedIOException.class)
                .hasStackTraceContaining("s3://bucket was closed");
        assertThat(sent).containsExactly(1, 2, 3);
    }

    @Test
    void whatTheClosedClientThrowsIsSaidToBeTheClose() {
        assertThatThrownBy(() -> run(attempt -> {
                    attempts.close();
                    throw new IllegalStateException("Connection pool shut down");
                }))
                .isInstanceOf(InterruptedIOException.class);
    }

    @Test
    void aClosedStoreSendsNothing() {
        attempts.close();
        assertThatThrownBy(() -> run(attempt -> sent.add(attempt))).isInstanceOf(InterruptedIOException.class);
        assertThat(sent).isEmpty();
    }
}
