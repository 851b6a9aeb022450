// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.MovedException;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.master.cloud.RecoveryProgress;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The state of one mount at a master. Each transition is a method here, and no other code changes the state.
 *
 * <ul>
 *   <li>{@code opening}: of a mount that is closed, left, moved or lost. It ends as {@code opened}, or as {@code failed}, which
 *       brings the state of before back.
 *   <li>{@code froze}: of an open mount. {@code thawed} makes it open again, or what it became meanwhile.
 *   <li>{@code closed}: of an open mount, which is opened anew.
 *   <li>{@code left}: of an open mount. Another master of the group has it.
 *   <li>{@code lost}: of an open mount. Another master took it over.
 *   <li>{@code moved}: of a mount that is not opening. Another group has it.
 *   <li>{@code ended}: of a mount that is not opening, which is closed then. The master stops.
 * </ul>
 *
 * A transition of a mount that the slot does not have (any more) changes nothing, and says so. Thread-safe.
 *
 * @param <M> the open mount
 * @param <R> the request that opened it
 */
final class MountSlot<M, R> {
    private static final long MOST_FROZEN_MILLIS = 20_000;

    /** A state of the mount. */
    sealed interface State<M, R> {
        /** Returns the mount if clients are served from it. */
        default Optional<Open<M, R>> served() {
            return Optional.empty();
        }
    }

    /** The mount is not open here. */
    record Closed<M, R>() implements State<M, R> {}

    /**
     * The mount is being opened.
     *
     * @param before what it was; it is that again if the opening fails
     */
    record Opening<M, R>(RecoveryProgress progress, State<M, R> before) implements State<M, R> {}

    /** The mount is open, as a request opened it. */
    record Open<M, R>(M mount, R request) implements State<M, R> {
        @Override
        public Optional<Open<M, R>> served() {
            return Optional.of(this);
        }
    }

    /**
     * The mount goes to another group at this moment: a client that asks for it waits for the result.
     *
     * @param within what it is beside that
     */
    record Frozen<M, R>(State<M, R> within, CountDownLatch over) implements State<M, R> {
        @Override
        public Optional<Open<M, R>> served() {
            return within.served();
        }
    }

    /** The mount is being closed, since another master of the group has it. The thread has the files of the table open. */
    record Left<M, R>(Thread end) implements State<M, R> {}

    /** Another group has the mount. */
    record Moved<M, R>(Optional<Thread> end, MovedException to) implements State<M, R> {}

    /** Another master took the mount over. */
    record Lost<M, R>(M mount) implements State<M, R> {}

    private final String id;
    /** Held by the thread that opens the mount or changes its options. */
    private final Object turn = new Object();

    /** Changed by the holder of this object's lock; read by each call for the mount. */
    private volatile State<M, R> state = new Closed<>();
    /** The last request that opened the mount. */
    private Optional<R> request = Optional.empty();

    MountSlot(String id) {
        this.id = id;
    }

    Object turn() {
        return turn;
    }

    private State<M, R> state() {
        State<M, R> now = state;
        return now instanceof Frozen<M, R> frozen ? frozen.within() : now;
    }

    /** Returns the last request that opened the mount. */
    synchronized Optional<R> request() {
        return request;
    }

    /** Returns the mount if it is open. */
    Optional<Open<M, R>> open() {
        return state.served();
    }

    /** Returns the progress of the opening, if the mount is being opened. */
    Optional<RecoveryProgress> progress() {
        return state() instanceof Opening<M, R> opening ? Optional.of(opening.progress()) : Optional.empty();
    }

    /** Returns the group that has the mount, if it was moved away and not opened again. */
    Optional<MovedException> movedTo() {
        return settled() instanceof Moved<M, R> moved ? Optional.of(moved.to()) : Optional.empty();
    }

    /** Returns the mount that another master took over, if it was not opened again. */
    Optional<M> lost() {
        return settled() instanceof Lost<M, R> lost ? Optional.of(lost.mount()) : Optional.empty();
    }

    /** Returns what the mount is, or was before it began to be opened. */
    private State<M, R> settled() {
        State<M, R> now = state();
        return now instanceof Opening<M, R> opening ? opening.before() : now;
    }

    /** Returns the thread that closes the mount. */
    Optional<Thread> ending() {
        State<M, R> now = state();
        if (now instanceof Left<M, R> left) {
            return Optional.of(left.end());
        }
        return now instanceof Moved<M, R> moved ? moved.end() : Optional.empty();
    }

    /** The mount, which is not open, is being opened from now on. */
    synchronized void opening(RecoveryProgress progress) {
        State<M, R> before = state();
        if (before instanceof Opening || before instanceof Open) {
            throw new IllegalStateException("mount %s is opened twice".formatted(id));
        }
        // The thread that closes it has ended.
        State<M, R> known = before instanceof Left ? new Closed<>() : before;
        State<M, R> last = known instanceof Moved<M, R> moved ? new Moved<>(Optional.empty(), moved.to()) : known;
        become(new Opening<>(progress, last));
    }

    /** The mount, which was being opened, is open. */
    synchronized void opened(M mount, R by) {
        if (!(state() instanceof Opening)) {
            throw new IllegalStateException("mount %s was not being opened".formatted(id));
        }
        request = Optional.of(by);
        become(new Open<>(mount, by));
    }

    /** The opening of the mount failed, unless it is over. */
    synchronized void failed() {
        if (state() instanceof Opening<M, R> opening) {
            become(opening.before());
        }
    }

    /** Has clients that ask for the mount wait from now on, until {@link #thawed}. */
    synchronized void froze() {
        if (state instanceof Frozen) {
            throw new IllegalStateException("mount %s is given away twice".formatted(id));
        }
        state = new Frozen<>(state, new CountDownLatch(1));
    }

    /** Ends what {@link #froze} began. */
    synchronized void thawed() {
        if (state instanceof Frozen<M, R> frozen) {
            state = frozen.within();
            frozen.over().countDown();
        }
    }

    /**
     * Another master of the group has the mount.
     *
     * @param end closes the mount, and is started if the slot has it
     * @return false if the slot does not have it
     */
    synchronized boolean left(M mount, Thread end) {
        if (!has(mount)) {
            return false;
        }
        end.start();
        become(new Left<>(end));
        return true;
    }

    /** The mount is opened anew; returns false if the slot does not have it. */
    synchronized boolean closed(M mount) {
        boolean had = has(mount);
        if (had) {
            become(new Closed<>());
        }
        return had;
    }

    /**
     * Another group has the mount.
     *
     * @param end closes the mount, and is started if the slot has it
     * @return false if the slot does not have it; it knows the other group nevertheless
     */
    synchronized boolean moved(M mount, MovedException to, Thread end) {
        if (state() instanceof Opening<M, R> opening) {
            become(new Opening<>(opening.progress(), new Moved<>(Optional.empty(), to)));
            return false;
        }
        boolean had = has(mount);
        if (had) {
            end.start();
        }
        become(new Moved<>(had ? Optional.of(end) : ending(), to));
        return had;
    }

    /** Another master took the mount over; returns false if the slot does not have it. */
    synchronized boolean lost(M mount) {
        boolean had = has(mount);
        if (had) {
            become(new Lost<>(mount));
        }
        return had;
    }

    /** The master stops. An opening that has not ended by then ends by itself. */
    synchronized void ended() {
        if (!(state() instanceof Opening)) {
            become(new Closed<>());
        }
    }

    private boolean has(M mount) {
        return state.served().filter(open -> open.mount().equals(mount)).isPresent();
    }

    private void become(State<M, R> next) {
        state = state instanceof Frozen<M, R> frozen ? new Frozen<>(next, frozen.over()) : next;
    }

    /** Waits while the mount is going to another group. */
    void awaitThaw() throws UnavailableException {
        Optional<CountDownLatch> over = over();
        try {
            if (over.isPresent() && !over.get().await(MOST_FROZEN_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new UnavailableException(
                        "mount %s goes to another group, and its store does not say yet who has it".formatted(id));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("interrupted", e);
        }
    }

    private Optional<CountDownLatch> over() {
        return state instanceof Frozen<M, R> frozen ? Optional.of(frozen.over()) : Optional.empty();
    }
}
