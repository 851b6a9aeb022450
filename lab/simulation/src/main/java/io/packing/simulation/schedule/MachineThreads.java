// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The threads of a machine that answer messages. A message gives its thread the turn when it arrives, and not before: each turn takes real
 * time. An idle thread waits for the next message.
 */
public final class MachineThreads {
    /** A thread, and the task that it does next. */
    private final class Server implements Runnable {
        private Optional<Runnable> next;
        private final long delayNanos;
        private final SimulatedThread thread;

        private Server(Runnable first, long delayNanos) {
            this.next = Optional.of(first);
            this.delayNanos = delayNanos;
            this.thread = schedule.thread(machine, machine + "-call", this);
        }

        @Override
        public void run() {
            if (delayNanos > 0) {
                schedule.waitTurn("for a message", delayNanos);
            }
            while (true) {
                Runnable task = next.orElseThrow();
                next = Optional.empty();
                task.run();
                idle.add(this);
                while (next.isEmpty()) {
                    schedule.waitTurn("for a message", -1);
                }
            }
        }
    }

    private final Schedule schedule;
    private final Machine machine;
    private final Deque<Server> idle = new ArrayDeque<>();

    public MachineThreads(Schedule schedule, Machine machine) {
        this.schedule = schedule;
        this.machine = machine;
    }

    /** Does a task after a time, unless the machine fails before. */
    public void after(long nanos, Runnable task) {
        Server server = idle.pollLast();
        if (server == null) {
            new Server(task, nanos).thread.start();
            return;
        }
        server.next = Optional.of(task);
        schedule.wakeAfter(server.thread, nanos);
    }
}
