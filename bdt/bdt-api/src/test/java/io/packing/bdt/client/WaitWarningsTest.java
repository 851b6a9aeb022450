// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.BusyException;
import io.packing.bdt.UnavailableException;
import io.packing.seed.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class WaitWarningsTest {
    private final AtomicLong nanos = new AtomicLong();
    private final List<String> said = new ArrayList<>();
    private final List<Long> saidAtSeconds = new ArrayList<>();

    /** Calls a master that fails always, until the timeout. */
    private void call(Duration timeout, Supplier<UnavailableException> failure) {
        Retry retry = new Retry(
                GrpcBdts.noAnswerFrom("host:1"),
                new WaitWarnings("host:1", nanos::get, warning -> {
                    said.add(warning);
                    saidAtSeconds.add(Duration.ofNanos(nanos.get()).toSeconds());
                }),
                timeout,
                nanos::get,
                millis -> nanos.addAndGet(millis * 1_000_000),
                new SplittableRandom(Seed.value()));
        assertThatThrownBy(() -> retry.call("open", left -> {
                    throw failure.get();
                }))
                .isInstanceOf(UnavailableException.class);
    }

    @Test
    void aCallThatWaitsForAMinuteSaysSoWithinFiveSecondsAndHalfAMinuteLater() {
        call(Duration.ofSeconds(60), () -> new UnavailableException("Connection refused"));
        assertThat(saidAtSeconds).hasSize(2);
        assertThat(saidAtSeconds.get(0)).isBetween(2L, 4L);
        assertThat(saidAtSeconds.get(1)).isBetween(32L, 36L);
        assertThat(said.get(0)).contains("host:1", "Connection refused", "Check that it runs");
    }

    @Test
    void aCallThatGivesUpSoonSaysItInItsFailureOnly() {
        call(Duration.ofSeconds(4), () -> new UnavailableException("Connection refused"));
        assertThat(said).isEmpty();
    }

    @Test
    void aMasterThatIsBusyAnswers() {
        call(Duration.ofSeconds(60), () -> new BusyException("too often", Duration.ofSeconds(5)));
        assertThat(said).isEmpty();
    }
}
