// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

import io.packing.bdt.master.cloud.ParallelCalls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

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
        List<Callable<Boolean>> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            calls.add(() -> {
                task.run(number);
                return true;
            });
        }
        List<Boolean> unused = ParallelCalls.run(THREADS, calls);
    }
}
