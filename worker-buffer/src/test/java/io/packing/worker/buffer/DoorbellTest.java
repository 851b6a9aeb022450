// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lost ring would make the waiting thread wait for hours. */
@Timeout(60)
final class DoorbellTest {
    private static final long LONG_NANOS = Duration.ofHours(5).toNanos();
    private static final int ROUNDS = 200_000;

    private final Doorbell there = new Doorbell();
    private final Doorbell back = new Doorbell();

    @Test
    void noRingIsLostBetweenTwoWhoWakeEachOther() throws Exception {
        AtomicInteger served = new AtomicInteger();
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
            for (int i = 1; i <= ROUNDS; i++) {
                awaitAtLeast(i, served, back);
                served.incrementAndGet();
                there.ring();
            }
        });
        for (int i = 1; i <= ROUNDS; i++) {
            served.incrementAndGet();
            back.ring();
            awaitAtLeast(i, served, there);
        }
        other.get();
        assertThat(served).hasValue(2 * ROUNDS);
    }

    /** Waits until both threads have come to this round, this side excepted. */
    private void awaitAtLeast(int round, AtomicInteger served, Doorbell bell) {
        int wanted = bell == there ? 2 * round : 2 * round - 1;
        while (served.get() < wanted) {
            try {
                bell.await(LONG_NANOS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void aRingBeforeTheWaitEndsItAndOnlyIt() throws InterruptedException {
        there.ring();
        there.ring();
        there.await(LONG_NANOS);
        Thread waiting = new Thread(() -> awaitAtLeast(1, new AtomicInteger(), there));
        waiting.setDaemon(true);
        waiting.start();
        while (waiting.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        assertThat(waiting.isAlive()).isTrue();
    }

    @Test
    void anInterruptEndsTheWait() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> there.await(LONG_NANOS)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
}
