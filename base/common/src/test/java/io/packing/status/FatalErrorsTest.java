// SPDX-License-Identifier: Apache-2.0
package io.packing.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class FatalErrorsTest {
    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Integer> exited = new CompletableFuture<>();
    private final CompletableFuture<Integer> halted = new CompletableFuture<>();

    private FatalErrors handler() {
        return new FatalErrors(
                "test daemon",
                (message, failure) -> logged.add(message + ": " + failure),
                exited::complete,
                halted::complete,
                0);
    }

    private static void die(FatalErrors handler, Throwable how) throws InterruptedException {
        Thread thread = new Thread(
                () -> {
                    if (how instanceof Error error) {
                        throw error;
                    }
                    throw (RuntimeException) how;
                },
                "doomed");
        thread.setUncaughtExceptionHandler(handler);
        thread.start();
        thread.join();
    }

    @Test
    void anErrorThatCannotBeSurvivedEndsTheProcess() throws Exception {
        for (Error error : List.of(
                new OutOfMemoryError("planted"),
                new StackOverflowError("planted"),
                new NoClassDefFoundError("planted"))) {
            FatalErrorsTest each = new FatalErrorsTest();
            die(each.handler(), error);
            assertThat(each.exited.join()).isEqualTo(1);
            assertThat(each.halted.join()).isEqualTo(1);
            assertThat(each.logged).containsExactly("thread doomed ended: " + error);
        }
    }

    @Test
    void aStopThatNeverReturnsIsHalted() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        FatalErrors handler = new FatalErrors(
                "test daemon",
                (message, failure) -> {},
                code -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                halted::complete,
                0);
        die(handler, new OutOfMemoryError("planted"));
        assertThat(halted.join()).isEqualTo(1);
        never.countDown();
    }

    @Test
    void aLogThatFailsDoesNotKeepTheProcessAlive() throws Exception {
        FatalErrors handler = new FatalErrors(
                "test daemon",
                (message, failure) -> {
                    throw new OutOfMemoryError("also the log");
                },
                exited::complete,
                halted::complete,
                0);
        die(handler, new OutOfMemoryError("planted"));
        assertThat(halted.join()).isEqualTo(1);
    }

    @Test
    void anExceptionIsLoggedAndTheProcessGoesOn() throws Exception {
        die(handler(), new IllegalStateException("planted"));
        assertThat(logged).containsExactly("thread doomed ended: java.lang.IllegalStateException: planted");
        assertThat(exited).isNotDone();
        assertThat(halted).isNotDone();
    }
}
