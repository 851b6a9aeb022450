package io.packing.bdt;

/**
 * Who a worker is and where it serves.
 *
 * @param worker identifier, unique in the mount and stable over restarts; it becomes part of blob names
 * @param address {@code host:port} of the worker's peer server
 * @param buffer tells the worker's buffer directory from every other; empty: not known
 * @param takesOver whether a session of the same worker and buffer directory is replaced though it counts as alive: only one
 *     process has a directory, so the older one has ended
 * @param previous epoch of the session that the same process had until now; 0: it had none
 */
public record WorkerRegistration(String worker, String address, String buffer, boolean takesOver, long previous) {
    public WorkerRegistration {
        if (previous < 0) {
            throw new IllegalArgumentException("bad epoch %d of the session before".formatted(previous));
        }
        if (!worker.matches("[A-Za-z0-9._-]{1,128}")) {
            throw new IllegalArgumentException("bad worker id '%s'".formatted(worker));
        }
        if (!buffer.matches("[A-Za-z0-9-]{0,64}")) {
            throw new IllegalArgumentException("bad name of a buffer directory '%s'".formatted(buffer));
        }
    }

    /** One of a process that begins. */
    public WorkerRegistration(String worker, String address, String buffer, boolean takesOver) {
        this(worker, address, buffer, takesOver, 0);
    }

    /** Registers a process that does not say which buffer directory it has. */
    public WorkerRegistration(String worker, String address) {
        this(worker, address, "", true);
    }

    /** Returns this registration as one that waits while another process with the id is alive. */
    public WorkerRegistration waiting() {
        return new WorkerRegistration(worker, address, buffer, false, previous);
    }

    /** The next one of a process that had a session. */
    public WorkerRegistration after(long epoch) {
        return new WorkerRegistration(worker, address, buffer, takesOver, epoch);
    }
}
