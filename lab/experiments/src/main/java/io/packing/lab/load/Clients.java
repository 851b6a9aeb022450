// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.load;

import com.google.common.util.concurrent.RateLimiter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** Concurrent clients that share out numbered files, a run of neighbours at a time. */
public final class Clients {
    private static final int RUN = 64;

    /** Hands out numbers; -1 when there are no more. Confined to one client. */
    public interface Numbers {
        long next();
    }

    /** The work of one client. */
    public interface Work {
        void run(Numbers numbers) throws IOException;
    }

    private Clients() {}

    /**
     * Runs the work in so many threads until every number has been handed out and worked on.
     *
     * @param progress is told from time to time how many more numbers were handed out; called by all clients
     */
    public static void run(int clients, long files, LongConsumer progress, Work work)
            throws IOException, InterruptedException {
        AtomicLong nextRun = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                all.add(threads.submit(() -> {
                    work.run(numbers(nextRun, files, progress));
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw failure(e);
        } finally {
            threads.shutdownNow();
        }
    }

    private static Numbers numbers(AtomicLong nextRun, long files, LongConsumer progress) {
        return new Numbers() {
            private long next;
            private long end;

            @Override
            public long next() {
                if (next == end) {
                    next = nextRun.getAndAdd(RUN);
                    end = Math.min(files, next + RUN);
                    if (next < end) {
                        progress.accept(end - next);
                    }
                }
                return next < end ? next++ : -1;
            }
        };
    }

    /** Returns the numbers at the rate that all users of the limiter share; empty: without a limit. */
    public static Numbers paced(Numbers numbers, Optional<RateLimiter> rate) {
        return rate.isEmpty()
                ? numbers
                : () -> {
                    long number = numbers.next();
                    if (number >= 0) {
                        double unused = rate.get().acquire();
                    }
                    return number;
                };
    }

    public static IOException failure(ExecutionException e) {
        return e.getCause() instanceof IOException io ? io : new IOException("a client failed: " + e.getCause(), e);
    }
}
