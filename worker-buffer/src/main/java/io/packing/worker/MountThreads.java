// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.packing.loop.Loop;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of one mount. An error that ends one of them breaks the mount, and all waiting and later calls fail with
 * it.
 */
final class MountThreads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MountThreads.class);
    private static final long RETRY_MILLIS = 500;

    private final String store;
    private final Consumer<IOException> whenBroken;
    private final List<Loop> loops = new CopyOnWriteArrayList<>();
    private volatile Optional<IOException> broken = Optional.empty();

    /**
     * @param store the location of the mount's store, for messages
     * @param whenBroken fails those calls that wait for the mount's threads, now and later
     */
    MountThreads(String store, Consumer<IOException> whenBroken) {
        this.store = store;
        this.whenBroken = whenBroken;
    }

    /** Starts a thread that repeats a step. */
    Loop start(String name, Loop.Step step) {
        Loop loop = WorkerLoops.start(name, RETRY_MILLIS, step, this::died);
        loops.add(loop);
        return loop;
    }

    private void died(Throwable error) {
        IOException why = new IOException(
                "mount %s: thread %s of its worker ended (%s); restart the worker, which goes on with its buffered files"
                        .formatted(store, Thread.currentThread().getName(), error),
                error);
        broken = Optional.of(why);
        LOG.error("{}", why.getMessage(), error);
        whenBroken.accept(why);
    }

    /**
     * Fails if the mount is broken.
     *
     * @throws IOException when the mount is broken
     */
    void check() throws IOException {
        Optional<IOException> why = broken;
        if (why.isPresent()) {
            throw new IOException(why.get().getMessage(), why.get());
        }
    }

    /** Returns the reason why only a restart of the worker helps; empty if the mount is not broken. */
    Optional<String> needsRestart() {
        return broken.map(Throwable::getMessage);
    }

    /** Returns the problem that keeps the threads from their work. */
    Optional<String> problem() {
        return broken.map(Throwable::getMessage)
                .or(() ->
                        loops.stream().flatMap(loop -> loop.problem().stream()).findFirst());
    }

    @Override
    public void close() {
        // End all of them first: one that waits for the store must not keep the others at their work.
        loops.forEach(Loop::end);
        loops.forEach(Loop::close);
    }
}
