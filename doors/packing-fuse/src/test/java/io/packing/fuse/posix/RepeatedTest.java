// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RepeatedTest {
    /** A plain timer drops a task that throws once, for ever and without a message. */
    @Test
    @Timeout(60)
    void whatThrowsIsRepeatedAndErrorsAreTold() throws InterruptedException {
        Error error = new StackOverflowError("planted");
        Queue<Throwable> failures = new ArrayDeque<>(List.of(new IllegalStateException("planted"), error));
        List<Throwable> told = new CopyOnWriteArrayList<>();
        CountDownLatch calls = new CountDownLatch(4);
        Repeated work = new Repeated("a test", () -> {
            calls.countDown();
            Throwable next = failures.poll();
            if (next instanceof Error e) {
                throw e;
            }
            if (next instanceof RuntimeException e) {
                throw e;
            }
        });
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "timer");
            thread.setUncaughtExceptionHandler((failed, failure) -> told.add(failure));
            return thread;
        });
        try {
            ScheduledFuture<?> unused = timer.scheduleWithFixedDelay(work, 0, 1, TimeUnit.MICROSECONDS);
            calls.await();
        } finally {
            timer.shutdownNow();
        }
        assertThat(told).containsExactly(error);
    }
}
