// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.packing.worker.api.LeavingException;
import java.io.IOException;

/**
 * The state of a worker that stays in a mount, leaves it or has left, and the number of files that clients write to it.
 * A leaving worker refuses small files, and their clients give them to another worker. It takes large ones until it has
 * left, since their clients cannot send those bytes a second time. Thread-safe.
 */
final class DrainState {
    private enum State {
        STAYS,
        LEAVES,
        LEFT
    }

    private final String worker;
    private State state = State.STAYS;
    private long writers;

    DrainState(String worker) {
        this.worker = worker;
    }

    /** Counts a file that a client begins to write; {@link #end} must follow. */
    synchronized void begin() throws IOException {
        if (state != State.STAYS) {
            throw new LeavingException(
                    "worker %s takes no new files, since it leaves (packing drain); another worker of the mount takes them"
                            .formatted(worker));
        }
        writers++;
    }

    /** Counts a file that its client cannot give to another worker; {@link #end} must follow. */
    synchronized void beginLarge() throws IOException {
        if (state == State.LEFT) {
            throw new LeavingException("worker %s has left; write the file again".formatted(worker));
        }
        writers++;
    }

    /** Counts off a file that is written or given up. */
    synchronized void end() {
        writers--;
    }

    /** Refuses new small files from now on. */
    synchronized void leave() {
        if (state == State.STAYS) {
            state = State.LEAVES;
        }
    }

    synchronized boolean hasLeft() {
        return state == State.LEFT;
    }

    /** Returns whether the worker leaves and no client writes a file to it. */
    synchronized boolean isQuiet() {
        return state == State.LEAVES && writers == 0;
    }

    /** Notes that the worker has left, unless a client began to write a file since it was quiet. */
    synchronized void leftIfQuiet() {
        if (isQuiet()) {
            state = State.LEFT;
        }
    }
}
