// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A worker's periodic report (§6.3).
 *
 * @param bufferedFiles closed and not yet committed
 * @param bufferedBytes of these files
 * @param blobs pushed since the last report
 * @param files whose extents are all pushed, since the last report
 * @param activity of the worker so far
 * @param presence of the worker
 * @param newest the newest position of the table in an answer to the session; 0: unknown
 * @param homes the number of the {@link MountHomes} by which the worker pushes; 0: it knows of none
 * @param homesSinceMicros the time from which on it pushes to the first of them, by the clock that names its blobs
 * @param copy the worker's state of a copy of live bytes; empty: it takes no orders
 * @param followed the number of the last file to drop that this session has dropped, 0 before the first; empty: the worker counts none
 */
public record Heartbeat(
        long bufferedFiles,
        long bufferedBytes,
        List<PushedBlob> blobs,
        List<CommittedFile> files,
        WorkerActivity activity,
        Presence presence,
        long newest,
        long homes,
        long homesSinceMicros,
        Optional<CopyReport> copy,
        OptionalLong followed) {
    /** The presence of a worker in the mount. */
    public enum Presence {
        STAYS,
        /** The worker takes no new files, and leaves when it holds none any more. */
        LEAVES,
        /** The worker holds no file, takes none, and sends no further report. */
        LEFT
    }

    /** Makes a report about a mount that was never evacuated. */
    public Heartbeat(
            long bufferedFiles,
            long bufferedBytes,
            List<PushedBlob> blobs,
            List<CommittedFile> files,
            WorkerActivity activity,
            Presence presence,
            long newest) {
        this(
                bufferedFiles,
                bufferedBytes,
                blobs,
                files,
                activity,
                presence,
                newest,
                0,
                0,
                Optional.empty(),
                OptionalLong.empty());
    }

    /** Makes a report without the newest position. */
    public Heartbeat(
            long bufferedFiles,
            long bufferedBytes,
            List<PushedBlob> blobs,
            List<CommittedFile> files,
            WorkerActivity activity,
            Presence presence) {
        this(bufferedFiles, bufferedBytes, blobs, files, activity, presence, 0);
    }

    /** Makes a report of a worker that stays. */
    public Heartbeat(
            long bufferedFiles,
            long bufferedBytes,
            List<PushedBlob> blobs,
            List<CommittedFile> files,
            WorkerActivity activity) {
        this(bufferedFiles, bufferedBytes, blobs, files, activity, Presence.STAYS);
    }

    /** Makes a report without the worker's activity. */
    public Heartbeat(long bufferedFiles, long bufferedBytes, List<PushedBlob> blobs, List<CommittedFile> files) {
        this(bufferedFiles, bufferedBytes, blobs, files, WorkerActivity.NONE);
    }

    public Heartbeat {
        blobs = List.copyOf(blobs);
        files = List.copyOf(files);
    }

    /** Returns this report with the newest position in an answer to the session. */
    public Heartbeat knowing(long position) {
        return new Heartbeat(
                bufferedFiles,
                bufferedBytes,
                blobs,
                files,
                activity,
                presence,
                position,
                homes,
                homesSinceMicros,
                copy,
                followed);
    }

    /** Returns a part of this report, with some of its blobs and files. */
    public Heartbeat with(List<PushedBlob> ofBlobs, List<CommittedFile> ofFiles) {
        return new Heartbeat(
                bufferedFiles,
                bufferedBytes,
                ofBlobs,
                ofFiles,
                activity,
                presence,
                newest,
                homes,
                homesSinceMicros,
                copy,
                followed);
    }

    /** Returns this report with the homes by which the worker pushes. */
    public Heartbeat at(long number, long sinceMicros) {
        return new Heartbeat(
                bufferedFiles,
                bufferedBytes,
                blobs,
                files,
                activity,
                presence,
                newest,
                number,
                sinceMicros,
                copy,
                followed);
    }

    /** Returns this report with the worker's state of a copy. */
    public Heartbeat copying(CopyReport report) {
        return new Heartbeat(
                bufferedFiles,
                bufferedBytes,
                blobs,
                files,
                activity,
                presence,
                newest,
                homes,
                homesSinceMicros,
                Optional.of(report),
                followed);
    }

    /** Returns this report with the number of the last order to drop a file that the session has followed. */
    public Heartbeat following(long last) {
        return new Heartbeat(
                bufferedFiles,
                bufferedBytes,
                blobs,
                files,
                activity,
                presence,
                newest,
                homes,
                homesSinceMicros,
                copy,
                OptionalLong.of(last));
    }
}
