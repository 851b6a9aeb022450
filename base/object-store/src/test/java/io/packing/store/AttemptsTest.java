// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttemptsTest {
    private final List<String> heard = new ArrayList<>();
    private final List<Long> pauses = new ArrayList<>();
    private long now;

    private final Attempts attempts = new Attempts(
            "s3://b",
            (kind, bytes, outcome) -> heard.add("%s %d %s".formatted(kind, bytes, outcome)),
            () -> now,
            millis -> {
                pauses.add(millis);
                now += millis * 1_000_000;
            },
            ObjectStoreContract.random());

    private String run(Duration timeout, Attempts.Request<String> request) throws IOException {
        return attempts.run(RequestKind.PUT, "put k", timeout, request, String::length);
    }

    @Test
    void everyAttemptIsHeardOf() throws IOException {
        String result = run(Duration.ofMinutes(1), attempt -> {
            if (attempt == 1) {
                throw new Attempts.Transient("reset", false, null);
            }
            if (attempt == 2) {
                throw new Attempts.Transient("slow down", true, null);
            }
            return "12345";
        });
        assertThat(result).isEqualTo("12345");
        assertThat(heard).containsExactly("PUT 0 FAILED", "PUT 0 THROTTLED", "PUT 5 OK");
    }

    @Test
    void pausesGrowStayJitteredAndEndAtTheTimeout() {
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> run(Duration.ofSeconds(60), attempt -> {
                    throw new Attempts.Transient("connection refused", false, null);
                }))
                .withMessageContaining("put k")
                .withMessageContaining("connection refused")
                .withMessageContaining("packing.s3.endpoint");
        assertThat(now).isBetween(54_000_000_000L, 60_000_000_000L);
        assertThat(pauses.get(0)).isBetween(25L, 50L);
        assertThat(pauses.get(pauses.size() - 1)).isBetween(2_500L, 5_000L);
        assertThat(heard).hasSize(pauses.size() + 1);
    }

    @Test
    void answersThatNoRetryMendsAreNotRepeated() {
        assertThatExceptionOfType(ObjectNotFoundException.class)
                .isThrownBy(() -> run(Duration.ofSeconds(60), attempt -> {
                    throw new ObjectNotFoundException("no");
                }));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> run(Duration.ofSeconds(60), attempt -> {
                    throw new IOException("403");
                }));
        assertThat(heard).containsExactly("PUT 0 OK", "PUT 0 FAILED");
    }

    @Test
    void interruptEndsTheWaiting() {
        Attempts interrupted = new Attempts(
                "s3://b",
                RequestListener.NONE,
                () -> now,
                millis -> {
                    throw new InterruptedException();
                },
                ObjectStoreContract.random());
        assertThatExceptionOfType(InterruptedIOException.class)
                .isThrownBy(() -> interrupted.run(
                        RequestKind.GET,
                        "get k",
                        Duration.ofSeconds(60),
                        attempt -> {
                            throw new Attempts.Transient("reset", false, null);
                        },
                        result -> 0));
        assertThat(Thread.interrupted()).isTrue();
    }
}
