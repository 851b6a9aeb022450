// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.loop.Loop;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class WorkerLoopsTest {
    private static final Optional<Throwable> WELL = Optional.empty();

    /** The ends of the loop's steps, in order; a step waits for its end. */
    private final LinkedBlockingQueue<Optional<Throwable>> ends = new LinkedBlockingQueue<>();

    private final Semaphore begun = new Semaphore(0);
    private final CompletableFuture<Throwable> died = new CompletableFuture<>();

    private Loop loop() {
        return WorkerLoops.start(
                "test-loop",
                0,
                () -> {
                    begun.release();
                    Throwable end = ends.take().orElse(null);
                    if (end instanceof IOException e) {
                        throw e;
                    } else if (end instanceof RuntimeException e) {
                        throw e;
                    } else if (end instanceof Error e) {
                        throw e;
                    } else if (end instanceof InterruptedException e) {
                        throw e;
                    }
                },
                died::complete);
    }

    private void end(Optional<Throwable> end) {
        ends.add(end);
        begun.acquireUninterruptibly();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Cannot reserve 110442 bytes of direct buffer memory (allocated: 9)",
                "failed to allocate 20431 byte(s) of direct memory (used: 9, max: 9)"
            })
    void aBufferThatIsNotThereIsAFailure(String message) {
        try (Loop loop = loop()) {
            begun.acquireUninterruptibly();
            for (int i = 0; i < Loop.FAILURES_TOLD; i++) {
                end(Optional.of(new OutOfMemoryError(message)));
            }
            assertThat(loop.problem()).get().asString().contains("no memory outside of the heap");
            end(WELL);
            assertThat(loop.problem()).isEmpty();
        }
    }

    @Test
    void aHeapThatIsFullEndsTheLoop() {
        try (Loop loop = loop()) {
            OutOfMemoryError error = new OutOfMemoryError("Java heap space");
            ends.add(Optional.of(error));
            assertThat(died.join()).isSameAs(error);
        }
    }
}
