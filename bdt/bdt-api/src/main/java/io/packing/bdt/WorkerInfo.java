package io.packing.bdt;

/** A live worker of a mount, as of its last heartbeat. */
public record WorkerInfo(
        String worker, String address, long epoch, long bufferedFiles, long bufferedBytes, WorkerActivity activity) {
    /** One that tells nothing of what it did. */
    public WorkerInfo(String worker, String address, long epoch, long bufferedFiles, long bufferedBytes) {
        this(worker, address, epoch, bufferedFiles, bufferedBytes, WorkerActivity.NONE);
    }
}
