// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.packing.bdt.Operation;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/**
 * A benchmark of snapshots and clones of trees at a BDT master, over gRPC and with synced logs. It makes them of a
 * directory of 1,000 files and of a large tree. It lists a directory in a snapshot beside the present one, and locates
 * files in a clone beside its source. It overwrites files with and without a snapshot (ANViL, Figure 2). Each round
 * prints one line of JSON.
 *
 * <p>Usage: {@code snapshots [rounds] [files of the large tree]}.
 */
public final class SnapshotScale {
    private static final FilePath LARGE = new FilePath("/large");
    private static final FilePath SMALL = new FilePath("/small");
    private static final FilePath WRITTEN = new FilePath("/written");
    private static final FilePath PACKED = new FilePath("/packed");
    private static final FilePath CLONE = new FilePath("/clone");
    private static final int FILES_PER_DIRECTORY = 1_000;
    private static final int SNAPSHOTS = 100;
    private static final int WRITES = 20_000;
    private static final int PACKED_WRITES = 16_384;
    private static final int LISTINGS = 100;
    private static final int LOCATES = 10_000;

    private final InProcessMaster rig;
    private int taken;

    private SnapshotScale(InProcessMaster rig) {
        this.rig = rig;
    }

    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        int files = args.length > 1 ? Integer.parseInt(args[1]) : 1_000_000;
        try (InProcessMaster rig = InProcessMaster.start("snapshots")) {
            SnapshotScale scale = new SnapshotScale(rig);
            List<FileVersion> unused = rig.claim(SMALL, "f", FILES_PER_DIRECTORY);
            for (int first = 0; first < files; first += FILES_PER_DIRECTORY) {
                unused = rig.claim(
                        LARGE.child("part-" + first / FILES_PER_DIRECTORY),
                        "f",
                        Math.min(FILES_PER_DIRECTORY, files - first));
            }
            // Both kinds of writes replace existing files.
            unused = rig.claim(WRITTEN, "f", WRITES);
            for (int round = 0; round < rounds; round++) {
                System.out.println(Measure.json(scale.round()));
            }
        }
    }

    private Map<String, Double> round() throws Exception {
        Map<String, Double> figures = new LinkedHashMap<>();
        // The cases take turns, so that a drift of the machine hits both alike.
        snapshots(SMALL, SNAPSHOTS / 4);
        figures.put("snapshot_small_ms_p50", Measure.millis(snapshots(SMALL, SNAPSHOTS), 50));
        figures.put("snapshot_large_ms_p50", Measure.millis(snapshots(LARGE, SNAPSHOTS), 50));
        clones(SMALL, SNAPSHOTS / 4);
        figures.put("clone_small_ms_p50", Measure.millis(clones(SMALL, SNAPSHOTS), 50));
        figures.put("clone_large_ms_p50", Measure.millis(clones(LARGE, SNAPSHOTS), 50));
        figures.put("locate_clone_to_source", locateCloneToSource());
        String last = snapshot(SMALL);
        figures.put(
                "list_past_to_present",
                list(SMALL) / list(SMALL.child(FilePath.SNAPSHOTS).child(last)));
        rig.apply(List.of(new Operation.DropSnapshot(SMALL, last)));
        double without = writesPerSecond();
        String kept = snapshot(WRITTEN);
        double with = writesPerSecond();
        rig.apply(List.of(new Operation.DropSnapshot(WRITTEN, kept)));
        figures.put("writes_per_second", without);
        figures.put("writes_with_snapshot_to_without", with / without);
        figures.put("packed_writes_with_snapshot_to_without", packedWrites());
        return figures;
    }

    private String snapshot(FilePath directory) throws IOException {
        String name = "s" + taken++;
        rig.apply(List.of(new Operation.TakeSnapshot(directory, name)));
        return name;
    }

    /** Measures the nanoseconds of each snapshot; each is dropped again. */
    private long[] snapshots(FilePath directory, int count) throws IOException {
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            long start = System.nanoTime();
            String name = snapshot(directory);
            nanos[i] = System.nanoTime() - start;
            rig.apply(List.of(new Operation.DropSnapshot(directory, name)));
        }
        return nanos;
    }

    /** Measures the nanoseconds of each clone; each is deleted again. */
    private long[] clones(FilePath directory, int count) throws IOException {
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            long start = System.nanoTime();
            rig.apply(List.of(new Operation.CloneDirectory(directory, CLONE)));
            nanos[i] = System.nanoTime() - start;
            rig.apply(List.of(new Operation.Delete(CLONE, true)));
        }
        return nanos;
    }

    /** Returns the number of locates in a clone in the time of one in its source: the median of five turns. */
    private double locateCloneToSource() throws IOException {
        rig.apply(List.of(new Operation.CloneDirectory(SMALL, CLONE)));
        double[] ratios = new double[5];
        for (int i = 0; i < ratios.length; i++) {
            double source = locate(SMALL);
            ratios[i] = source / locate(CLONE);
        }
        rig.apply(List.of(new Operation.Delete(CLONE, true)));
        Arrays.sort(ratios);
        return ratios[ratios.length / 2];
    }

    /** Measures the seconds of lookups. */
    private double locate(FilePath directory) throws IOException {
        long start = System.nanoTime();
        for (int i = 0; i < LOCATES; i++) {
            FilePath path = directory.child("f" + i % FILES_PER_DIRECTORY);
            if (rig.mount().locate(path).isEmpty()) {
                throw new IllegalStateException(path + " is nowhere");
            }
        }
        return Measure.seconds(start);
    }

    /** Measures the seconds of listings. */
    private double list(FilePath directory) throws IOException {
        long start = System.nanoTime();
        for (int i = 0; i < LISTINGS; i++) {
            int entries = rig.mount()
                    .list(directory, "", FILES_PER_DIRECTORY)
                    .orElseThrow()
                    .size();
            if (entries != FILES_PER_DIRECTORY) {
                throw new IllegalStateException("%s has %d entries".formatted(directory, entries));
            }
        }
        return Measure.seconds(start);
    }

    /**
     * Returns the rate of overwrites of files in blobs with a snapshot to that without one: the median of five turns.
     */
    private double packedWrites() throws IOException, InterruptedException, ExecutionException {
        double[] ratios = new double[5];
        for (int i = 0; i < ratios.length; i++) {
            FilePath plain = PACKED.child("plain-" + taken);
            FilePath seen = PACKED.child("seen-" + taken);
            rig.commit(rig.claim(plain, "f", PACKED_WRITES));
            rig.commit(rig.claim(seen, "f", PACKED_WRITES));
            String kept = snapshot(seen);
            boolean seenFirst = i % 2 == 0;
            double first = seconds(seenFirst ? seen : plain);
            double second = seconds(seenFirst ? plain : seen);
            ratios[i] = seenFirst ? second / first : first / second;
            rig.apply(List.of(new Operation.DropSnapshot(seen, kept), new Operation.Delete(plain, true)));
        }
        Arrays.sort(ratios);
        return ratios[ratios.length / 2];
    }

    /** Measures the seconds of overwrites of all files of a directory; then they are in blobs again. */
    private double seconds(FilePath directory) throws IOException, InterruptedException, ExecutionException {
        long start = System.nanoTime();
        List<FileVersion> versions = rig.claim(directory, "f", PACKED_WRITES);
        double seconds = Measure.seconds(start);
        rig.commit(versions);
        return seconds;
    }

    private double writesPerSecond() throws IOException, InterruptedException, ExecutionException {
        long start = System.nanoTime();
        List<FileVersion> unused = rig.claim(WRITTEN, "f", WRITES);
        return WRITES / Measure.seconds(start);
    }
}
