// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.packing.blob.FilePath;
import io.packing.csi.volume.CsiId;
import io.packing.csi.volume.CsiKey;
import io.packing.csi.volume.CsiSnapshot;
import io.packing.csi.volume.CsiSnapshots;
import io.packing.csi.volume.CsiTree;
import io.packing.csi.volume.CsiVolume;
import io.packing.csi.volume.CsiVolumes;
import io.packing.csi.volume.VolumeCapacity;
import io.packing.csi.volume.VolumeLimits;
import io.packing.csi.volume.VolumeParameters;
import io.packing.csi.volume.VolumeSource;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A benchmark of the CSI driver's snapshots and clones of a large volume, at a BDT master over gRPC with a synced log. It has all of a call but
 * the hop over the driver's socket. A driver counts the quota of a clone after its answer: each clone begins when the quota of the one before is
 * counted, which is a figure of its own. It prints one line of JSON, with the load of the machine.
 *
 * <p>Usage: {@code csi [files of the volume] [rounds]}.
 */
public final class CsiScale {
    private static final FilePath BASE = new FilePath("/volumes");
    private static final int FILES_PER_DIRECTORY = 1_000;
    private static final String CLUSTER = "0123456789abcdef";
    private static final long CAPACITY = 1L << 40;

    private final ExecutorService beside;
    private final CsiVolumes volumes;
    private final CsiSnapshots snapshots;

    private CsiScale(ExecutorService beside, CsiVolumes volumes, CsiSnapshots snapshots) {
        this.beside = beside;
        this.volumes = volumes;
        this.snapshots = snapshots;
    }

    public static void main(String[] args) throws Exception {
        int files = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 20;
        ExecutorService beside = Executors.newSingleThreadExecutor();
        try (InProcessMaster rig = InProcessMaster.start("csi")) {
            CsiTree tree = new CsiTree(rig::mount, BASE, () -> CLUSTER);
            CsiSnapshots snapshots = new CsiSnapshots(tree, Clock.systemUTC());
            CsiVolumes volumes = new CsiVolumes(tree, snapshots, new VolumeLimits(tree, beside));
            CsiScale scale = new CsiScale(beside, volumes, snapshots);
            CsiVolume volume = volumes.create(scale.wish("large", Optional.empty()));
            FilePath data = volumes.data(volume.id());
            for (int first = 0; first < files; first += FILES_PER_DIRECTORY) {
                Object unused = rig.claim(
                        data.child("part-" + first / FILES_PER_DIRECTORY),
                        "f",
                        Math.min(FILES_PER_DIRECTORY, files - first));
            }
            System.out.println(Measure.json(scale.measure(volume, rounds)));
        } finally {
            beside.shutdownNow();
        }
    }

    private CsiVolumes.Wish wish(String name, Optional<VolumeSource> source) throws IOException {
        return new CsiVolumes.Wish(name, VolumeCapacity.of(CAPACITY, 0), VolumeParameters.from(Map.of()), source);
    }

    private interface Call {
        void run(int round) throws IOException;
    }

    private void time(Map<String, Double> figures, String name, int rounds, Call call) throws Exception {
        long[] nanos = new long[rounds];
        long[] counts = new long[rounds];
        for (int i = 0; i < rounds; i++) {
            long start = System.nanoTime();
            call.run(i);
            long end = System.nanoTime();
            nanos[i] = end - start;
            // The quotas are set one after the other.
            beside.submit(() -> true).get();
            counts[i] = System.nanoTime() - end;
        }
        figures.put(name + "_ms", Measure.millis(nanos, 50));
        figures.put(name + "_p99_ms", Measure.millis(nanos, 99));
        figures.put(name + "_quota_ms", Measure.millis(counts, 50));
    }

    private Map<String, Double> measure(CsiVolume volume, int rounds) throws Exception {
        Map<String, Double> figures = new LinkedHashMap<>();
        String id = volume.id().toString();
        CsiSnapshot first = snapshots.create("first", id);
        time(figures, "snapshot", rounds, round -> {
            CsiSnapshot unused = snapshots.create("snapshot-" + round, id);
        });
        VolumeSource snapshot = new VolumeSource(VolumeSource.Kind.SNAPSHOT, first.id());
        time(figures, "clone_of_snapshot", rounds, round -> {
            CsiVolume unused = volumes.create(wish("of-snapshot-" + round, Optional.of(snapshot)));
        });
        VolumeSource itself = new VolumeSource(VolumeSource.Kind.VOLUME, volume.id());
        time(figures, "clone_of_volume", rounds, round -> {
            CsiVolume unused = volumes.create(wish("of-volume-" + round, Optional.of(itself)));
        });
        time(
                figures,
                "delete_clone",
                rounds,
                round -> volumes.delete(new CsiId(CLUSTER, new CsiKey("of-volume-" + round)).toString()));
        figures.put("load", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        return figures;
    }
}
