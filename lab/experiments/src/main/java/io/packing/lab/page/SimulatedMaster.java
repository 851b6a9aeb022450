// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.page;

import io.packing.status.page.DaemonReport;
import io.packing.status.page.ProcessFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A master that does not exist, with mounts and workers that write. Time goes on by what is asked for it: a report later has more.
 */
final class SimulatedMaster {
    private static final double PUT_DOLLARS = 0.005 / 1000;
    private static final long FILE_BYTES = 8_192;
    /** Files that a worker pushes a second, on average. */
    private static final double RATE = 20;

    private static final double WAVE_SECONDS = 600;
    private static final long BLOB_BYTES = 1_000_000_000;

    private final int mounts;
    private final int workers;
    private final Random random;
    private final LongSupplier nanos;
    private final AtomicLong reports = new AtomicLong();

    /**
     * @param workers of all mounts together
     * @param nanos what time it is
     */
    SimulatedMaster(int mounts, int workers, long seed, LongSupplier nanos) {
        this.mounts = mounts;
        this.workers = workers;
        this.random = new Random(seed);
        this.nanos = nanos;
    }

    DaemonReport report() {
        double seconds = nanos.getAsLong() / 1e9;
        long number = reports.incrementAndGet();
        List<DaemonReport.WorkerRow> workerRows = new ArrayList<>();
        List<DaemonReport.MountRow> mountRows = new ArrayList<>();
        List<DaemonReport.DirectoryRow> directories = new ArrayList<>();
        long[] pushed = new long[mounts];
        double[] oldest = new double[mounts];
        long[] live = new long[mounts];
        for (int w = 0; w < workers; w++) {
            int mount = w % mounts;
            // A wave: what was pushed is the integral of the rate.
            double phase = seconds / WAVE_SECONDS + w % 7 * 0.2;
            double rate = RATE * (1 + 0.5 * Math.sin(phase));
            long files = (long) (RATE * (seconds + 0.5 * WAVE_SECONDS * (1 - Math.cos(phase))));
            double age = 10 + 100 * random.nextDouble();
            long buffered = (long) (rate * age);
            pushed[mount] += files;
            oldest[mount] = Math.max(oldest[mount], age);
            live[mount]++;
            workerRows.add(new DaemonReport.WorkerRow(
                    store(mount),
                    "worker-%04d".formatted(w),
                    "10.0.%d.%d:29999".formatted(w / 250, w % 250 + 1),
                    19_999,
                    buffered,
                    buffered * FILE_BYTES,
                    age,
                    files,
                    files * FILE_BYTES,
                    files * FILE_BYTES / BLOB_BYTES,
                    w % 97 == 0 ? number : 0));
        }
        long puts = 0;
        for (int m = 0; m < mounts; m++) {
            long bytes = pushed[m] * FILE_BYTES;
            long blobs = bytes / BLOB_BYTES + 1;
            puts += blobs;
            mountRows.add(new DaemonReport.MountRow(
                    "mount-%03d".formatted(m),
                    store(m),
                    pushed[m],
                    pushed[m] / 1_000,
                    live[m] * 6_000,
                    0,
                    blobs,
                    bytes,
                    bytes + blobs * 3_000_000,
                    bytes / 50,
                    oldest[m],
                    live[m],
                    Optional.of(blobs * PUT_DOLLARS),
                    ""));
            for (int part = 1; part <= 2; part++) {
                double share = part / 3.0;
                directories.add(new DaemonReport.DirectoryRow(
                        store(m),
                        "/team-%d".formatted(part),
                        Math.round(pushed[m] * share),
                        Math.round(bytes * share),
                        blobs * share,
                        Optional.of(blobs * share * PUT_DOLLARS),
                        Optional.of(pushed[m] * share * PUT_DOLLARS)));
            }
        }
        return new DaemonReport(
                "BDT master",
                "127.0.0.1:19990 (simulated)",
                mountRows,
                workerRows,
                List.of(row("master", puts / 20), row("workers", puts)),
                directories,
                ProcessFacts.of(List.of()),
                List.of(new DaemonReport.SlowWork(
                        store(0), "compaction", "the store has refused 12 requests so far", 34)),
                List.of(),
                Optional.empty(),
                List.of("mount mount-000: compaction has failed for 34 s, 5 times: the store refuses"));
    }

    private static DaemonReport.RequestRow row(String by, long puts) {
        return new DaemonReport.RequestRow(
                by, puts, puts / 10, puts * 3, puts / 50, puts / 30, 12, 0, Optional.of(puts * PUT_DOLLARS));
    }

    private static String store(int mount) {
        return "s3://lake-%02d/tables/%03d".formatted(mount % 7, mount);
    }
}
