// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A run of threads of which one has the turn at a time. At each point where production code synchronizes, the seed decides whether
 * another thread has the next turn, and which. Time is virtual: it passes when no thread can run. All methods are called by the thread
 * that has the turn, so that no state needs a lock.
 */
public final class Schedule {
    /** The virtual time at the start, in milliseconds since 1970. */
    private static final long START_MILLIS = 1_700_000_000_000L;
    /** A call of a clock takes so long: loops over the time end. */
    private static final long CLOCK_NANOS = 1_000;

    private static final int MOST_HALTS = 1_000;
    private static final int STORY_LINES = 4_000;
    /** Real time in which a thread changes the turn, if it does not wait for something outside of the simulation. */
    private static final long REAL_PATIENCE_SECONDS = 30;

    /**
     * The terms of a run.
     *
     * @param seed of all decisions
     * @param meanPoints the mean number of synchronization points between two forced changes of the turn
     * @param mostSteps turns after which the run counts as stuck
     * @param recorded true for a run with records
     */
    public record Terms(long seed, int meanPoints, long mostSteps, boolean recorded) {}

    /** A line of the story. It is made a text only when it is asked for: few schedules have a reader. */
    private record Line(long nanos, String thread, String what) {
        private String text() {
            return "%,.3f ms %s: %s".formatted(nanos / 1e6, thread, what);
        }
    }

    /** Static fields outlive a schedule, so that no seed may determine them. */
    private static final Random OF_INITIALIZERS = new Random(1);

    private final Terms terms;
    private final ScheduleSites sites;
    private final Carriers carriers;
    private final AwaitedConditions conditions = new AwaitedConditions(this);
    private final Random random;
    private final List<SimulatedThread> ready = new ArrayList<>();
    private final Timers timers = new Timers();
    private final List<SimulatedThread> living = new ArrayList<>();
    private final Monitors monitors = new Monitors(this);
    private final ScheduleRecords records;
    private final Deque<Line> story = new ArrayDeque<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private @Nullable SimulatedThread running;
    private long nanos;
    private volatile long steps;
    private long trace = 0xcbf29ce484222325L;
    private int threads;
    private long untilChange;
    private boolean ending;
    private @Nullable Throwable failure;

    /**
     * @param sites which count what this schedule reaches
     * @param carriers of its threads
     */
    public Schedule(Terms terms, FaultSites sites, Carriers carriers) {
        this.terms = terms;
        this.sites = new ScheduleSites(this, sites, terms.seed());
        this.carriers = carriers;
        this.records = new ScheduleRecords(terms.recorded());
        this.random = new Random(terms.seed());
        drawChange();
    }

    /** Runs a task and the threads that it starts; returns after all of them have ended. Called by a thread outside of the run. */
    public void run(String name, Runnable task) throws InterruptedException {
        SimulatedThread first = new SimulatedThread(this, new Machine("control"), task, name);
        starting(first);
        next().resumeTurn();
        long before = -1;
        while (!over.await(REAL_PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            // A racy read: it only has to see that turns are taken.
            if (steps == before) {
                throw new StuckException("the thread that has the turn waits outside of the simulation:%n%s"
                        .formatted(ThreadStacks.of(List.copyOf(living))));
            }
            before = steps;
        }
    }

    /** Starts a thread of a machine. */
    public SimulatedThread start(Machine machine, String name, Runnable task) {
        SimulatedThread thread = thread(machine, name, task);
        thread.start();
        return thread;
    }

    /** Returns a thread of a machine that is not started. */
    public SimulatedThread thread(Machine machine, String name, Runnable task) {
        return new SimulatedThread(this, machine, task, name);
    }

    /** Returns the schedule of the calling thread. */
    public static Schedule current() {
        return SimulatedThread.current()
                .flatMap(SimulatedThread::scheduleIfAny)
                .orElseThrow(() -> new IllegalStateException("this thread is not simulated"));
    }

    /** Returns the source of decisions. Its use by a fault or a workload is part of what a seed replays. */
    public Random random() {
        return running != null && running.initializers > 0 ? OF_INITIALIZERS : random;
    }

    /** Returns the seed of all decisions. */
    public long seed() {
        return terms.seed();
    }

    /** Returns the nanoseconds of virtual time since the start. */
    public long nanos() {
        return nanos;
    }

    /** Returns the changes of the turn so far. */
    public long steps() {
        return steps;
    }

    /** Returns a checksum of all turns and notes; runs of one seed have one. */
    public long trace() {
        return trace;
    }

    /** Returns what ended the run early. */
    public Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /** Returns the last notes of the run. */
    public List<String> story() {
        return story.stream().map(Line::text).toList();
    }

    /** Returns the records for checkers. */
    public ScheduleRecords records() {
        return records;
    }

    /** Returns the name of the machine whose thread has the turn. */
    public String machine() {
        return me().machine().toString();
    }

    /** Notes an event of the run, for the story of a failure and for the comparison of runs. */
    public void note(String what) {
        mix(what.hashCode());
        tell(what);
    }

    /** Adds an event to the story only. */
    void tell(String what) {
        story.add(new Line(nanos, me().getName(), what));
        if (story.size() > STORY_LINES) {
            Line unused = story.remove();
        }
    }

    /** Returns the sites that this schedule reaches. */
    public ScheduleSites sites() {
        return sites;
    }

    /** Returns the conditions for which threads wait. */
    public AwaitedConditions conditions() {
        return conditions;
    }

    Carriers carriers() {
        return carriers;
    }

    Monitors monitors() {
        return monitors;
    }

    SimulatedThread me() {
        if (running == null) {
            throw new IllegalStateException("no thread has the turn");
        }
        return running;
    }

    /** Returns the time of a monotonic clock. */
    long readNanos() {
        if (me().initializers == 0) {
            // A class is initialized in the first schedule of a process only. The turns after it must stay the same.
            nanos += CLOCK_NANOS;
        }
        return nanos;
    }

    /** Returns the wall clock of the caller's machine. */
    long readMillis() {
        return START_MILLIS + (readNanos() + me().machine().skewNanos()) / 1_000_000;
    }

    private void drawChange() {
        untilChange = 1 + (terms.meanPoints() <= 1 ? 0 : random.nextLong(2L * terms.meanPoints() - 1));
    }

    /** Lets another thread have the turn, if the seed says so. */
    void point() {
        SimulatedThread me = me();
        if (me.initializers > 0) {
            return;
        }
        checkHalt(me);
        if (--untilChange <= 0) {
            drawChange();
            yieldTurn();
        }
    }

    /** Lets any thread that can run have the turn, perhaps the caller. */
    void yieldTurn() {
        SimulatedThread me = me();
        checkHalt(me);
        ready(me);
        change(me);
    }

    void ready(SimulatedThread thread) {
        thread.state = SimulatedThread.State.READY;
        ready.add(thread);
    }

    /** Makes a waiting thread ready. */
    void wake(SimulatedThread thread) {
        if (thread.state == SimulatedThread.State.WAITING) {
            thread.wait++;
            ready(thread);
        }
    }

    /** Waits until another thread wakes the caller, or the time has passed; a negative time is without end. */
    void waitTurn(String why, long waitNanos) {
        SimulatedThread me = me();
        checkHalt(me);
        me.state = SimulatedThread.State.WAITING;
        me.why = why;
        if (waitNanos >= 0) {
            timers.add(saturated(waitNanos), me);
        }
        change(me);
    }

    /** Makes a waiting thread ready after a time, unless it was woken before. */
    void wakeAfter(SimulatedThread thread, long afterNanos) {
        timers.add(saturated(afterNanos), thread);
    }

    private long saturated(long waitNanos) {
        return waitNanos > Long.MAX_VALUE - nanos ? Long.MAX_VALUE : nanos + waitNanos;
    }

    private void change(SimulatedThread me) {
        SimulatedThread next = next();
        if (next != me) {
            next.resumeTurn();
            me.awaitTurn();
        }
        checkHalt(me);
    }

    private SimulatedThread next() {
        long taken = steps + 1;
        steps = taken;
        if (taken > terms.mostSteps() && !ending) {
            end(new StuckException("after %d turns:%n%s".formatted(steps, ThreadStacks.of(living))));
        }
        timers.take(nanos, this::wake);
        while (ready.isEmpty()) {
            long first = timers.first();
            if (first < 0) {
                end(new StuckException("no thread can go on:%n%s".formatted(ThreadStacks.of(living))));
            } else {
                nanos = Math.max(nanos, first);
                timers.take(nanos, this::wake);
            }
        }
        int drawn = ready.size() == 1 ? 0 : random.nextInt(ready.size());
        SimulatedThread next = ready.get(drawn);
        SimulatedThread last = ready.remove(ready.size() - 1);
        if (last != next) {
            ready.set(drawn, last);
        }
        next.state = SimulatedThread.State.RUNNING;
        running = next;
        mix(next.number);
        mix(nanos);
        return next;
    }

    private void mix(long value) {
        trace = (trace ^ value) * 0x100000001b3L;
    }

    void starting(SimulatedThread thread) {
        thread.number = threads++;
        living.add(thread);
        thread.halting = ending || thread.machine().hasFailed();
        ready(thread);
    }

    void died(SimulatedThread thread, Throwable e) {
        if (!thread.halting) {
            note("died: " + e);
            end(e);
        }
    }

    void ended(SimulatedThread thread) {
        thread.leaveCarrier();
        next(thread);
    }

    /** Lets the next thread have the turn of one that has ended. */
    private void next(SimulatedThread thread) {
        thread.state = SimulatedThread.State.ENDED;
        living.remove(thread);
        monitors.forget(thread);
        thread.joiners.forEach(this::wake);
        if (thread.number == 0) {
            end(null);
        }
        if (living.isEmpty()) {
            running = null;
            over.countDown();
        } else {
            next().resumeTurn();
        }
    }

    /** Ends the run: each thread ends at its next point. */
    public void end(@Nullable Throwable why) {
        if (failure == null && !ending) {
            failure = why;
        }
        ending = true;
        living.forEach(this::halt);
    }

    /** Fails a machine: its threads do nothing more. */
    public void fail(Machine machine) {
        machine.fail();
        sites.ended(living.stream().filter(thread -> thread.machine() == machine && thread != running));
        living.stream().filter(thread -> thread.machine() == machine).forEach(this::halt);
    }

    private void halt(SimulatedThread thread) {
        thread.halting = true;
        wake(thread);
    }

    /** Ends the caller if it must end. One that catches the error again and again sleeps for ever. */
    void checkHalt(SimulatedThread me) {
        if (me.halting && me.state != SimulatedThread.State.ENDED) {
            if (++me.halts > MOST_HALTS) {
                next(me);
                while (true) {
                    LockSupport.park(this);
                }
            }
            throw new HaltedError();
        }
    }

    void interrupt(SimulatedThread thread) {
        thread.interruptedFlag = true;
        wake(thread);
        point();
    }
}
