// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

/**
 * The activity of a worker for a mount since its process opened it.
 *
 * @param sinceMillis time of the opening, in ms since 1970
 * @param oldestMillis the wait of the oldest file that is in no blob in the store; 0: none waits
 * @param pushedFiles files that are in pushed blobs
 * @param pushedBytes bytes of pushed blobs
 * @param requests to the store of the mount
 * @param statusPort port of the status page of the worker's process, at the host of its address; 0: none
 */
public record WorkerActivity(
        long sinceMillis,
        long oldestMillis,
        long pushedFiles,
        long pushedBytes,
        StoreRequests requests,
        int statusPort) {
    private static final int LARGEST_PORT = 65_535;

    /** The activity of a worker that reports none, as one of an older version. */
    public static final WorkerActivity NONE = new WorkerActivity(0, 0, 0, 0, StoreRequests.NONE);

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException when one is negative, or the port is none
     */
    public WorkerActivity {
        if (Math.min(Math.min(sinceMillis, oldestMillis), Math.min(pushedFiles, pushedBytes)) < 0) {
            throw new IllegalArgumentException("a negative number in the activity of a worker");
        }
        if (statusPort < 0 || statusPort > LARGEST_PORT) {
            throw new IllegalArgumentException("the activity of a worker names port %d".formatted(statusPort));
        }
    }

    /** Makes the activity of a worker without a status page. */
    public WorkerActivity(
            long sinceMillis, long oldestMillis, long pushedFiles, long pushedBytes, StoreRequests requests) {
        this(sinceMillis, oldestMillis, pushedFiles, pushedBytes, requests, 0);
    }
}
