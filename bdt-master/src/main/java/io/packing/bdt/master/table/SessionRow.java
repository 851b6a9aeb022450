package io.packing.bdt.master.table;

import io.packing.bdt.WorkerRegistration;

/**
 * The latest session of a worker.
 *
 * @param floor claims of sessions before this epoch are lost, unless they were reclaimed
 * @param buffer of the worker's registration
 */
public record SessionRow(SessionId id, String address, long floor, String buffer) {
    public String worker() {
        return id.worker();
    }

    public long epoch() {
        return id.epoch();
    }

    /** Whether another session of the worker may take its place at once: of the same buffer, which only one process has. */
    boolean yieldsTo(WorkerRegistration registration) {
        return registration.takesOver() && registration.buffer().equals(buffer);
    }

    byte[] encode() {
        return new Bytes.Out()
                .number(epoch())
                .text(address)
                .number(floor)
                .text(buffer)
                .toBytes();
    }

    public static SessionRow decode(String worker, byte[] bytes) {
        Bytes.In in = new Bytes.In(bytes);
        // Rows of older versions end here.
        return new SessionRow(
                new SessionId(worker, in.number()), in.text(), in.number(), in.hasMore() ? in.text() : "");
    }
}
