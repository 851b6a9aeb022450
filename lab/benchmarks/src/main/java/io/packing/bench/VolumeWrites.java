// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import io.packing.nbd.NbdServer;
import io.packing.volumes.Volume;
import io.packing.volumes.VolumeExport;
import io.packing.volumes.VolumeFiles;
import io.packing.volumes.VolumeMemory;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A benchmark of a volume (ANViL §5.1.2). A client of NBD keeps 32 synced writes of 4 KB under way at random places of 1 GB.
 * The server of the volume is in this process; a master and a worker are processes of their own with a directory as the
 * store. The figures are writes a second, also of the first and of the last tenth, and the processor time of all processes for a
 * write. Writes without and with a snapshot are measured in turns. Snapshots are timed of the volume while it is served, of the
 * same one without a server, and of a volume of 100 GB without a written block. Last come writes with many snapshots.
 */
public final class VolumeWrites {
    private static final List<String> SYNCED = List.of("packing.durability=synced");
    private static final FilePath VOLUME = new FilePath("/volume");
    private static final FilePath LARGE = new FilePath("/large");
    private static final long LARGE_BYTES = 100L << 30;
    private static final int BLOCK = 4096;
    private static final int DEPTH = 32;
    private static final int DECILES = 10;
    private static final int COPIES = 50;
    /** The turns of writes without and with a snapshot. */
    private static final int TURNS = 3;

    private VolumeWrites() {}

    /** Takes the number of writes, the bytes of the volume, and the number of snapshots of the written volume. */
    public static void main(String[] args) throws Exception {
        int writes = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
        long bytes = args.length > 1 ? Long.parseLong(args[1]) : 1L << 30;
        int copies = args.length > 2 ? Integer.parseInt(args[2]) : COPIES;
        System.out.println(Measure.json(measure(writes, bytes, copies)));
    }

    /** Returns the figures of a run. */
    static Map<String, Double> measure(int writes, long bytes, int copies) throws Exception {
        Path home = Files.createTempDirectory("volume-writes");
        ExecutorService background = Executors.newSingleThreadExecutor();
        try (IngestCluster cluster = new IngestCluster(home, List.of(), SYNCED)) {
            RemotePackingFileSystem mount = cluster.client(SYNCED);
            VolumeFiles files = new VolumeFiles(mount.bdt());
            files.create(VOLUME, bytes);
            Map<String, Double> figures = new LinkedHashMap<>();
            int tenth = writes / DECILES;
            try (Volume volume = Volume.open(mount, VOLUME, false, VolumeMemory.USUAL, background);
                    NbdServer server = serve(volume);
                    NbdWriter client = new NbdWriter(server.port())) {
                double cpuBefore = cluster.cpuSeconds();
                long[] nanos = write(client, writes, bytes, 1);
                figures.put("writes_per_s", rate(nanos, 0, writes));
                figures.put("first_decile_per_s", rate(nanos, 0, tenth));
                figures.put("fifth_decile_per_s", rate(nanos, 4 * tenth, 5 * tenth));
                figures.put("last_decile_per_s", rate(nanos, writes - tenth, writes));
                figures.put("cpu_us_per_write", 1e6 * (cluster.cpuSeconds() - cpuBefore) / writes);
                snapshots(mount, client, tenth, bytes, figures);
            }
            VolumeFiles.Statistics written = files.statistics(VOLUME);
            figures.put("pieces", (double) written.pieces());
            double[] ofWritten = copies(files, VOLUME, copies);
            figures.put("clone_of_written_ms", Measure.median(ofWritten));
            figures.put("slowest_clone_of_written_ms", ofWritten[copies - 1]);
            files.create(LARGE, LARGE_BYTES);
            figures.put("clone_of_100_gb_ms", Measure.median(copies(files, LARGE, COPIES)));
            try (Volume volume = Volume.open(mount, VOLUME, false, VolumeMemory.USUAL, background);
                    NbdServer server = serve(volume);
                    NbdWriter client = new NbdWriter(server.port())) {
                long[] nanos = write(client, tenth, bytes, 2 * TURNS + 2);
                figures.put("with_all_snapshots_per_s", rate(nanos, 0, tenth));
                figures.put("longest_pause_with_all_ms", longestPauseMillis(nanos));
            }
            return figures;
        } finally {
            background.shutdown();
            IngestTurns.delete(home);
        }
    }

    private static NbdServer serve(Volume volume) throws IOException {
        return NbdServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new VolumeExport(VOLUME, volume),
                Optional.empty());
    }

    /** Returns the longest time in which no write ended. */
    private static double longestPauseMillis(long[] nanos) {
        long longest = 0;
        for (int i = 1; i < nanos.length; i++) {
            longest = Math.max(longest, nanos[i] - nanos[i - 1]);
        }
        return longest / 1e6;
    }

    /** Measures writes without a snapshot and with one, in turns: what came before makes later writes slower or faster. */
    private static void snapshots(
            RemotePackingFileSystem mount, NbdWriter client, int writes, long bytes, Map<String, Double> figures)
            throws IOException {
        VolumeFiles files = new VolumeFiles(mount.bdt());
        double[] without = new double[TURNS];
        double[] with = new double[TURNS];
        double[] millis = new double[TURNS];
        for (int i = 0; i < TURNS; i++) {
            without[i] = rate(write(client, writes, bytes, 2 * i + 2), 0, writes);
            long start = System.nanoTime();
            FilePath snapshot = files.snapshot(VOLUME, "turn");
            millis[i] = (System.nanoTime() - start) / 1e6;
            with[i] = rate(write(client, writes, bytes, 2 * i + 3), 0, writes);
            if (mount.bdt().delete(snapshot, false) != Outcome.DONE) {
                throw new IOException(snapshot + " is gone");
            }
        }
        figures.put("without_snapshot_per_s", Measure.median(without));
        figures.put("with_snapshot_per_s", Measure.median(with));
        figures.put("snapshot_of_served_ms", Measure.median(millis));
    }

    /** Returns the times of the ends, with that of the beginning before them. */
    private static long[] write(NbdWriter client, int count, long bytes, long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] content = new byte[BLOCK];
        random.nextBytes(content);
        long[] nanos = new long[count + 1];
        nanos[0] = System.nanoTime();
        client.write(
                count,
                DEPTH,
                () -> random.nextLong(bytes / BLOCK) * BLOCK,
                content,
                ended -> nanos[ended] = System.nanoTime());
        return nanos;
    }

    private static double rate(long[] nanos, int from, int to) {
        return (to - from) / ((nanos[to] - nanos[from]) / 1e9);
    }

    /** Returns the milliseconds of snapshots, ascending. */
    private static double[] copies(VolumeFiles files, FilePath volume, int count) throws IOException {
        double[] millis = new double[count];
        for (int i = 0; i < count; i++) {
            long start = System.nanoTime();
            FilePath unused = files.snapshot(volume, "copy" + i);
            millis[i] = (System.nanoTime() - start) / 1e6;
        }
        Arrays.sort(millis);
        return millis;
    }
}
