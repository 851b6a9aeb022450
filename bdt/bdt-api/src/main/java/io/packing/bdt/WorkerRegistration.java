package io.packing.bdt;

/**
 * Who a worker is and where it serves.
 *
 * @param worker identifier, unique in the mount and stable over restarts; it becomes part of blob names
 * @param address {@code host:port} of the worker's peer server
 */
public record WorkerRegistration(String worker, String address) {
    public WorkerRegistration {
        if (!worker.matches("[A-Za-z0-9._-]{1,128}")) {
            throw new IllegalArgumentException("bad worker id '%s'".formatted(worker));
        }
    }
}
