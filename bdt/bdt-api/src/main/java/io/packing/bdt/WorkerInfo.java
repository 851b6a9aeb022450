// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

/**
 * A live worker of a mount, as of its last heartbeat.
 *
 * @param leaving true if it leaves, so that other workers take new files
 */
public record WorkerInfo(
        String worker,
        String address,
        long sessionEpoch,
        long bufferedFiles,
        long bufferedBytes,
        WorkerActivity activity,
        boolean leaving) {
    /** Makes the information about a worker that stays. */
    public WorkerInfo(
            String worker,
            String address,
            long sessionEpoch,
            long bufferedFiles,
            long bufferedBytes,
            WorkerActivity activity) {
        this(worker, address, sessionEpoch, bufferedFiles, bufferedBytes, activity, false);
    }

    /** Returns this worker as a leaving one. */
    public WorkerInfo asLeaving() {
        return new WorkerInfo(worker, address, sessionEpoch, bufferedFiles, bufferedBytes, activity, true);
    }

    /** Makes the information about a worker without its activity. */
    public WorkerInfo(String worker, String address, long sessionEpoch, long bufferedFiles, long bufferedBytes) {
        this(worker, address, sessionEpoch, bufferedFiles, bufferedBytes, WorkerActivity.NONE);
    }
}
