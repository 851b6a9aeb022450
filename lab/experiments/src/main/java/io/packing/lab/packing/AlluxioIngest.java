// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.packing;

import io.packing.cluster.load.ClusterLoadResult;
import io.packing.cluster.load.ClusterLoadSpec;
import io.packing.cluster.load.LoadSequence;
import io.packing.lab.compare.CapacityModel;
import io.packing.lab.load.Meter;
import io.packing.lab.load.RunProgress;
import io.packing.rig.AlluxioRig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The ingest experiment (§8, Table 1) at the door that the paper used. Clients write small files through Alluxio into a
 * packing mount, and into a mount of Alluxio's own S3 under file system, to one S3 server. The files are read back
 * through another worker than the one that wrote them.
 *
 * @param runs of the packed side; one of Alluxio's own S3
 * @param warmUp files that the packed side writes before the clock starts
 * @param writeType Alluxio's: THROUGH or CACHE_THROUGH
 * @param ceiling whether a run into an under file system that does nothing is beside each packed run, and a model of several
 *     machines follows
 */
public record AlluxioIngest(
        IngestSpec spec, int runs, int warmUp, String writeType, boolean ceiling, RunProgress progress) {
    private static final String OWN_S3 = "alluxio";
    private static final String OWN_S3_SETTINGS =
            "Alluxio's own S3 under file system, with its own retries; a file that it gives up is written again";
    /** The worker machines of the paper. */
    private static final int MACHINES = 4;
    /** Files of one client without company: enough for a mean, and soon done. */
    private static final int ALONE = 500;

    private static final long WARM_UPS = 10;
    private static final Duration PAUSE = Duration.ofSeconds(2);

    public AlluxioIngest {
        if (spec.files() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("--files: at most %d through Alluxio".formatted(Integer.MAX_VALUE));
        }
        if (runs < 1) {
            throw new IllegalArgumentException("--runs must be positive");
        }
        if (warmUp < 0) {
            throw new IllegalArgumentException("--warm-up must not be negative");
        }
        if (!writeType.equals("THROUGH") && !writeType.equals("CACHE_THROUGH")) {
            throw new IllegalArgumentException("--write-type: THROUGH or CACHE_THROUGH, not '%s'".formatted(writeType));
        }
    }

    /** Returns the files that Alluxio's master knows at once, at most. */
    public long mostFiles() {
        return (ceiling ? 3L : 2L) * spec.files() + 2L * warmUp;
    }

    /** Measures all runs. */
    public IngestResult run(AlluxioRig rig) throws IOException, InterruptedException {
        List<Meter.Metered> packed = new ArrayList<>();
        List<Double> noop = new ArrayList<>();
        List<DirectRun> direct = new ArrayList<>();
        List<CapacityModel.Millis> millis = new ArrayList<>();
        warmUp(rig);
        for (int run = 0; run < runs; run++) {
            // The first of a pair may be the slower one.
            boolean noopFirst = run % 2 == 1;
            if (ceiling && noopFirst) {
                noop.add(noop(rig, run));
            }
            packed.add(packed(rig, run, millis));
            if (ceiling && !noopFirst) {
                noop.add(noop(rig, run));
            }
            if (run == 0) {
                direct.add(new DirectRun(OWN_S3, OWN_S3_SETTINGS, 0, direct(rig)));
            }
        }
        Optional<CapacityModel> model =
                ceiling ? Optional.of(model(packed, millis, secondsAlone(rig))) : Optional.empty();
        progress.accept("stopping Alluxio");
        return new IngestResult(spec, packed, direct, noop, model);
    }

    private ClusterLoadSpec load(String directory, long files, int clients) {
        return ClusterLoadSpec.write(directory, (int) files, spec.size(), clients, writeType);
    }

    private void warmUp(AlluxioRig rig) throws IOException, InterruptedException {
        if (warmUp == 0) {
            return;
        }
        warm(rig, AlluxioRig.PACKED, "Alluxio on packing", warmUp);
        settle(rig);
        remove(rig, "/" + AlluxioRig.PACKED + "/warm-up");
        rig.checkpoint();
        if (ceiling) {
            warm(rig, AlluxioRig.NOOP, "Alluxio on nothing", warmUp);
            remove(rig, "/" + AlluxioRig.NOOP + "/warm-up");
        }
        warm(rig, AlluxioRig.DIRECT, "Alluxio on its own S3", IngestSpec.directWarmUp(warmUp));
    }

    private void warm(AlluxioRig rig, String mount, String name, long files) throws IOException, InterruptedException {
        ClusterLoadSpec load = load("/" + mount + "/warm-up", files, spec.clients());
        ClusterLoadResult unused =
                Loads.run(rig, name + " warms up", mount.equals(AlluxioRig.DIRECT) ? load.repeating() : load, progress);
    }

    private void remove(AlluxioRig rig, String directory) throws IOException, InterruptedException {
        progress.accept("removing " + directory);
        List<String> unused = rig.alluxio().shell("rm", "-R", directory);
    }

    private Meter.Metered packed(AlluxioRig rig, int run, List<CapacityModel.Millis> millis)
            throws IOException, InterruptedException {
        String directory = "/%s/files-%d".formatted(AlluxioRig.PACKED, run);
        Map<String, Double> before = rig.cpuMillis();
        Meter meter = Meter.start(rig.s3(), AlluxioRig.PACKED);
        ClusterLoadSpec load = load(directory, spec.files(), spec.clients());
        ClusterLoadResult written = Loads.run(rig, "Alluxio on packing writes", load, progress);
        double durable = written.seconds() + settle(rig);
        // The durable files do not wait for it, but it is paid for.
        rig.checkpoint();
        Meter.Ingested ingested = meter.ingested(written.seconds(), durable);
        millis.add(millis(before, rig.cpuMillis(), written));
        ClusterLoadResult read = Loads.run(rig, "Alluxio on packing reads back", load.readBack(), progress);
        Meter.Metered metered = ingested.readBack(written.files(), spec.size(), read.files() - read.mismatches());
        if (run + 1 < runs) {
            remove(rig, directory);
            rig.checkpoint();
        }
        return metered;
    }

    /** Returns the seconds until the last file is acknowledged. */
    private double noop(AlluxioRig rig, int run) throws IOException, InterruptedException {
        String directory = "/%s/files-%d".formatted(AlluxioRig.NOOP, run);
        ClusterLoadResult written =
                Loads.run(rig, "Alluxio on nothing writes", load(directory, spec.files(), spec.clients()), progress);
        remove(rig, directory);
        return written.seconds();
    }

    private Meter.Metered direct(AlluxioRig rig) throws IOException, InterruptedException {
        Meter meter = Meter.start(rig.s3(), AlluxioRig.DIRECT);
        ClusterLoadSpec load = load("/" + AlluxioRig.DIRECT + "/files", spec.directFiles(), spec.clients());
        ClusterLoadResult written = Loads.run(rig, "Alluxio on its own S3 writes", load.repeating(), progress);
        Meter.Ingested ingested = meter.ingested(written.seconds());
        ClusterLoadResult read = Loads.run(rig, "Alluxio on its own S3 reads back", load.readBack(), progress);
        return ingested.readBack(written.files(), spec.size(), read.files() - read.mismatches());
    }

    /** Waits until everything is durable in the store, and returns the seconds of that. */
    private double settle(AlluxioRig rig) throws IOException {
        progress.accept("waiting until every file is in a blob");
        long waitingSince = System.nanoTime();
        rig.flush();
        return (System.nanoTime() - waitingSince) / 1e9;
    }

    /** Returns the processor time of each kind of process for a file. */
    private CapacityModel.Millis millis(
            Map<String, Double> before, Map<String, Double> after, ClusterLoadResult written) {
        return new CapacityModel.Millis(
                written.cpuNanos() / 1e6 / written.files(),
                between(before, after, AlluxioRig.WORKERS) / written.files(),
                (between(before, after, AlluxioRig.ALLUXIO_MASTER) + between(before, after, AlluxioRig.BDT_MASTER))
                        / written.files(),
                between(before, after, AlluxioRig.S3_SERVER) / written.files());
    }

    private static double between(Map<String, Double> before, Map<String, Double> after, String process) {
        return after.getOrDefault(process, 0.0) - before.getOrDefault(process, 0.0);
    }

    /** Returns the seconds of a file for one client without company, in a process that has warmed up. */
    private double secondsAlone(AlluxioRig rig) throws IOException, InterruptedException {
        progress.accept("one client of Alluxio on packing writes");
        String directory = "/" + AlluxioRig.PACKED + "/alone";
        int files = (int) Math.min(ALONE, spec.files());
        List<ClusterLoadResult> written = rig.alluxio()
                .load(
                        new LoadSequence(
                                List.of(
                                        load(directory + "-warm-up", WARM_UPS * files, spec.clients()),
                                        load(directory, files, 1)),
                                PAUSE),
                        new ClusterLoadResult.Listener() {});
        ClusterLoadResult alone = written.get(written.size() - 1);
        Loads.requireClean("one client of Alluxio", alone);
        return alone.seconds() / alone.files();
    }

    private CapacityModel model(List<Meter.Metered> packed, List<CapacityModel.Millis> millis, double secondsAlone) {
        int last = packed.size() - 1;
        return new CapacityModel(
                MACHINES,
                Runtime.getRuntime().availableProcessors(),
                spec.clients(),
                // The last run is the warmest.
                millis.get(last),
                secondsAlone * 1_000,
                spec.files() / packed.get(last).measurement().acknowledgedSeconds());
    }
}
