// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.BusyException;
import io.packing.bdt.UnavailableException;
import io.packing.seed.Seed;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryTest {
    private final AtomicLong nanos = new AtomicLong();

    private Retry retry(Duration timeout, long seed) {
        return new Retry(
                GrpcBdts.noAnswerFrom("localhost:1"),
                timeout,
                nanos::get,
                millis -> nanos.addAndGet(millis * 1_000_000),
                new SplittableRandom(seed));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 20, 300, 3_000, 10_000, 61_000})
    void anUnreachableMasterIsGivenUpAtTheTimeoutAndNotLater(long millis) {
        long first = Seed.value();
        for (long seed = first; seed < first + 20; seed++) {
            nanos.set(0);
            Retry retry = retry(Duration.ofMillis(millis), seed);
            assertThatThrownBy(() -> retry.call("list", left -> {
                        throw new UnavailableException("refused");
                    }))
                    .isInstanceOf(UnavailableException.class);
            assertThat(nanos.get() / 1_000_000)
                    .as("milliseconds waited, seed %d", seed)
                    .isBetween(millis, millis + 1);
        }
    }

    @Test
    void mastersOfAGroupAreAskedAgainSoonerThanASingleOneThatStarts() {
        Retry retry = retry(Duration.ofMinutes(1), Seed.value());
        assertThat(retry.backoffMillis(20)).isBetween(1_000L, 2_000L);
        retry.ofGroup();
        assertThat(retry.backoffMillis(20)).isBetween(200L, 400L);
        assertThat(retry.backoffMillis(0)).isLessThanOrEqualTo(20);
    }

    @Test
    void theMessageSaysHowLongItTried() {
        assertThatThrownBy(() -> retry(Duration.ofMillis(300), Seed.value()).call("list", left -> {
                    throw new UnavailableException("refused");
                }))
                .hasMessageContaining("list: the BDT master at localhost:1 did not answer for 0.3 s (refused)");
    }

    @Test
    void aMasterThatSaysWhenToAskAgainIsAskedNotBefore() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        Duration wait = Duration.ofMillis(700);
        String answer = retry(Duration.ofSeconds(10), Seed.value()).call("list", left -> {
            if (asked.incrementAndGet() == 1) {
                throw new BusyException("too often", wait);
            }
            assertThat(nanos.get()).isBetween(wait.toNanos(), 2 * wait.toNanos());
            return "listed";
        });
        assertThat(answer).isEqualTo("listed");
        assertThat(asked).hasValue(2);
    }
}
