// SPDX-License-Identifier: Apache-2.0
package io.packing.status.page;

import java.util.List;
import java.util.Optional;

/**
 * A daemon's knowledge about itself at one moment.
 *
 * @param daemon its kind, such as {@code BDT master}
 * @param name distinguishes it from others of its kind
 * @param mounts those whose tables it keeps
 * @param workers a master's: one row for each worker of each mount; a worker's: one row for each mount that it serves
 * @param requests to the stores, by the process that sent them
 * @param directories of its mounts, with their parts of the requests
 * @param facts further lines
 * @param slow work that takes long now, the longest first
 * @param recoveries mounts that it is opening
 * @param problem the reason why the daemon does not do its work
 * @param notes failures in spite of which it does its work
 */
public record DaemonReport(
        String daemon,
        String name,
        List<MountRow> mounts,
        List<WorkerRow> workers,
        List<RequestRow> requests,
        List<DirectoryRow> directories,
        List<Fact> facts,
        List<SlowWork> slow,
        List<RecoveryRow> recoveries,
        Optional<String> problem,
        List<String> notes) {
    /** Makes the report of a daemon that does not know the directories of files. */
    public DaemonReport(
            String daemon,
            String name,
            List<MountRow> mounts,
            List<WorkerRow> workers,
            List<RequestRow> requests,
            List<Fact> facts,
            List<SlowWork> slow,
            List<RecoveryRow> recoveries,
            Optional<String> problem,
            List<String> notes) {
        this(daemon, name, mounts, workers, requests, List.of(), facts, slow, recoveries, problem, notes);
    }

    public DaemonReport {
        mounts = List.copyOf(mounts);
        workers = List.copyOf(workers);
        requests = List.copyOf(requests);
        directories = List.copyOf(directories);
        facts = List.copyOf(facts);
        slow = List.copyOf(slow);
        recoveries = List.copyOf(recoveries);
        notes = List.copyOf(notes);
    }

    /**
     * A mount.
     *
     * @param lostFiles files whose bytes no worker has any more
     * @param logicalBytes of all files in blobs
     * @param physicalBytes of all blobs
     * @param deadBytes the part of these that no file needs any more
     * @param oldestSeconds the time that the oldest file outside of blobs has waited
     * @param liveWorkers those that send heartbeats
     * @param dollars the cost of its requests so far; empty when the prices are unknown
     */
    public record MountRow(
            String mount,
            String store,
            long files,
            long directories,
            long bufferedFiles,
            long lostFiles,
            long blobs,
            long logicalBytes,
            long physicalBytes,
            long deadBytes,
            double oldestSeconds,
            long liveWorkers,
            Optional<Double> dollars,
            String problem) {}

    /**
     * A worker of a mount. Its counts of pushes begin when the worker opened the mount.
     *
     * @param mount its name or location, as this daemon calls it
     * @param page port of the worker's own page, at the host of its address; 0: none, or this page
     */
    public record WorkerRow(
            String mount,
            String worker,
            String address,
            int page,
            long bufferedFiles,
            long bufferedBytes,
            double oldestSeconds,
            long pushedFiles,
            long pushedBytes,
            long puts,
            long throttled) {
        /** Returns the key that distinguishes this worker of this mount from all others. */
        String key() {
            return mount + '\n' + worker;
        }
    }

    /**
     * Requests to stores so far.
     *
     * @param by the process that sent them
     * @param dollars their cost; empty when the prices are unknown
     */
    public record RequestRow(
            String by,
            long puts,
            long lists,
            long gets,
            long heads,
            long deletes,
            long throttled,
            long failed,
            Optional<Double> dollars) {}

    /**
     * A directory's part of a mount's requests, since the daemon opened the mount.
     *
     * @param mount its name or location, as this daemon calls it
     * @param directory the first name of the paths, or the name of the directories that are added up
     * @param files that were written below it
     * @param bytes of these files
     * @param puts the part of the mount's PUTs, by bytes
     * @param dollars the part of the cost of all the mount's requests, by bytes; empty when the prices are unknown
     * @param directDollars the cost of a PUT for each file; empty when the prices are unknown
     */
    public record DirectoryRow(
            String mount,
            String directory,
            long files,
            long bytes,
            double puts,
            Optional<Double> dollars,
            Optional<Double> directDollars) {}

    /** A line of text. */
    public record Fact(String name, String value) {}

    /**
     * Work that takes long.
     *
     * @param what the work and its object, such as a push of a blob
     * @param why the reason, if the daemon knows it; else empty
     */
    public record SlowWork(String mount, String what, String why, double seconds) {}

    /**
     * A mount that the daemon is opening.
     *
     * @param phase the current step
     * @param done the progress in this step
     * @param total the end of this step; -1 when unknown
     */
    public record RecoveryRow(String mount, String phase, long done, long total, double seconds) {}
}
