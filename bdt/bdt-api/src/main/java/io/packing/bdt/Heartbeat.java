package io.packing.bdt;

import java.util.List;

/**
 * A worker's periodic report (§6.3).
 *
 * @param bufferedFiles closed and not yet committed
 * @param bufferedBytes the same in bytes
 * @param blobs pushed since the last report
 * @param files whose every extent is pushed, since the last report
 * @param activity what the worker did so far
 * @param presence whether the worker stays
 * @param newest the newest position of the table that the session was answered; 0: it does not tell
 */
public record Heartbeat(
        long bufferedFiles,
        long bufferedBytes,
        List<PushedBlob> blobs,
        List<CommittedFile> files,
        WorkerActivity activity,
        Presence presence,
        long newest) {
    /** Whether a worker stays. */
    public enum Presence {
        STAYS,
        /** It takes no new files, and leaves when it holds nothing any more. */
        LEAVES,
        /** It holds nothing, takes nothing, and is not heard of again. */
        LEFT
    }

    /** A report without the newest position that the session was answered. */
    public Heartbeat(
            long bufferedFiles,
            long bufferedBytes,
            List<PushedBlob> blobs,
            List<CommittedFile> files,
            WorkerActivity activity,
            Presence presence) {
        this(bufferedFiles, bufferedBytes, blobs, files, activity, presence, 0);
    }

    /** One of a worker that goes on. */
    public Heartbeat(
            long bufferedFiles,
            long bufferedBytes,
            List<PushedBlob> blobs,
            List<CommittedFile> files,
            WorkerActivity activity) {
        this(bufferedFiles, bufferedBytes, blobs, files, activity, Presence.STAYS);
    }

    /** One of a worker that tells nothing of what it did. */
    public Heartbeat(long bufferedFiles, long bufferedBytes, List<PushedBlob> blobs, List<CommittedFile> files) {
        this(bufferedFiles, bufferedBytes, blobs, files, WorkerActivity.NONE);
    }

    public Heartbeat {
        blobs = List.copyOf(blobs);
        files = List.copyOf(files);
    }

    /** Returns this report of a session that was answered that position. */
    public Heartbeat knowing(long position) {
        return new Heartbeat(bufferedFiles, bufferedBytes, blobs, files, activity, presence, position);
    }
}
