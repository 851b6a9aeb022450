// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

/** A release of a lock by a thread that does not have it. A thread that ends has lost its locks, and so goes on to end. */
public final class SimulatedMonitorException extends IllegalMonitorStateException {
    private static final long serialVersionUID = 1;

    public SimulatedMonitorException() {
        SimulatedThread.current()
                .flatMap(SimulatedThread::scheduleIfAny)
                .ifPresent(schedule -> schedule.checkHalt(schedule.me()));
    }
}
