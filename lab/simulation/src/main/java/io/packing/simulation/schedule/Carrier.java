// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A real thread on which simulated threads run, one after another. */
final class Carrier extends Thread {
    /** Written and read only by threads that have the turn, and by this one when it has it. */
    private @Nullable SimulatedThread mounted;

    private volatile boolean turn;

    Carrier(int number) {
        super("carrier-" + number);
        setDaemon(true);
    }

    /** Returns the simulated thread that runs here. */
    @Nullable
    SimulatedThread mounted() {
        return mounted;
    }

    /** Lets a simulated thread run here in its next turns. */
    void mount(@Nullable SimulatedThread thread) {
        mounted = thread;
    }

    /** Gives the turn to this thread. */
    void resumeTurn() {
        turn = true;
        LockSupport.unpark(this);
    }

    /** Waits, in real time, for the next turn. The thread's real interrupt flag is never set: parking blocks. */
    void awaitTurn() {
        while (!turn) {
            LockSupport.park(this);
        }
        turn = false;
    }

    @Override
    public void run() {
        while (true) {
            awaitTurn();
            carry();
        }
    }

    /** Runs the mounted thread. Another one may be mounted as soon as it has ended, so that nothing is asked of it then. */
    private void carry() {
        Objects.requireNonNull(mounted).carried();
    }
}
