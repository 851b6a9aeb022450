// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.adopt;

import io.packing.worker.api.Awaited;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A thread that does one task beside its caller, who may prepare the next one meanwhile. Confined to the caller's thread. */
final class OneBehind implements AutoCloseable {
    private static final long LONGEST_END_SECONDS = 60;

    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread made = new Thread(task, "adopt-commit");
        made.setDaemon(true);
        return made;
    });
    private Optional<Future<Boolean>> running = Optional.empty();

    /** A task that may fail. */
    interface Task {
        void run() throws IOException;
    }

    /** Waits for the task before, and begins this one. */
    void begin(Task task) throws IOException {
        await();
        running = Optional.of(thread.submit(() -> {
            task.run();
            return true;
        }));
    }

    /** Waits for the last task, and throws its failure. */
    void await() throws IOException {
        if (running.isPresent()) {
            Future<Boolean> last = running.get();
            running = Optional.empty();
            boolean unused = Awaited.get(last, "adopting objects");
        }
    }

    @Override
    public void close() {
        List<Runnable> unused = thread.shutdownNow();
        try {
            boolean unusedEnd = thread.awaitTermination(LONGEST_END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
