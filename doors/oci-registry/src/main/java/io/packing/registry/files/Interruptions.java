package io.packing.registry.files;

import io.packing.worker.api.Awaited;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;

/** Waiting for what other threads do, with their exceptions. */
public final class Interruptions {
    private Interruptions() {}

    /** What the other thread made. */
    public static <T> T get(Future<T> future) throws IOException {
        return Awaited.get(future, "a file of a layer is read or written");
    }

    /** Gives a task up. What it made already, somebody else takes; what it makes at this moment is lost. */
    public static <T> void cancel(FutureTask<T> task, Consumer<T> taker) {
        if (task.cancel(false)) {
            return;
        }
        try {
            taker.accept(task.get());
        } catch (ExecutionException e) {
            // It made nothing.
        } catch (InterruptedException e) {
            // It has ended, so nobody waits.
            Thread.currentThread().interrupt();
        }
    }

    /** What a task makes, in this thread when no other has begun it: whoever needs it does not wait for a free thread. */
    public static <T> T runOrGet(FutureTask<T> task) throws IOException {
        task.run();
        return get(task);
    }
}
