package io.packing.cli.experiment;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.cli.compare.Median;
import io.packing.cli.rig.AlluxioRig;
import io.packing.cli.rig.Narrator;
import io.packing.cluster.load.LoadSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What packing costs at Alluxio's door: files per second that clients write through Alluxio into a packing mount, against
 * the same into an under file system that does nothing, which is the most that Alluxio allows. Runs alternate, so that
 * whatever else the machine does meets both.
 *
 * @param files measured in each run
 * @param size bytes of each
 * @param clients that write at once
 * @param warmUp files written before the clock of each run starts
 * @param runs on each side; the figures are their medians
 */
public record DoorExperiment(int files, int size, int clients, int warmUp, int runs, Narrator narrator) {
    private static final String WRITE_TYPE = "THROUGH";

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

    /** Both sides, and packing's rate divided by that of the other. */
    public record Result(long files, long size, int clients, Rate packing, Rate noop, double ratio) {
        public void print(PrintWriter out) {
            out.printf(Locale.ROOT, "%-24s %12s %12s %8s%n", "", "packing", "no-op", "ratio");
            row(out, "files/s, median", packing.filesPerSecond(), noop.filesPerSecond());
            for (int i = 0; i < packing.runs().size(); i++) {
                row(
                        out,
                        "files/s, run " + (i + 1),
                        packing.runs().get(i),
                        noop.runs().get(i));
            }
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

    Result run(AlluxioRig rig) throws IOException, InterruptedException {
        var packing = new Runs(rig, AlluxioRig.PACKED);
        var noop = new Runs(rig, AlluxioRig.NOOP);
        for (int i = 0; i < runs; i++) {
            noop.one(i);
            packing.one(i);
        }
        var packed = packing.rate();
        var ceiling = noop.rate();
        return new Result(files, size, clients, packed, ceiling, packed.filesPerSecond() / ceiling.filesPerSecond());
    }

    /** The runs of one side. */
    private final class Runs {
        private final AlluxioRig rig;
        private final String mount;
        private final List<Double> rates = new ArrayList<>();
        private final Map<String, List<Double>> cpuMillis = new TreeMap<>();

        Runs(AlluxioRig rig, String mount) {
            this.rig = rig;
            this.mount = mount;
        }

        void one(int number) throws IOException, InterruptedException {
            var what = "writing /%s, run %d of %d".formatted(mount, number + 1, runs);
            var spec = LoadSpec.write("/%s/run-%d".formatted(mount, number), files, size, clients, WRITE_TYPE)
                    .withWarmUp(warmUp);
            var before = rig.cpuMillis();
            var result = Loads.run(rig, what, spec, narrator);
            if (mount.equals(AlluxioRig.PACKED)) {
                narrator.accept("waiting until every file is in a blob");
                rig.flush();
            }
            rates.add(result.filesPerSecond());
            var servers = new LinkedHashMap<>(rig.cpuMillis());
            servers.replaceAll((name, millis) -> (millis - before.getOrDefault(name, 0.0)) / (files + warmUp));
            servers.put("client", result.cpuNanos() / 1e6 / files);
            servers.forEach((name, millis) ->
                    cpuMillis.computeIfAbsent(name, n -> new ArrayList<>()).add(millis));
        }

        Rate rate() {
            var cpu = new TreeMap<String, Double>();
            cpuMillis.forEach((name, each) -> cpu.put(name, Median.of(each)));
            return new Rate(Median.of(rates), List.copyOf(rates), cpu);
        }
    }
}
