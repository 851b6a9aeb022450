// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The place of {@link LockSupport} in a simulation. All classes of {@code java.util.concurrent} that block do so by these methods, and a
 * simulation links copies of those classes to them. Threads outside of a simulation get the real methods.
 */
public final class SimulatedLockSupport {
    private SimulatedLockSupport() {}

    public static void park() {
        park(-1);
    }

    public static void park(@Nullable Object blocker) {
        park(-1);
    }

    public static void parkNanos(long nanos) {
        if (nanos > 0) {
            park(nanos);
        }
    }

    public static void parkNanos(@Nullable Object blocker, long nanos) {
        parkNanos(nanos);
    }

    public static void parkUntil(@Nullable Object blocker, long deadline) {
        parkUntil(deadline);
    }

    public static void parkUntil(long deadline) {
        parkNanos(TimeUnit.MILLISECONDS.toNanos(deadline - SimulatedJdk.currentTimeMillis()));
    }

    private static void park(long nanos) {
        SimulatedThread me = SimulatedThread.running();
        if (me == null || !me.isInSchedule()) {
            parkOutside(nanos);
            return;
        }
        Schedule schedule = me.schedule();
        schedule.checkHalt(me);
        if (me.permit || me.interruptedFlag) {
            me.permit = false;
            schedule.point();
        } else {
            schedule.waitTurn("parked", nanos);
            me.permit = false;
        }
    }

    private static void parkOutside(long nanos) {
        if (nanos < 0) {
            LockSupport.park();
        } else {
            LockSupport.parkNanos(nanos);
        }
    }

    /** Makes a thread's park return, or its next one. */
    public static void unpark(@Nullable Thread thread) {
        if (!(thread instanceof SimulatedThread simulated)) {
            LockSupport.unpark(thread);
            return;
        }
        simulated.permit = true;
        SimulatedThread me = SimulatedThread.running();
        if (me != null && me.isInSchedule()) {
            Schedule schedule = me.schedule();
            if (simulated.why.equals("parked")) {
                schedule.wake(simulated);
            }
            schedule.point();
        }
    }

    public static void setCurrentBlocker(@Nullable Object blocker) {
        // Only tools that print stacks ask for it.
    }

    public static @Nullable Object getBlocker(Thread thread) {
        return null;
    }
}
