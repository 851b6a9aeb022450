// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.worker.api.BufferFullException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class BufferSpaceTest {
    private static final long GB = 1L << 30;

    private final AtomicLong free = new AtomicLong(100 * GB);
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger pressed = new AtomicInteger();

    private BufferSpace space(long maxBytes) {
        return new BufferSpace(
                Path.of("/buffer"), maxBytes, Duration.ofMinutes(10), free::get, nanos::get, pressed::incrementAndGet);
    }

    private static CompletableFuture<Void> reserving(BufferSpace space, long bytes) {
        return CompletableFuture.runAsync(() -> {
            try {
                space.reserve(bytes);
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
    }

    private static void awaitWaiting(BufferSpace space, int creators) {
        while (space.waiting() < creators) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aCreatorWaitsMinutesForRoomAsksForAPushAndGoesOnWhenThereIsSome() throws IOException {
        BufferSpace space = space(100);
        space.reserve(80);
        CompletableFuture<Void> creator = reserving(space, 30);
        awaitWaiting(space, 1);
        nanos.addAndGet(Duration.ofMinutes(9).toNanos());
        assertThat(creator).isNotDone();
        assertThat(pressed.get()).isPositive();
        space.release(80);
        creator.join();
        assertThat(space.usedBytes()).isEqualTo(30);
    }

    @Test
    void aCreatorGoesOnWhenTheBufferIsMadeLarger() throws IOException {
        BufferSpace space = space(100);
        space.reserve(80);
        CompletableFuture<Void> creator = reserving(space, 30);
        awaitWaiting(space, 1);
        space.resize(110);
        creator.join();
        assertThat(space.usedBytes()).isEqualTo(110);
    }

    @Test
    void whatLeavesTheBufferGivesEveryCreatorTheWholeTimeAgain() throws IOException {
        BufferSpace space = space(100);
        space.reserve(99);
        CompletableFuture<Void> creator = reserving(space, 50);
        for (int i = 0; i < 5; i++) {
            awaitWaiting(space, 1);
            nanos.addAndGet(Duration.ofMinutes(9).toNanos());
            space.release(5);
        }
        awaitWaiting(space, 1);
        assertThat(creator).isNotDone();
        space.release(74);
        creator.join();
    }

    @Test
    void aCreatorIsToldWhatToDoWhenNothingLeavesTheBuffer() throws IOException {
        BufferSpace space = space(100);
        space.reserve(80);
        CompletableFuture<Void> creator = reserving(space, 30);
        awaitWaiting(space, 1);
        nanos.addAndGet(Duration.ofMinutes(11).toNanos());
        assertThatThrownBy(creator::join)
                .hasCauseInstanceOf(BufferFullException.class)
                .hasMessageContaining("packing.buffer.max.bytes")
                .hasMessageContaining("backing store");
        assertThat(space.usedBytes()).isEqualTo(80);
    }

    @Test
    void aDiskThatOthersFilledIsRefusedSoon() {
        BufferSpace space = space(GB);
        free.set(1 << 20);
        CompletableFuture<Void> creator = reserving(space, 10);
        awaitWaiting(space, 1);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThatThrownBy(creator::join)
                .hasCauseInstanceOf(BufferFullException.class)
                .hasMessageContaining("free some space");
    }

    @Test
    void aDiskOnWhichNothingCanBePackedIsRefusedAfterTenSeconds() throws IOException {
        BufferSpace space = space(GB);
        space.reserve(5 << 20);
        free.set(1 << 20);
        space.cannotPack("1952 bytes are missing");
        CompletableFuture<Void> creator = reserving(space, 8 << 20);
        awaitWaiting(space, 1);
        nanos.addAndGet(Duration.ofSeconds(9).toNanos());
        space.cannotPack("1952 bytes are missing");
        assertThat(creator).isNotDone();
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThatThrownBy(creator::join)
                .hasCauseInstanceOf(BufferFullException.class)
                .hasMessageContaining("1952 bytes are missing")
                .hasMessageContaining("free some space");
        assertThat(space.usedBytes()).isEqualTo(5 << 20);
    }

    @Test
    void aCreatorGoesOnWaitingWhenSomethingIsPackedAfterAll() throws IOException {
        BufferSpace space = space(GB);
        space.reserve(5 << 20);
        free.set(1 << 20);
        space.cannotPack("1952 bytes are missing");
        CompletableFuture<Void> creator = reserving(space, 8 << 20);
        awaitWaiting(space, 1);
        space.packed();
        nanos.addAndGet(Duration.ofSeconds(60).toNanos());
        int looks = pressed.get();
        while (pressed.get() < looks + 2) {
            assertThat(creator).isNotDone();
        }
        free.set(GB);
        creator.join();
    }

    @Test
    void filesThatLeftTheBufferMayLeaveTheDiskALittleLater() throws IOException {
        BufferSpace space = space(GB);
        space.reserve(5 << 20);
        free.set(1 << 20);
        CompletableFuture<Void> creator = reserving(space, 8 << 20);
        awaitWaiting(space, 1);
        nanos.addAndGet(Duration.ofMinutes(9).toNanos());
        int looks = pressed.get();
        space.release(5 << 20);
        while (pressed.get() == looks && !creator.isDone()) {
            Thread.onSpinWait();
        }
        free.set(GB);
        creator.join();
    }

    @Test
    void aDiskThatBufferedFilesFillIsWaitedFor() throws IOException {
        BufferSpace space = space(GB);
        space.reserve(5 << 20);
        free.set(1 << 20);
        CompletableFuture<Void> creator = reserving(space, 8 << 20);
        awaitWaiting(space, 1);
        assertThat(creator).isNotDone();
        free.set(GB);
        creator.join();
    }
}
