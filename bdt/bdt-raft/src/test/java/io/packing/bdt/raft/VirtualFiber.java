// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * Code that waits within {@link VirtualTime}. It has a thread of its own, which runs only while its caller waits for it
 * to pause or end. So only one thread runs at a time.
 */
final class VirtualFiber {
    private static final Executor THREADS = Executors.newCachedThreadPool(task -> {
        Thread made = new Thread(task, "virtual-fiber");
        made.setDaemon(true);
        return made;
    });

    /** The end of a fiber's process, thrown at its wait. */
    static final class GoneException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final Semaphore runs = new Semaphore(0);
    private final Semaphore waits = new Semaphore(0);
    private boolean ended;
    private boolean gone;
    private Optional<RuntimeException> failure = Optional.empty();

    /** Makes a fiber that begins at its first {@link #resume}. */
    VirtualFiber(Runnable body) {
        THREADS.execute(() -> {
            runs.acquireUninterruptibly();
            try {
                if (!gone) {
                    body.run();
                }
            } catch (GoneException e) {
                // The fiber's process was killed.
            } catch (RuntimeException e) {
                failure = Optional.of(e);
            } catch (Error e) {
                failure = Optional.of(new IllegalStateException("in a fiber: " + e, e));
            } finally {
                ended = true;
                waits.release();
            }
        });
    }

    /** Runs the fiber until it pauses or ends; rethrows its exceptions. */
    void resume() {
        if (ended) {
            return;
        }
        runs.release();
        waits.acquireUninterruptibly();
        if (failure.isPresent()) {
            throw failure.get();
        }
    }

    /** Waits until the fiber is resumed; called by its own code. */
    void pause() {
        waits.release();
        runs.acquireUninterruptibly();
        if (gone) {
            throw new GoneException();
        }
    }

    /** Ends the fiber at its wait. */
    void kill() {
        gone = true;
        resume();
    }
}
