package io.packing.bdt.raft;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * Code that waits within {@link VirtualTime}: it has a thread of its own, which runs only while whoever resumed it waits until it
 * pauses or ends. So one thing happens at a time.
 */
final class VirtualFiber {
    private static final Executor THREADS = Executors.newCachedThreadPool(task -> {
        Thread made = new Thread(task, "virtual-fiber");
        made.setDaemon(true);
        return made;
    });

    /** Thrown where a fiber waits whose process is gone. */
    static final class GoneException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final Semaphore runs = new Semaphore(0);
    private final Semaphore waits = new Semaphore(0);
    private boolean ended;
    private boolean gone;
    private Optional<RuntimeException> failure = Optional.empty();

    /** Begins when it is resumed for the first time. */
    VirtualFiber(Runnable body) {
        THREADS.execute(() -> {
            runs.acquireUninterruptibly();
            try {
                if (!gone) {
                    body.run();
                }
            } catch (GoneException e) {
                // Its process was killed.
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

    /** Lets the fiber run until it pauses or ends; throws what it throws. */
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

    /** Ends the fiber where it waits. */
    void kill() {
        gone = true;
        resume();
    }
}
