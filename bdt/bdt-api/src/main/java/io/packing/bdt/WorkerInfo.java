package io.packing.bdt;

/**
 * A live worker of a mount, as of its last heartbeat.
 *
 * @param leaving whether it was told to leave: others are to take new files
 */
public record WorkerInfo(
        String worker,
        String address,
        long epoch,
        long bufferedFiles,
        long bufferedBytes,
        WorkerActivity activity,
        boolean leaving) {
    /** One that stays. */
    public WorkerInfo(
            String worker,
            String address,
            long epoch,
            long bufferedFiles,
            long bufferedBytes,
            WorkerActivity activity) {
        this(worker, address, epoch, bufferedFiles, bufferedBytes, activity, false);
    }

    /** The same one, told to leave. */
    public WorkerInfo asLeaving() {
        return new WorkerInfo(worker, address, epoch, bufferedFiles, bufferedBytes, activity, true);
    }

    /** One that tells nothing of what it did. */
    public WorkerInfo(String worker, String address, long epoch, long bufferedFiles, long bufferedBytes) {
        this(worker, address, epoch, bufferedFiles, bufferedBytes, WorkerActivity.NONE);
    }
}
