// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.device;

import io.packing.sim.Cause;

/** A listener to the requests that a device has finished. */
@FunctionalInterface
public interface Completion {
    /**
     * Receives a finished request.
     *
     * @param ticket of the request
     * @param blocks of the disk that were moved: the paper counts these as requests (Table 3.1)
     * @param blockNanos sum of the blocks' times, each from {@code arrived} to its own last byte
     * @param arrived time of the submission; nanoseconds, as all times
     * @param ended time of the last byte
     * @param busy time that the device worked for the request; the rest was waiting
     */
    void done(
            int ticket, Cause cause, boolean write, long blocks, long blockNanos, long arrived, long ended, long busy);
}
