package io.packing.cli.experiment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Concurrent clients that share out numbered files, a run of neighbours at a time. */
final class Clients {
    private static final int RUN = 64;

    /** Hands out numbers; -1 when there are no more. Confined to one client. */
    interface Numbers {
        long next();
    }

    /** What one client does. */
    interface Work {
        void run(Numbers numbers) throws IOException;
    }

    private Clients() {}

    static void run(int clients, long files, Work work) throws IOException, InterruptedException {
        var nextRun = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                all.add(threads.submit(() -> {
                    work.run(numbers(nextRun, files));
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

    private static Numbers numbers(AtomicLong nextRun, long files) {
        return new Numbers() {
            private long next;
            private long end;

            @Override
            public long next() {
                if (next == end) {
                    next = nextRun.getAndAdd(RUN);
                    end = Math.min(files, next + RUN);
                }
                return next < end ? next++ : -1;
            }
        };
    }

    static IOException failure(ExecutionException e) {
        return e.getCause() instanceof IOException io ? io : new IOException("a client failed: " + e.getCause(), e);
    }
}
