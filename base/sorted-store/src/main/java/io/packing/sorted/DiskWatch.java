// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch that suspends LevelDB's background work while a disk is almost full. Reads start compactions as well as
 * writes do, and a compaction on a full disk is a SIGBUS. So refusing writes is not enough when other processes fill
 * the disk. A suspended LevelDB writes no byte, and reads go on even on a full disk. The watch refuses writes of all
 * stores: one that fills a memory table would wait for the background thread, of which LevelDB has one in a process.
 *
 * <p>A suspension waits for the job under way. When the disk fills up meanwhile, the stores give up their reserves for
 * it. Thread-safe.
 */
final class DiskWatch {
    private static final Logger LOG = LoggerFactory.getLogger(DiskWatch.class);
    /** The pause between looks at a disk that is almost full, or may be soon. */
    private static final long SHORTEST_NANOS = 10_000_000;
    /**
     * The pause between looks at a disk with plenty of space: a thread that wakes often slows other programs of the
     * machine.
     */
    private static final long LONGEST_NANOS = 500_000_000;
    /** The fastest fill of a disk: 10 GB in a second. */
    private static final long FASTEST_BYTES_PER_NANO = 10;

    /** The part of the kept space below which a reserve is given up: late, because other processes take it as well. */
    private static final int RELEASE_BELOW = 4;

    /** The watch of the process, one like LevelDB's background thread. */
    static final DiskWatch PROCESS = new DiskWatch();

    /** A watched store. */
    interface Member {
        DiskGuard guard();

        /** Returns when no earlier write is under way. */
        void awaitWrites();

        /** Returns when no store of the process works in the background any more. */
        void suspend() throws InterruptedException;

        void resume();
    }

    private enum State {
        RUNNING,
        SUSPENDING,
        SUSPENDED
    }

    /** The close of an engine. */
    interface Closing {
        void close() throws IOException;
    }

    private final List<Member> members = new ArrayList<>();
    private State state = State.RUNNING;
    /** The member that suspended the background work. */
    private @Nullable Member holder;
    /** The number of engines in a close, which wait for background work. */
    private int closing;

    private @Nullable Thread watching;
    /** The time until the next look. */
    private long pause = SHORTEST_NANOS;

    private volatile @Nullable String refusing;

    synchronized void join(Member member) {
        members.add(member);
        pause = SHORTEST_NANOS;
        notifyAll();
        if (watching == null && member.guard().keptFreeBytes() > 0) {
            Thread thread = new Thread(this::watch, "sorted-store-disk-watch");
            thread.setDaemon(true);
            watching = thread;
            thread.start();
        }
    }

    /** Closes a member's engine while the background works, since its end waits for that. */
    void leave(Member member, Closing engine) throws IOException {
        synchronized (this) {
            boolean interrupted = false;
            while (state == State.SUSPENDING) {
                try {
                    TimeUnit.NANOSECONDS.timedWait(this, SHORTEST_NANOS);
                } catch (InterruptedException e) {
                    // The engine must be closed all the same.
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            members.remove(member);
            closing++;
            if (state == State.SUSPENDED) {
                release(member);
                resume();
            } else if (isLow(member)) {
                release(member);
            }
        }
        try {
            engine.close();
        } finally {
            synchronized (this) {
                closing--;
                notifyAll();
            }
        }
    }

    /** Refuses a write while the background work is suspended. */
    void checkWrite() throws DiskFullException {
        if (refusing == null) {
            return;
        }
        // The disk may have space by now.
        step();
        String why = refusing;
        if (why != null) {
            throw new DiskFullException(why);
        }
    }

    /** Returns the time until the next look. */
    synchronized long pauseNanos() {
        return pause;
    }

    synchronized boolean isSuspended() {
        return state == State.SUSPENDED;
    }

    private void watch() {
        String failed = "";
        while (awaitNextLook()) {
            try {
                step();
                failed = "";
            } catch (RuntimeException | Error e) {
                // Unwatched stores are worse than another try of the step.
                if (!failed.equals(e.toString())) {
                    failed = e.toString();
                    LOG.error("the disks of the stores could not be looked at; tried again", e);
                    tell(e);
                }
            }
        }
    }

    /** Passes an error to the handler of uncaught exceptions, which may end the process; this thread goes on. */
    private static void tell(Throwable failure) {
        if (failure instanceof Error) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
        }
    }

    /** Waits for the next look; returns true if a store is left to watch. */
    @SuppressWarnings("WaitNotInLoop") // The caller's loop looks again.
    private synchronized boolean awaitNextLook() {
        try {
            if (!members.isEmpty()) {
                TimeUnit.NANOSECONDS.timedWait(this, pause);
            }
        } catch (InterruptedException e) {
            LOG.debug("the disk watch is not to be interrupted", e);
        }
        if (members.isEmpty()) {
            watching = null;
        }
        return watching != null;
    }

    /** Looks at every disk once. */
    synchronized void step() {
        boolean enough = true;
        boolean plenty = true;
        long left = Long.MAX_VALUE;
        for (Member member : List.copyOf(members)) {
            DiskGuard guard = member.guard();
            long kept = guard.keptFreeBytes();
            if (kept == 0) {
                continue;
            }
            try {
                long usable = guard.usableBytes();
                long free = guard.freeBytes();
                enough &= usable >= kept;
                plenty &= free >= 2 * kept;
                left = Math.min(left, usable - kept);
                if (usable < kept && state == State.RUNNING && closing == 0) {
                    suspend("%s: %s".formatted(guard.directory(), guard.toFree(usable, 0)));
                }
                if (free < kept / RELEASE_BELOW && state != State.SUSPENDED) {
                    release(member);
                }
            } catch (IOException e) {
                enough = false;
                left = 0;
                LOG.debug("{}: its disk cannot be looked at", guard.directory(), e);
            }
        }
        pause = Math.max(SHORTEST_NANOS, Math.min(LONGEST_NANOS, left / FASTEST_BYTES_PER_NANO));
        if (enough && state == State.SUSPENDED) {
            resume();
        }
        if (plenty) {
            members.forEach(DiskWatch::grow);
        }
    }

    /** Lets a reserve grow while the disk has plenty: it must not be the reason why another program has too little. */
    private static void grow(Member member) {
        try {
            member.guard().reserve().grow();
        } catch (IOException e) {
            LOG.debug("{}: its reserve cannot grow", member.guard().directory(), e);
        }
    }

    private static boolean isLow(Member member) {
        try {
            return member.guard().usableBytes() < member.guard().keptFreeBytes();
        } catch (IOException e) {
            return true;
        }
    }

    private void suspend(String why) {
        state = State.SUSPENDING;
        refusing = why;
        List<Member> all = List.copyOf(members);
        Thread thread = new Thread(() -> suspend(all), "sorted-store-suspend");
        thread.setDaemon(true);
        thread.start();
        LOG.warn("{}; until then stores of this process are read only", why);
    }

    private void suspend(List<Member> all) {
        State reached = State.RUNNING;
        try {
            all.forEach(Member::awaitWrites);
            all.get(0).suspend();
            reached = State.SUSPENDED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            synchronized (this) {
                state = reached;
                holder = all.get(0);
                refusing = reached == State.SUSPENDED ? refusing : null;
                notifyAll();
            }
        }
    }

    private void resume() {
        if (holder != null) {
            holder.resume();
        }
        holder = null;
        state = State.RUNNING;
        refusing = null;
        LOG.info("the stores of this process write again");
    }

    private static void release(Member member) {
        try {
            long bytes = member.guard().reserve().release();
            if (bytes > 0) {
                LOG.warn("{}: gives up its reserve of {} bytes", member.guard().directory(), bytes);
            }
        } catch (IOException e) {
            LOG.warn("{}: its reserve cannot be given up", member.guard().directory(), e);
        }
    }
}
