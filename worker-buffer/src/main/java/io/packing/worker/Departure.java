package io.packing.worker;

import io.packing.worker.api.LeavingException;
import java.io.IOException;

/**
 * Whether a mount's worker stays, leaves or has left, and how many files are being written to it meanwhile. While it leaves it takes no
 * small files, which their clients give to another worker; large ones are taken until it has left, since their clients cannot send what they
 * have sent again. Thread-safe.
 */
final class Departure {
    private enum State {
        STAYS,
        LEAVES,
        LEFT
    }

    private final String worker;
    private State state = State.STAYS;
    private long writers;

    Departure(String worker) {
        this.worker = worker;
    }

    /** A file begins; {@link #end} must follow. */
    synchronized void begin() throws IOException {
        if (state != State.STAYS) {
            throw new LeavingException(
                    "worker %s takes no new files, since it was told to leave (packing drain); another worker of the mount takes them"
                            .formatted(worker));
        }
        writers++;
    }

    /** A file begins that its client could not give to another worker; {@link #end} must follow. */
    synchronized void beginLarge() throws IOException {
        if (state == State.LEFT) {
            throw new LeavingException("worker %s has left; write the file again".formatted(worker));
        }
        writers++;
    }

    /** A file is written, or given up. */
    synchronized void end() {
        writers--;
    }

    /** Takes no new files from now on. */
    synchronized void leave() {
        if (state == State.STAYS) {
            state = State.LEAVES;
        }
    }

    synchronized boolean hasLeft() {
        return state == State.LEFT;
    }

    /** Whether nothing is being written while it leaves. */
    synchronized boolean isQuiet() {
        return state == State.LEAVES && writers == 0;
    }

    /** It has left, unless somebody began to write since it was quiet. */
    synchronized void leftIfQuiet() {
        if (isQuiet()) {
            state = State.LEFT;
        }
    }
}
