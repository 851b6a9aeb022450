// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The monitors of objects that simulated threads have entered, or wait for: {@code synchronized}, {@code wait} and {@code notify}. */
final class Monitors {
    private static final class Monitor {
        private @Nullable SimulatedThread owner;
        private int entered;
        private final List<SimulatedThread> entering = new ArrayList<>();
        private final List<SimulatedThread> waiting = new ArrayList<>();
    }

    private final Schedule schedule;
    private final IdentityHashMap<Object, Monitor> monitors = new IdentityHashMap<>();
    /** Monitors that no thread has or wants. Most are entered and left many times, without a contender. */
    private final ArrayDeque<Monitor> free = new ArrayDeque<>();

    Monitors(Schedule schedule) {
        this.schedule = schedule;
    }

    void enter(Object object) {
        schedule.point();
        acquire(object, 1);
    }

    void enterQuietly(Object object) {
        acquire(object, 1);
    }

    private void acquire(Object object, int times) {
        SimulatedThread me = schedule.me();
        Monitor monitor = monitors.get(object);
        if (monitor == null) {
            Monitor idle = free.poll();
            monitor = idle == null ? new Monitor() : idle;
            Monitor unused = monitors.put(object, monitor);
        }
        while (monitor.owner != null && monitor.owner != me) {
            monitor.entering.add(me);
            try {
                schedule.waitTurn("to enter a " + object.getClass().getSimpleName(), -1);
            } finally {
                monitor.entering.remove(me);
            }
        }
        monitor.owner = me;
        monitor.entered += times;
    }

    void exit(Object object) {
        Monitor monitor = monitors.get(object);
        SimulatedThread me = schedule.me();
        if (monitor == null || monitor.owner != me) {
            if (me.halting) {
                return;
            }
            throw new IllegalMonitorStateException("not the owner");
        }
        release(object, monitor, 1);
    }

    private void release(Object object, Monitor monitor, int times) {
        monitor.entered -= times;
        if (monitor.entered == 0) {
            monitor.owner = null;
            if (monitor.entering.isEmpty() && monitor.waiting.isEmpty()) {
                monitors.remove(object);
                free.push(monitor);
            } else {
                monitor.entering.forEach(schedule::wake);
            }
        }
    }

    private Monitor owned(Object object) {
        Monitor monitor = monitors.get(object);
        if (monitor == null || monitor.owner != schedule.me()) {
            throw new IllegalMonitorStateException("not the owner");
        }
        return monitor;
    }

    void await(Object object, long nanos) throws InterruptedException {
        Monitor monitor = owned(object);
        SimulatedThread me = schedule.me();
        throwIfInterrupted(me);
        int times = monitor.entered;
        monitor.waiting.add(me);
        release(object, monitor, times);
        try {
            schedule.waitTurn("for a notice of a " + object.getClass().getSimpleName(), nanos);
        } finally {
            monitor.waiting.remove(me);
        }
        // While this thread waited, the monitor may have been forgotten and made anew.
        acquire(object, times);
        throwIfInterrupted(me);
    }

    private static void throwIfInterrupted(SimulatedThread me) throws InterruptedException {
        if (me.interruptedFlag) {
            me.interruptedFlag = false;
            throw new InterruptedException();
        }
    }

    void signal(Object object, boolean all) {
        Monitor monitor = owned(object);
        if (all) {
            List.copyOf(monitor.waiting).forEach(this::signalled);
            monitor.waiting.clear();
        } else if (!monitor.waiting.isEmpty()) {
            signalled(monitor.waiting.remove(schedule.random().nextInt(monitor.waiting.size())));
        }
    }

    private void signalled(SimulatedThread thread) {
        schedule.wake(thread);
    }

    /** Gives up the monitors of an ended thread. */
    void forget(SimulatedThread thread) {
        List<SimulatedThread> entering = new ArrayList<>();
        monitors.values().forEach(monitor -> {
            if (monitor.owner == thread) {
                monitor.owner = null;
                monitor.entered = 0;
                entering.addAll(monitor.entering);
            }
        });
        // The map has no order that a seed determines.
        entering.sort(Comparator.comparingInt(each -> each.number));
        entering.forEach(schedule::wake);
    }
}
