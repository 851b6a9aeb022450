// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

/**
 * A worker of a mount that an operator drains.
 *
 * @param mount the mount's name at the master
 * @param store of the mount's blobs
 * @param bufferedFiles that it held at its last heartbeat
 * @param bufferedBytes that it held at its last heartbeat
 */
public record Departure(String mount, String store, State state, long bufferedFiles, long bufferedBytes) {
    /** The progress of a departure. */
    public enum State {
        /** The worker is alive, and pushes its files. */
        LEAVING,
        /** The worker holds no file and has ended its session. */
        LEFT,
        /** The worker sends no heartbeats, and has not ended its session: it may hold files that are nowhere else. */
        GONE
    }
}
