// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

import io.packing.bdt.master.table.Waiting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Does several things at a time; the first failure ends them. */
final class Parallel {
    /** Enough to wait for a store; the memory of so many footers is needed. */
    private static final int THREADS = 4;

    interface Task {
        void run(int number) throws IOException;
    }

    private Parallel() {}

    /** Runs the task with the numbers from 0 on. */
    static void forEach(int count, Task task) throws IOException {
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Boolean>> running = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = i;
                running.add(executor.submit(() -> {
                    task.run(number);
                    return true;
                }));
            }
            for (Future<Boolean> each : running) {
                boolean unused = Waiting.on(each);
            }
        } finally {
            executor.shutdownNow();
        }
    }
}
