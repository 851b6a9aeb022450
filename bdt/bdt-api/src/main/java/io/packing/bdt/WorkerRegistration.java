// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

/**
 * The identity and the address of a worker.
 *
 * @param worker identifier, unique in the mount and stable over restarts; it becomes part of blob names
 * @param address {@code host:port} of the worker's peer server
 * @param buffer the identity of the worker's buffer directory; empty: not known
 * @param takesOver replaces a live session of this worker and buffer directory: only one process has a directory, so
 *     the older one has ended
 * @param previous session epoch of this process before; 0: it had none
 */
public record WorkerRegistration(String worker, String address, String buffer, boolean takesOver, long previous) {
    public WorkerRegistration {
        if (previous < 0) {
            throw new IllegalArgumentException("bad session epoch %d".formatted(previous));
        }
        if (!worker.matches("[A-Za-z0-9._-]{1,128}")) {
            throw new IllegalArgumentException("bad worker id '%s'".formatted(worker));
        }
        if (!buffer.matches("[A-Za-z0-9-]{0,64}")) {
            throw new IllegalArgumentException("bad name of a buffer directory '%s'".formatted(buffer));
        }
    }

    /** Makes the registration of a process that begins. */
    public WorkerRegistration(String worker, String address, String buffer, boolean takesOver) {
        this(worker, address, buffer, takesOver, 0);
    }

    /** Makes the registration of a process that does not name its buffer directory. */
    public WorkerRegistration(String worker, String address) {
        this(worker, address, "", true);
    }

    /** Returns this registration as one that waits while another process with the id is alive. */
    public WorkerRegistration waiting() {
        return new WorkerRegistration(worker, address, buffer, false, previous);
    }

    /** Returns the next registration of a process that had a session. */
    public WorkerRegistration after(long epoch) {
        return new WorkerRegistration(worker, address, buffer, takesOver, epoch);
    }
}
