// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The methods that simulated code calls in place of those of the JDK which wait, tell the time, or draw random numbers. Called outside
 * of a simulation, they are the JDK's. {@code Relinker} has the list of the calls that it replaces.
 */
public final class SimulatedJdk {
    private SimulatedJdk() {}

    static Optional<Schedule> schedule() {
        return SimulatedThread.current().flatMap(SimulatedThread::scheduleIfAny);
    }

    /** Lets another thread have the turn, if the seed says so. */
    public static void point() {
        SimulatedThread me = SimulatedThread.running();
        if (me != null && me.isInSchedule()) {
            me.schedule().point();
        }
    }

    /** Notes that the caller comes to a site of production. */
    public static void site(int number) {
        SimulatedThread me = SimulatedThread.running();
        if (me != null && me.isInSchedule()) {
            me.schedule().sites().reach(number);
        }
    }

    public static void beginInitializer() {
        SimulatedThread.current().ifPresent(me -> me.initializers++);
    }

    public static void endInitializer() {
        SimulatedThread.current().ifPresent(me -> me.initializers--);
    }

    /** Enters the monitor of an object. */
    public static void enter(Object object) {
        SimulatedThread me = SimulatedThread.running();
        if (me != null && me.isInSchedule()) {
            me.schedule().monitors().enter(object);
        }
    }

    /** Enters a monitor where no point may be: a hash that is an address may determine whether a map enters one. */
    public static void enterQuietly(Object object) {
        SimulatedThread me = SimulatedThread.running();
        if (me != null && me.isInSchedule()) {
            me.schedule().monitors().enterQuietly(object);
        }
    }

    public static void exit(Object object) {
        SimulatedThread me = SimulatedThread.running();
        if (me != null && me.isInSchedule()) {
            me.schedule().monitors().exit(object);
        }
    }

    public static void await(Object object) throws InterruptedException {
        Schedule.current().monitors().await(object, -1);
    }

    public static void await(Object object, long millis) throws InterruptedException {
        Schedule.current().monitors().await(object, millis == 0 ? -1 : TimeUnit.MILLISECONDS.toNanos(millis));
    }

    public static void await(Object object, long millis, int nanos) throws InterruptedException {
        Schedule.current().monitors().await(object, TimeUnit.MILLISECONDS.toNanos(millis) + nanos);
    }

    public static void signal(Object object) {
        Schedule.current().monitors().signal(object, false);
    }

    public static void signalAll(Object object) {
        Schedule.current().monitors().signal(object, true);
    }

    public static void sleep(long millis) throws InterruptedException {
        sleepNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    public static void sleep(long millis, int nanos) throws InterruptedException {
        sleepNanos(TimeUnit.MILLISECONDS.toNanos(millis) + nanos);
    }

    public static void sleep(TimeUnit unit, long time) throws InterruptedException {
        sleepNanos(unit.toNanos(time));
    }

    private static void sleepNanos(long nanos) throws InterruptedException {
        Schedule schedule = Schedule.current();
        throwIfInterrupted();
        long until = schedule.nanos() + nanos;
        while (schedule.nanos() < until) {
            schedule.waitTurn("asleep", until - schedule.nanos());
            throwIfInterrupted();
        }
    }

    public static void yieldThread() {
        Schedule.current().yieldTurn();
    }

    public static void join(Thread thread) throws InterruptedException {
        join(thread, 0);
    }

    public static void join(Thread thread, long millis, int nanos) throws InterruptedException {
        join(thread, millis + (nanos > 0 ? 1 : 0));
    }

    /** Waits for the end of a thread, or so many milliseconds; 0 is without end. */
    public static void join(Thread thread, long millis) throws InterruptedException {
        if (!(thread instanceof SimulatedThread other)) {
            thread.join(millis);
            return;
        }
        Schedule schedule = Schedule.current();
        SimulatedThread me = schedule.me();
        long until = schedule.nanos() + TimeUnit.MILLISECONDS.toNanos(millis);
        throwIfInterrupted();
        while (isAlive(other) && (millis == 0 || schedule.nanos() < until)) {
            other.joiners.add(me);
            try {
                schedule.waitTurn("for the end of " + other.getName(), millis == 0 ? -1 : until - schedule.nanos());
            } finally {
                other.joiners.remove(me);
            }
            throwIfInterrupted();
        }
    }

    public static boolean isAlive(Thread thread) {
        if (thread instanceof SimulatedThread simulated) {
            return simulated.state != SimulatedThread.State.NEW && simulated.state != SimulatedThread.State.ENDED;
        }
        return thread.isAlive();
    }

    /** Returns and clears the caller's interrupt flag. */
    public static boolean interrupted() {
        Optional<SimulatedThread> me = SimulatedThread.current();
        if (me.isEmpty()) {
            return Thread.interrupted();
        }
        boolean was = me.get().interruptedFlag;
        me.get().interruptedFlag = false;
        return was;
    }

    private static void throwIfInterrupted() throws InterruptedException {
        if (interrupted()) {
            throw new InterruptedException();
        }
    }

    public static long nanoTime() {
        return schedule().map(Schedule::readNanos).orElseGet(System::nanoTime);
    }

    public static long currentTimeMillis() {
        return schedule().map(Schedule::readMillis).orElseGet(Clock.systemUTC()::millis);
    }

    public static Instant now() {
        return Instant.ofEpochMilli(currentTimeMillis());
    }

    public static Clock systemUtc() {
        return new VirtualClock();
    }

    private static final class VirtualClock extends Clock {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException("a simulated clock has UTC only");
        }

        @Override
        public long millis() {
            return currentTimeMillis();
        }

        @Override
        public Instant instant() {
            return now();
        }
    }

    /** Returns the thread that the caller is to production. */
    public static Thread currentThread() {
        SimulatedThread me = SimulatedThread.running();
        return me == null ? Thread.currentThread() : me;
    }

    /** Returns a variable of each thread. */
    public static <T> ThreadLocal<T> threadLocal(Supplier<? extends T> first) {
        return new SimulatedThreadLocal<>(first);
    }

    public static ByteBuffer allocateDirect(int bytes) {
        return LargeBuffers.allocateDirect(bytes);
    }

    public static UUID randomUuid() {
        return schedule()
                .map(schedule ->
                        new UUID(schedule.random().nextLong(), schedule.random().nextLong()))
                .orElseGet(UUID::randomUUID);
    }

    /** Returns a pool that starts a simulated thread for each task. */
    public static ForkJoinPool commonPool() {
        return SimulatedCommonPool.ONLY;
    }

    /** Returns the parallelism of the common pool: with one, a {@code CompletableFuture} starts a thread for each task. */
    public static int commonPoolParallelism() {
        return 1;
    }

    /** Returns the identity of the boot of the caller's machine. */
    public static String bootId() {
        return SimulatedThread.current().map(me -> me.machine().boot()).orElse("");
    }

    /** Returns the system properties of the caller's machine. */
    public static Properties systemProperties() {
        return SimulatedThread.current().map(me -> me.machine().properties()).orElseGet(System::getProperties);
    }

    public static int availableProcessors(Runtime runtime) {
        return 2;
    }
}
