package io.packing.sim.device;

import io.packing.sim.Cause;

/** Learns of each request that a device has finished. */
@FunctionalInterface
public interface Completion {
    /**
     * A request is finished.
     *
     * @param ticket what the request was submitted with
     * @param blocks of the disk that were moved: what the paper counts as requests (Table 3.1)
     * @param blockNanos how long they took together, each from {@code arrived} to its own last byte
     * @param arrived when it was submitted; nanoseconds, as all times
     * @param ended when its last byte was there
     * @param busy how long the device worked for it; the rest of the time it waited
     */
    void done(
            int ticket, Cause cause, boolean write, long blocks, long blockNanos, long arrived, long ended, long busy);
}
