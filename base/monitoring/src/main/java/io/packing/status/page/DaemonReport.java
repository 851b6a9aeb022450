package io.packing.status.page;

import java.util.List;
import java.util.Optional;

/**
 * What a daemon knows of itself at one moment.
 *
 * @param daemon its kind, such as {@code BDT master}
 * @param name which one of these
 * @param mounts that it keeps the table of
 * @param workers of these mounts, one for each of them; at a worker, itself for each mount that it serves
 * @param requests to the stores, by whose they are
 * @param facts what else is worth a line
 * @param slow what takes long now, the longest first
 * @param recoveries that are under way
 * @param problem why the daemon does not do its work
 * @param notes what fails although it does its work
 */
public record DaemonReport(
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
    public DaemonReport {
        mounts = List.copyOf(mounts);
        workers = List.copyOf(workers);
        requests = List.copyOf(requests);
        facts = List.copyOf(facts);
        slow = List.copyOf(slow);
        recoveries = List.copyOf(recoveries);
        notes = List.copyOf(notes);
    }

    /**
     * A mount.
     *
     * @param lostFiles whose bytes no worker has any more
     * @param logicalBytes of all files that are in blobs
     * @param physicalBytes of all blobs
     * @param deadBytes of these that nobody needs any more
     * @param oldestSeconds for how long the oldest file waits that is in no blob yet
     * @param liveWorkers of which heartbeats come
     * @param dollars what its requests cost so far; empty: nobody knows the prices
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
     * A worker of a mount. What is pushed is counted since the worker opened the mount.
     *
     * @param mount its name or location, as this daemon calls it
     */
    public record WorkerRow(
            String mount,
            String worker,
            String address,
            long bufferedFiles,
            long bufferedBytes,
            double oldestSeconds,
            long pushedFiles,
            long pushedBytes,
            long puts,
            long throttled) {
        /** What tells it from all others. */
        String key() {
            return mount + '\n' + worker;
        }
    }

    /**
     * Requests to stores so far.
     *
     * @param by whose
     * @param dollars what they cost; empty: nobody knows the prices
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

    /** A line of text. */
    public record Fact(String name, String value) {}

    /**
     * What takes long.
     *
     * @param what such as a push, with what it is of
     * @param why as far as the daemon knows; empty: it does not
     */
    public record SlowWork(String mount, String what, String why, double seconds) {}

    /**
     * A mount that is being opened.
     *
     * @param phase what is done now
     * @param done how far that is
     * @param total where it ends; -1: nobody knows
     */
    public record RecoveryRow(String mount, String phase, long done, long total, double seconds) {}
}
