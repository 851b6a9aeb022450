// SPDX-License-Identifier: Apache-2.0
package io.packing.status.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reports of daemons that do not exist. */
final class Reports {
    private Reports() {}

    /** Returns the report of a master with this many mounts, each with this many workers. */
    static DaemonReport of(int mounts, int workersOfEach, long pushed) {
        List<DaemonReport.MountRow> rows = new ArrayList<>();
        List<DaemonReport.WorkerRow> workers = new ArrayList<>();
        for (int m = 0; m < mounts; m++) {
            String mount = "mount-" + m;
            rows.add(new DaemonReport.MountRow(
                    mount, "s3://bucket/" + m, 10, 2, 1, 0, 3, 100, 80, 5, 4, workersOfEach, Optional.of(0.5), ""));
            for (int w = 0; w < workersOfEach; w++) {
                workers.add(worker(mount, "worker-" + w, w, pushed));
            }
        }
        return report(rows, workers);
    }

    static DaemonReport.WorkerRow worker(String mount, String name, double oldest, long pushed) {
        return new DaemonReport.WorkerRow(mount, name, "10.0.0.1:1", 9, 7, 700, oldest, pushed, pushed * 1_000, 1, 0);
    }

    static DaemonReport report(List<DaemonReport.MountRow> mounts, List<DaemonReport.WorkerRow> workers) {
        return new DaemonReport(
                "BDT master",
                "here:1",
                mounts,
                workers,
                List.of(new DaemonReport.RequestRow("master", 1, 2, 3, 4, 5, 6, 7, Optional.of(0.25))),
                List.of(new DaemonReport.Fact("heap", "1 MB")),
                List.of(),
                List.of(),
                Optional.empty(),
                List.of());
    }

    /** Returns the report of a master with files in two directories, the smaller one first. */
    static DaemonReport withDirectories() {
        DaemonReport plain = of(1, 1, 5);
        return new DaemonReport(
                plain.daemon(),
                plain.name(),
                plain.mounts(),
                plain.workers(),
                plain.requests(),
                List.of(
                        new DaemonReport.DirectoryRow("m", "/a", 1, 5, 0.1, Optional.of(0.001), Optional.of(0.000005)),
                        new DaemonReport.DirectoryRow(
                                "m", "/logs", 2_000, 900, 0.5, Optional.of(0.005), Optional.of(0.01))),
                plain.facts(),
                plain.slow(),
                plain.recoveries(),
                plain.problem(),
                plain.notes());
    }

    /** Returns a report in which every name attacks the page that shows it. */
    static DaemonReport hostile() {
        String name = "<script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">\"'&\u2028";
        DaemonReport.MountRow mount =
                new DaemonReport.MountRow(name, name, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, Optional.empty(), name);
        return new DaemonReport(
                name,
                name,
                List.of(mount),
                List.of(new DaemonReport.WorkerRow(name, name, name, 1, 1, 1, 1, 1, 1, 1, 1)),
                List.of(new DaemonReport.RequestRow(name, 1, 1, 1, 1, 1, 1, 1, Optional.empty())),
                List.of(new DaemonReport.DirectoryRow(name, name, 1, 1, 1, Optional.empty(), Optional.empty())),
                List.of(new DaemonReport.Fact(name, name)),
                List.of(new DaemonReport.SlowWork(name, name, name, 1)),
                List.of(new DaemonReport.RecoveryRow(name, name, 1, -1, 1)),
                Optional.of(name),
                List.of(name));
    }
}
