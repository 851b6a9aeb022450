// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UpkeepPartTest {
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger tries = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private boolean work = true;

    private final UpkeepPart part = new UpkeepPart("m", "uploads", this::work, Duration.ofMinutes(20), nanos::get);

    private boolean work() throws IOException {
        tries.incrementAndGet();
        Throwable how = failure.get();
        if (how instanceof IOException io) {
            throw io;
        }
        if (how instanceof Error error) {
            throw error;
        }
        return work;
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void whatFailsIsTriedAgainLaterAndLaterAndTellsForHowLong() {
        failure.set(new IOException("the store is away"));
        for (int i = 0; i < 6_000; i++) {
            assertThat(part.step()).isFalse();
            pass(Duration.ofMillis(100));
        }
        assertThat(tries.get()).isBetween(20, 40);
        assertThat(part.trouble().orElseThrow().toString())
                .startsWith("uploads has failed for 10 min, ")
                .endsWith("times: java.io.IOException: the store is away");
        assertThat(part.failures()).isEqualTo(tries.get());

        failure.set(null);
        pass(Duration.ofSeconds(30));
        assertThat(part.step()).isTrue();
        assertThat(part.trouble()).isEmpty();
        assertThat(part.failures()).as("since the start").isEqualTo(tries.get() - 1);
    }

    @Test
    void aStepTellsForHowLongItIsUnderWay() {
        List<Optional<Duration>> seen = new ArrayList<>();
        UpkeepPart[] own = new UpkeepPart[1];
        own[0] = new UpkeepPart(
                "m",
                "uploads",
                () -> {
                    pass(Duration.ofSeconds(7));
                    seen.add(own[0].underWay());
                    throw new IOException("the store is away");
                },
                Duration.ZERO,
                nanos::get);
        assertThat(own[0].underWay()).isEmpty();
        assertThat(own[0].step()).isFalse();
        assertThat(seen).containsExactly(Optional.of(Duration.ofSeconds(7)));
        assertThat(own[0].underWay()).isEmpty();
    }

    @Test
    void anErrorIsAFailureLikeOthers() {
        failure.set(new StackOverflowError("of upkeep"));
        assertThat(part.step()).isFalse();
        assertThat(part.trouble().orElseThrow().why()).contains("of upkeep");
    }

    @Test
    void nothingToDoIsNoSuccessUntilTheNextPassHadItsTime() {
        failure.set(new IOException("x"));
        assertThat(part.step()).isFalse();
        failure.set(null);
        work = false;
        pass(Duration.ofMinutes(5));
        assertThat(part.step()).isFalse();
        assertThat(part.trouble()).isPresent();
        pass(Duration.ofMinutes(20));
        assertThat(part.step()).isFalse();
        assertThat(part.trouble()).isEmpty();
    }
}
