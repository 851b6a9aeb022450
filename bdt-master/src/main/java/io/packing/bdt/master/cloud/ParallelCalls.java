// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import com.google.common.util.concurrent.Uninterruptibles;
import io.packing.bdt.master.table.Waiting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Calls that run side by side, and have all ended when their caller goes on: also when one fails, and when the caller is interrupted. */
public final class ParallelCalls {
    private ParallelCalls() {}

    /**
     * Runs calls on at most so many threads, and returns their results in the order of the calls. The first failure interrupts the
     * others.
     *
     * @throws IOException what the first failed call threw
     */
    public static <T> List<T> run(int threads, List<? extends Callable<T>> calls) throws IOException {
        if (calls.isEmpty()) {
            return List.of();
        }
        ExecutorService executor = Executors.newFixedThreadPool(Math.min(threads, calls.size()));
        try {
            List<Future<T>> running = new ArrayList<>(calls.size());
            for (Callable<T> call : calls) {
                running.add(executor.submit(call));
            }
            List<T> results = new ArrayList<>(calls.size());
            for (Future<T> each : running) {
                results.add(Waiting.on(each));
            }
            return results;
        } finally {
            executor.shutdownNow();
            // A call that went on could write to a store or folder that its caller has closed.
            Uninterruptibles.awaitTerminationUninterruptibly(executor);
        }
    }
}
