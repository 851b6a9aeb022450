// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.files;

import io.packing.worker.api.Awaited;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;

/** Waiting for the work of other threads, with their exceptions. */
public final class Interruptions {
    private Interruptions() {}

    /** Returns the result of another thread. */
    public static <T> T get(Future<T> future) throws IOException {
        return Awaited.get(future, "a file of a layer is read or written");
    }

    /** Gives a task up. The taker receives a finished result; a result that is made at this moment is lost. */
    public static <T> void cancel(FutureTask<T> task, Consumer<T> taker) {
        if (task.cancel(false)) {
            return;
        }
        try {
            taker.accept(task.get());
        } catch (ExecutionException e) {
            // It made nothing.
        } catch (InterruptedException e) {
            // The task has ended, so the call does not wait.
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Returns a task's result, made in this thread when no other has begun it: so the caller does not wait for a free
     * thread.
     */
    public static <T> T runOrGet(FutureTask<T> task) throws IOException {
        task.run();
        return get(task);
    }
}
