package io.packing.sim.device;

import io.packing.sim.Cause;

/** Learns of each request that a device has finished. */
@FunctionalInterface
public interface Completion {
    /**
     * A request is finished.
     *
     * @param ticket what the request was submitted with
     * @param arrived when it was submitted; nanoseconds, as all times
     * @param ended when its last byte was there
     * @param busy how long the device worked for it; the rest of the time it waited
     */
    void done(int ticket, Cause cause, boolean write, long bytes, long arrived, long ended, long busy);
}
