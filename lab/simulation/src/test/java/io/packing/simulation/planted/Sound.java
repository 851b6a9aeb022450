// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.planted;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A program without a defect that waits in every way that production has; it tells its random numbers, orders and times. */
public final class Sound implements Consumer<List<String>> {
    private final List<String> told = new ArrayList<>();
    private final ThreadLocal<String> local = ThreadLocal.withInitial(() -> "unset");
    private int sum;

    private synchronized void tell(String what) {
        told.add(what);
    }

    @SuppressWarnings("ThreadPriorityCheck") // A yield must not let another thread into the monitor.
    private synchronized void add() {
        int before = sum;
        Thread.yield();
        sum = before + 1;
    }

    @Override
    public void accept(List<String> into) {
        try {
            queues();
            pools();
            times();
            interrupts();
            locals();
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
        into.addAll(told);
    }

    private void queues() throws InterruptedException {
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(2);
        BlockingQueue<Integer> answers = new LinkedBlockingQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int from = i;
            Thread sender = new Thread(
                    () -> {
                        try {
                            for (int k = 0; k < 5; k++) {
                                queue.put(from * 10 + k);
                                add();
                            }
                        } catch (InterruptedException e) {
                            tell("interrupted");
                        }
                    },
                    "sender-" + i);
            sender.start();
            threads.add(sender);
        }
        for (int k = 0; k < 15; k++) {
            answers.add(queue.take());
        }
        for (Thread thread : threads) {
            thread.join();
        }
        tell("queue " + answers + ", sum " + sum);
    }

    private void pools() throws InterruptedException, ExecutionException, TimeoutException {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        AtomicInteger running = new AtomicInteger();
        Semaphore two = new Semaphore(2);
        List<Future<Integer>> futures = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            futures.add(pool.submit(() -> {
                two.acquire();
                try {
                    int most = running.incrementAndGet();
                    TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(50));
                    running.decrementAndGet();
                    return most;
                } finally {
                    two.release();
                }
            }));
        }
        for (Future<Integer> future : futures) {
            tell("at once " + future.get(1, TimeUnit.MINUTES));
        }
        pool.shutdown();
        tell("ended " + pool.awaitTermination(1, TimeUnit.HOURS));
        CompletableFuture<String> both = CompletableFuture.supplyAsync(() -> "a")
                .thenCombine(CompletableFuture.supplyAsync(() -> "b"), String::concat);
        tell("future " + both.get() + UUID.randomUUID());
    }

    private void times() throws InterruptedException {
        Clock clock = Clock.systemUTC();
        Instant before = clock.instant();
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        Future<?> unused = timer.scheduleWithFixedDelay(() -> tell("tick"), 1, 10, TimeUnit.HOURS);
        Thread.sleep(Duration.ofDays(1).toMillis());
        timer.shutdownNow();
        tell("a day is " + Duration.between(before, clock.instant()).toHours() + " hours");
    }

    /** Starts one thread after another: each may run where the one before it ran. */
    private void locals() throws InterruptedException {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Thread thread = new Thread(
                    () -> {
                        found.add(local.get());
                        local.set("set");
                        found.add(local.get() + " by " + Thread.currentThread().getName());
                    },
                    "setter-" + i);
            thread.start();
            thread.join();
        }
        tell("locals " + found);
    }

    private void interrupts() throws InterruptedException {
        Thread sleeper = new Thread(
                () -> {
                    try {
                        Thread.sleep(1_000_000);
                    } catch (InterruptedException e) {
                        tell("woken, flag " + Thread.currentThread().isInterrupted());
                    }
                },
                "sleeper");
        sleeper.start();
        sleeper.interrupt();
        sleeper.join();
        tell("alive " + sleeper.isAlive());
    }
}
