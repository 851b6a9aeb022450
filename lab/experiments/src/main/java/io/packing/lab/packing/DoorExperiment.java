// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.packing;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.cli.launch.Narrator;
import io.packing.cluster.load.ClusterLoadResult;
import io.packing.cluster.load.ClusterLoadSpec;
import io.packing.cluster.load.LoadSequence;
import io.packing.lab.compare.Median;
import io.packing.rig.AlluxioRig;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import me.tongfei.progressbar.ProgressBar;

/**
 * The cost of packing behind Alluxio: files per second that clients write through Alluxio into a packing mount, against
 * the same into an under file system that does nothing, which is the most that Alluxio allows. Runs alternate, so that
 * whatever else the machine does meets both, and all are of the same warm processes.
 *
 * @param files measured in each run
 * @param size bytes of each
 * @param clients that write at once
 * @param warmUp files written on each side before the first run
 * @param runs on each side; the figures are their medians
 */
public record DoorExperiment(int files, int size, int clients, int warmUp, int runs, Narrator narrator) {
    private static final String WRITE_TYPE = "THROUGH";
    private static final String WHAT = "writing /noop and /packed by turns";
    private static final List<String> SIDES = List.of(AlluxioRig.NOOP, AlluxioRig.PACKED);
    /** Between runs: for what is acknowledged and not yet in a blob. */
    private static final Duration PAUSE = Duration.ofSeconds(6);

    public DoorExperiment {
        if (files < 1 || size < 1 || clients < 1 || warmUp < 0 || runs < 1) {
            throw new IllegalArgumentException(
                    "--files, --size, --clients and --runs must be positive, and --warm-up not negative");
        }
    }

    /**
     * One side.
     *
     * @param filesPerSecond median of the runs, until Alluxio acknowledged the last file
     * @param runs files per second of each run
     * @param cpuMillisPerFile processor time of each kind of process, median of the runs; on the packed side until
     *     everything is durable in blobs
     */
    public record Rate(
            @JsonProperty("files_per_second") double filesPerSecond,
            List<Double> runs,
            @JsonProperty("cpu_ms_per_file") Map<String, Double> cpuMillisPerFile) {
        double cpuMillis() {
            return cpuMillisPerFile.values().stream()
                    .mapToDouble(Double::doubleValue)
                    .sum();
        }
    }

    /** Both sides, and the median of what packing's rate is to the other's in the same run. */
    public record Result(long files, long size, int clients, Rate packing, Rate noop, double ratio) {
        public void print(PrintWriter out) {
            out.printf(Locale.ROOT, "%-24s %12s %12s %8s%n", "", "packing", "no-op", "ratio");
            for (int i = 0; i < packing.runs().size(); i++) {
                row(
                        out,
                        "files/s, run " + (i + 1),
                        packing.runs().get(i),
                        noop.runs().get(i));
            }
            row(out, "files/s, median", packing.filesPerSecond(), noop.filesPerSecond());
            out.printf(Locale.ROOT, "%-50s %8.2f%n", "median of the runs' ratios", ratio);
            packing.cpuMillisPerFile()
                    .forEach((name, millis) -> row(
                            out,
                            "CPU ms/file, " + name,
                            millis,
                            noop.cpuMillisPerFile().getOrDefault(name, 0.0)));
            row(out, "CPU ms/file, all", packing.cpuMillis(), noop.cpuMillis());
        }

        private static void row(PrintWriter out, String name, double packing, double noop) {
            out.printf(
                    Locale.ROOT,
                    "%-24s %,12.3f %,12.3f %8s%n",
                    name,
                    packing,
                    noop,
                    noop == 0 ? "" : String.format(Locale.ROOT, "%.2f", packing / noop));
        }
    }

    /** Files of both sides, warm-ups included. */
    public long allFiles() {
        return loads().files();
    }

    public Result run(AlluxioRig rig) throws IOException, InterruptedException {
        narrator.accept(WHAT);
        LoadSequence loads = loads();
        Rate packing;
        Rate noop;
        try (ProgressBar bar = narrator.bar(WHAT, loads.files())) {
            Measured measured = new Measured(rig, bar);
            rig.alluxio().load(loads, measured);
            packing = measured.rate(AlluxioRig.PACKED);
            noop = measured.rate(AlluxioRig.NOOP);
        }
        List<Double> ratios = IntStream.range(0, runs)
                .mapToObj(i -> packing.runs().get(i) / noop.runs().get(i))
                .toList();
        return new Result(files, size, clients, packing, noop, Median.of(ratios));
    }

    /** The warm-up of each side, then the runs: the sides by turns. */
    private LoadSequence loads() {
        List<ClusterLoadSpec> loads = new ArrayList<>();
        for (int run = 0; run <= runs; run++) {
            for (String side : SIDES) {
                String directory = run == 0 ? "/%s/warm-up".formatted(side) : "/%s/run-%d".formatted(side, run);
                loads.add(ClusterLoadSpec.write(directory, run == 0 ? warmUp : files, size, clients, WRITE_TYPE));
            }
        }
        return new LoadSequence(loads, PAUSE);
    }

    /** The measurements of the runs. */
    private final class Measured implements ClusterLoadResult.Listener {
        private final AlluxioRig rig;
        private final ProgressBar bar;
        private final Map<String, List<Double>> rates = new HashMap<>();
        private final Map<String, Map<String, List<Double>>> cpuMillis = new HashMap<>();
        private Map<String, Double> before = Map.of();
        private int ended;

        Measured(AlluxioRig rig, ProgressBar bar) {
            this.rig = rig;
            this.bar = bar;
        }

        @Override
        public void begins() {
            before = rig.cpuMillis();
        }

        @Override
        public void progress(long files) {
            bar.stepTo(files);
        }

        @Override
        public void ended(ClusterLoadResult result) throws IOException {
            Loads.requireClean(WHAT, result);
            long at = System.nanoTime();
            String side = SIDES.get(ended % SIDES.size());
            if (side.equals(AlluxioRig.PACKED)) {
                rig.flush();
            }
            Map<String, Double> servers = new HashMap<>(rig.cpuMillis());
            if (System.nanoTime() - at > PAUSE.toNanos()) {
                throw new IOException("pushing what a run wrote took longer than the pause of %d s after it"
                        .formatted(PAUSE.toSeconds()));
            }
            if (ended >= SIDES.size()) {
                servers.replaceAll((name, millis) -> (millis - before.getOrDefault(name, 0.0)) / files);
                servers.put("client", result.cpuNanos() / 1e6 / files);
                note(side, result.filesPerSecond(), servers);
            }
            ended++;
        }

        private void note(String side, double rate, Map<String, Double> cpu) {
            rates.computeIfAbsent(side, s -> new ArrayList<>()).add(rate);
            Map<String, List<Double>> ofSide = cpuMillis.computeIfAbsent(side, s -> new TreeMap<>());
            cpu.forEach((name, millis) ->
                    ofSide.computeIfAbsent(name, n -> new ArrayList<>()).add(millis));
        }

        Rate rate(String side) {
            TreeMap<String, Double> cpu = new TreeMap<>();
            cpuMillis.getOrDefault(side, Map.of()).forEach((name, each) -> cpu.put(name, Median.of(each)));
            List<Double> runs = rates.getOrDefault(side, List.of());
            return new Rate(Median.of(runs), List.copyOf(runs), cpu);
        }
    }
}
