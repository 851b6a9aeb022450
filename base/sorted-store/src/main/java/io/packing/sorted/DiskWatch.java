package io.packing.sorted;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Suspends LevelDB's background work while a disk is almost full. Reads start compactions as well as writes do, and a
 * compaction that meets a full disk is a SIGBUS: refusing writes is not enough when others fill the disk. Suspended, LevelDB
 * writes nothing, reads go on however full the disk becomes, and writes of all stores are refused, because one that fills a
 * memory table would wait for the background thread, of which LevelDB has one in a process.
 *
 * <p>A suspension waits for the job under way. When the disk fills up meanwhile, the stores' reserves are given up for it.
 * Thread-safe.
 */
final class DiskWatch {
    private static final Logger LOG = LoggerFactory.getLogger(DiskWatch.class);
    /** Between two looks at a disk that is almost full, or may be soon. */
    private static final long SHORTEST_NANOS = 10_000_000;
    /** Between two looks at a disk with plenty of space: a thread that wakes often slows what else the machine runs. */
    private static final long LONGEST_NANOS = 500_000_000;
    /** Bytes do not come faster than by 10 GB in a second. */
    private static final long FASTEST_BYTES_PER_NANO = 10;

    /** The part of what is kept that is free when a reserve is given up: late, because others take it as well. */
    private static final int RELEASE_BELOW = 4;

    /** One per process, as LevelDB's background thread. */
    static final DiskWatch PROCESS = new DiskWatch();

    /** A store that is watched. */
    interface Member {
        DiskGuard guard();

        /** Returns when no write that began before is under way. */
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

    /** What closes an engine. */
    interface Closing {
        void close() throws IOException;
    }

    private final List<Member> members = new ArrayList<>();
    private State state = State.RUNNING;
    /** By which the background work is suspended. */
    private @Nullable Member holder;
    /** Engines that are being closed, which wait for background work. */
    private int closing;

    private @Nullable Thread watching;
    /** Until the next look. */
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

    /** Closes a member's engine while the background works: its end waits for that. */
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
        // There may be space by now.
        step();
        String why = refusing;
        if (why != null) {
            throw new DiskFullException(why);
        }
    }

    /** How long the watch waits until its next look. */
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
                // Stores that nobody watches are worse than a step that is tried again.
                if (!failed.equals(e.toString())) {
                    failed = e.toString();
                    LOG.error("the disks of the stores could not be looked at; tried again", e);
                    tell(e);
                }
            }
        }
    }

    /** Tells the handler of uncaught exceptions, which may end the process; this thread goes on. */
    private static void tell(Throwable failure) {
        if (failure instanceof Error) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
        }
    }

    /** Whether there is still a store to be watched. */
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

    /** A reserve may not be the reason why anybody else has too little: it grows while there is plenty. */
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
