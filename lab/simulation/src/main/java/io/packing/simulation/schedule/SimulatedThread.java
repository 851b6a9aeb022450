// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs only in its turns. Production's {@code new Thread} makes one inside a simulation. Its state belongs to the thread
 * that has the turn.
 */
public class SimulatedThread extends Thread {
    /** The first id of simulated threads: real threads have smaller ones. */
    private static final long FIRST_ID = 1L << 32;

    enum State {
        NEW,
        READY,
        RUNNING,
        WAITING,
        ENDED
    }

    private final @Nullable Schedule schedule;
    private final Machine machine;
    /** The real thread of this one from its first turn until its end. */
    private @Nullable Carrier carrier;
    /** The values of thread-local variables. */
    private @Nullable IdentityHashMap<ThreadLocal<?>, @Nullable Object> locals;

    final List<SimulatedThread> joiners = new ArrayList<>();
    State state = State.NEW;
    int number;
    /** The permit of {@link LockSupport}. */
    boolean permit;

    boolean interruptedFlag;
    boolean halting;
    int halts;
    /** ScheduleCounts waits, so that the timer of an earlier one is known to be stale. */
    long wait;
    /** The last site to which the thread has come. */
    int site = FaultSites.NONE;
    /** The reason of the wait, for a story. */
    String why = "";
    /** The depth of class initializers, in which no other thread may run: it could need the class. */
    int initializers;

    public SimulatedThread() {
        this(null, null, "simulated", 0);
    }

    public SimulatedThread(Runnable task) {
        this(null, task, "simulated", 0);
    }

    public SimulatedThread(String name) {
        this(null, null, name, 0);
    }

    public SimulatedThread(Runnable task, String name) {
        this(null, task, name, 0);
    }

    public SimulatedThread(@Nullable ThreadGroup group, Runnable task) {
        this(group, task, "simulated", 0);
    }

    public SimulatedThread(@Nullable ThreadGroup group, Runnable task, String name) {
        this(group, task, name, 0);
    }

    public SimulatedThread(@Nullable ThreadGroup group, @Nullable Runnable task, String name, long stackSize) {
        super(group, task, name, stackSize);
        SimulatedThread parent = current().orElse(null);
        this.schedule = parent == null ? null : parent.schedule;
        this.machine = parent == null ? new Machine("none") : parent.machine;
    }

    SimulatedThread(Schedule schedule, Machine machine, Runnable task, String name) {
        super(null, task, name, 0);
        this.schedule = schedule;
        this.machine = machine;
    }

    /** Returns the caller's thread; null for one that is not simulated. Each point of a schedule asks. */
    static @Nullable SimulatedThread running() {
        Thread real = Thread.currentThread();
        if (real instanceof Carrier carrier) {
            return carrier.mounted();
        }
        return real instanceof SimulatedThread outside ? outside : null;
    }

    /** Returns the caller's thread, if it is simulated. */
    static Optional<SimulatedThread> current() {
        return Optional.ofNullable(running());
    }

    Schedule schedule() {
        if (schedule == null) {
            throw new IllegalStateException(getName() + " was made outside of a simulation");
        }
        return schedule;
    }

    /** Returns true if the thread is one of a schedule. */
    boolean isInSchedule() {
        return schedule != null;
    }

    Optional<Schedule> scheduleIfAny() {
        return Optional.ofNullable(schedule);
    }

    /** Returns the machine of which this thread is. */
    public Machine machine() {
        return machine;
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // One thread runs at a time.
    public void start() {
        if (schedule == null) {
            super.start();
            return;
        }
        if (state != State.NEW) {
            throw new IllegalThreadStateException(getName());
        }
        schedule.starting(this);
        schedule.point();
    }

    /** Runs on a carrier, from the first turn to the end. */
    void carried() {
        Schedule of = schedule();
        try {
            of.checkHalt(this);
            super.run();
        } catch (HaltedError e) {
            // The thread ends here.
        } catch (Throwable e) {
            of.died(this, e);
        } finally {
            of.ended(this);
        }
    }

    /** Gives the turn to this thread. */
    void resumeTurn() {
        Carrier real = carrier;
        if (real == null) {
            real = schedule().carriers().take(this);
            carrier = real;
        }
        real.resumeTurn();
    }

    /** Waits, in real time, for the next turn. */
    void awaitTurn() {
        Objects.requireNonNull(carrier).awaitTurn();
    }

    /** Gives the carrier up. */
    void leaveCarrier() {
        Carrier left = Objects.requireNonNull(carrier);
        carrier = null;
        schedule().carriers().put(left);
    }

    /** Returns the values of thread-local variables. */
    IdentityHashMap<ThreadLocal<?>, @Nullable Object> locals() {
        IdentityHashMap<ThreadLocal<?>, @Nullable Object> all = locals;
        if (all == null) {
            all = new IdentityHashMap<>();
            locals = all;
        }
        return all;
    }

    @Override
    public StackTraceElement[] getStackTrace() {
        Carrier real = carrier;
        if (schedule == null) {
            return super.getStackTrace();
        }
        return real == null ? new StackTraceElement[0] : real.getStackTrace();
    }

    /** Returns a number that is equal in all runs of a seed. */
    @Override
    public long getId() {
        return schedule == null ? super.getId() : FIRST_ID + number;
    }

    @Override
    public void interrupt() {
        if (schedule == null) {
            super.interrupt();
        } else {
            schedule.interrupt(this);
        }
    }

    @Override
    public boolean isInterrupted() {
        return schedule == null ? super.isInterrupted() : interruptedFlag;
    }
}
