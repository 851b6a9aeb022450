// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.UnavailableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class JournalBarrierTest {
    private static final int WAITING = 5;

    private int uploads;

    @Test
    void thoseWhoWaitTogetherShareAnUpload() throws Exception {
        JournalBarrier barrier = new JournalBarrier("m", () -> uploads++);
        List<CompletableFuture<Void>> waiting =
                IntStream.range(0, WAITING).mapToObj(i -> barrier.passed()).toList();
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        assertThat(barrier.step()).isTrue();
        assertThat(waiting).allMatch(CompletableFuture::isDone);
        assertThat(uploads).isEqualTo(1);
        assertThat(barrier.step()).isFalse();
        assertThat(uploads).isEqualTo(1);
    }

    @Test
    void whoComesDuringAnUploadWaitsForTheNext() throws Exception {
        JournalBarrier[] barrier = new JournalBarrier[1];
        List<CompletableFuture<Void>> later = new ArrayList<>();
        barrier[0] = new JournalBarrier("m", () -> {
            if (uploads++ == 0) {
                later.add(barrier[0].passed());
            }
        });
        CompletableFuture<Void> first = barrier[0].passed();
        assertThat(barrier[0].step()).isTrue();
        assertThat(first).isCompleted();
        assertThat(later.get(0)).isNotDone();
        assertThat(barrier[0].step()).isTrue();
        assertThat(later.get(0)).isCompleted();
    }

    @Test
    void whileTheStoreIsAwayTheyWaitOn() throws Exception {
        CountDownLatch stop = new CountDownLatch(1);
        JournalBarrier barrier = new JournalBarrier("m", () -> {
            if (uploads++ < 2) {
                throw new IOException("the store is away");
            }
        });
        CompletableFuture<Void> waits = barrier.passed();
        assertThatThrownBy(() -> barrier.step()).hasMessage("the store is away");
        assertThat(waits).isNotDone();
        CompletableFuture<Void> unused = waits.thenRun(stop::countDown);
        barrier.run(stop);
        assertThat(waits).isCompleted();
        assertThat(uploads).isEqualTo(3);
    }

    @Test
    void afterTheEndNobodyWaits() {
        JournalBarrier barrier = new JournalBarrier("m", () -> uploads++);
        CompletableFuture<Void> before = barrier.passed();
        barrier.end(new UnavailableException("stopping"));
        assertThat(before).isCompletedExceptionally();
        assertThat(barrier.passed()).isCompletedExceptionally();
    }

    @Test
    void anErrorEndsItForAll() {
        JournalBarrier barrier = new JournalBarrier("m", () -> {
            throw new StackOverflowError("deep");
        });
        CompletableFuture<Void> before = barrier.passed();
        assertThatThrownBy(() -> barrier.step()).isInstanceOf(StackOverflowError.class);
        assertThat(before).isCompletedExceptionally();
        assertThat(barrier.passed()).isCompletedExceptionally();
    }
}
