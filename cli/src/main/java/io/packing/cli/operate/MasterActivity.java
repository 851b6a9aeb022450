// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.operate;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.bdt.StoreRequests;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The activity in a master's mounts, counted between two of its reports.
 *
 * @param seconds between them; 0: there is no earlier one, and rates are 0
 * @param mounts as the master told them last
 */
public record MasterActivity(double seconds, List<Mount> mounts) {
    private static final double SECONDS_A_DAY = 86_400;

    /**
     * A mount's activity.
     *
     * @param lostFiles whose bytes no worker has any more
     * @param puts a second, of the master and of workers
     * @param dollarsPerDay if the requests go on so
     */
    public record Mount(
            String store,
            long files,
            @JsonProperty("buffered_files") long bufferedFiles,
            @JsonProperty("lost_files") long lostFiles,
            @JsonProperty("oldest_seconds") double oldestSeconds,
            @JsonProperty("pushed_files_per_s") double pushedFiles,
            @JsonProperty("pushed_bytes_per_s") double pushedBytes,
            @JsonProperty("puts_per_s") double puts,
            @JsonProperty("throttled_per_s") double throttled,
            @JsonProperty("dollars_per_day") double dollarsPerDay,
            List<Worker> workers,
            String problem) {
        public Mount {
            workers = List.copyOf(workers);
        }
    }

    /** A worker's activity. */
    public record Worker(
            String worker,
            @JsonProperty("buffered_files") long bufferedFiles,
            @JsonProperty("buffered_bytes") long bufferedBytes,
            @JsonProperty("oldest_seconds") double oldestSeconds,
            @JsonProperty("pushed_files_per_s") double pushedFiles,
            @JsonProperty("pushed_bytes_per_s") double pushedBytes) {}

    public MasterActivity {
        mounts = List.copyOf(mounts);
    }

    /**
     * Returns the activity since an earlier report. A worker or mount that was not there then counts from now on.
     *
     * @param before empty: there is none
     */
    public static MasterActivity between(List<MountReport> before, List<MountReport> now, double seconds) {
        Map<String, MountReport> earlier = byName(before, MountReport::mount);
        List<Mount> mounts = new ArrayList<>();
        for (MountReport mount : now) {
            mounts.add(mount(Optional.ofNullable(earlier.get(mount.mount())), mount, seconds));
        }
        return new MasterActivity(seconds, mounts);
    }

    private static Mount mount(Optional<MountReport> before, MountReport now, double seconds) {
        Map<String, MountReport.Worker> earlier =
                byName(before.map(MountReport::workers).orElse(List.of()), MountReport.Worker::worker);
        List<Worker> workers = new ArrayList<>();
        for (MountReport.Worker worker : now.workers()) {
            MountReport.Worker known = earlier.getOrDefault(worker.worker(), worker);
            workers.add(new Worker(
                    worker.worker(),
                    worker.bufferedFiles(),
                    worker.bufferedBytes(),
                    worker.oldestSeconds(),
                    rate(known.pushedFiles(), worker.pushedFiles(), seconds),
                    rate(known.pushedBytes(), worker.pushedBytes(), seconds)));
        }
        MountReport known = before.orElse(now);
        StoreRequests asked = now.requests().since(known.requests());
        return new Mount(
                now.store(),
                now.files(),
                now.bufferedFiles(),
                now.lostFiles() + now.missingFiles(),
                now.oldestSeconds(),
                workers.stream().mapToDouble(Worker::pushedFiles).sum(),
                workers.stream().mapToDouble(Worker::pushedBytes).sum(),
                rate(0, asked.puts(), seconds),
                rate(0, asked.throttled(), seconds),
                seconds > 0 ? Math.max(0, now.dollars() - known.dollars()) / seconds * SECONDS_A_DAY : 0,
                workers,
                now.problem());
    }

    /** Counts that went back are those of a process that began anew. */
    private static double rate(long before, long now, double seconds) {
        return seconds > 0 && now > before ? (now - before) / seconds : 0;
    }

    private static <T> Map<String, T> byName(List<T> all, Function<T, String> name) {
        return all.stream().collect(Collectors.toMap(name, each -> each, (one, other) -> one));
    }

    /** As a table for people. */
    public void print(PrintWriter out) {
        out.printf(
                "%-32s %12s %10s %8s %10s %10s %8s %10s%n",
                "STORE, WORKER", "FILES", "WAITING", "OLDEST", "FILES/S", "MB/S", "PUT/S", "DOLLARS/D");
        for (Mount mount : mounts) {
            out.printf(
                    "%-32s %,12d %,10d %7.0fs %,10.1f %,10.2f %8.2f %10.4f%n",
                    mount.store,
                    mount.files,
                    mount.bufferedFiles,
                    mount.oldestSeconds,
                    mount.pushedFiles,
                    mount.pushedBytes / 1e6,
                    mount.puts,
                    mount.dollarsPerDay);
            for (Worker worker : mount.workers) {
                out.printf(
                        "  %-30s %12s %,10d %7.0fs %,10.1f %,10.2f%n",
                        worker.worker,
                        "",
                        worker.bufferedFiles,
                        worker.oldestSeconds,
                        worker.pushedFiles,
                        worker.pushedBytes / 1e6);
            }
            if (mount.throttled > 0) {
                out.printf("  the store refuses %.2f requests/s%n", mount.throttled);
            }
            if (mount.lostFiles > 0) {
                out.printf("  %,d files are lost: 'packing mounts' says what to do%n", mount.lostFiles);
            }
            if (!mount.problem.isEmpty()) {
                out.println("  PROBLEM: " + mount.problem);
            }
        }
    }
}
