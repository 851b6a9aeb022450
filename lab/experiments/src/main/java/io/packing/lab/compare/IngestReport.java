// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.compare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/**
 * The report of an ingest. Its JSON has the fields of the comparison at the top: the packed run with the median seconds, and
 * the first direct client.
 *
 * @param packedRuns all packed runs, in their order
 * @param baselines the clients without packing, each beside the packed runs
 * @param ceiling runs over an under file system that does nothing; empty where a door has none
 * @param model of several machines; empty where there is none
 */
public record IngestReport(
        @JsonIgnore CostComparison comparison,
        @JsonProperty("packed_runs") List<PackedRun> packedRuns,
        List<Baseline> baselines,

        @JsonProperty("noop") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<Ceiling> ceiling,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<CapacityModel> model,
        RunOrigin origin) {
    /** One packed run. */
    public record PackedRun(
            @JsonProperty("acknowledged_seconds") double acknowledgedSeconds,
            double seconds,
            long put,
            double dollars,
            long throttled,
            long verified) {
        /** Returns the run as it is in a report. */
        public static PackedRun of(SideResult side) {
            return new PackedRun(
                    side.acknowledgedSeconds(),
                    side.seconds(),
                    side.put(),
                    side.dollars(),
                    side.throttled(),
                    side.verified());
        }
    }

    /**
     * The ceiling of a door: files over an under file system that does nothing.
     *
     * @param seconds until acknowledged, of each run
     * @param packedToNoop the rate of each packed run, until acknowledged, to that of the run beside it
     */
    public record Ceiling(
            long files,
            List<Double> seconds,
            @JsonProperty("packed_to_noop") FigureSpread packedToNoop) {
        public Ceiling {
            seconds = List.copyOf(seconds);
        }
    }

    public IngestReport {
        packedRuns = List.copyOf(packedRuns);
        baselines = List.copyOf(baselines);
        ceiling = List.copyOf(ceiling);
        model = List.copyOf(model);
    }

    /** Returns the fields at the top. */
    @JsonUnwrapped
    public CostComparison top() {
        return comparison;
    }

    /** Returns the seconds until durable to those until acknowledged, of the packed runs. */
    @JsonProperty("durable_to_acknowledged")
    public FigureSpread durableToAcknowledged() {
        return FigureSpread.of(packedRuns.stream()
                .map(run -> run.seconds() / run.acknowledgedSeconds())
                .toList());
    }

    /** Returns the paper's own figures. */
    @JsonProperty("paper")
    public PaperIngest paper() {
        return PaperIngest.TABLE_1;
    }

    /** Returns whether every written file was read back unchanged. */
    @JsonIgnore
    public boolean isComplete() {
        return packedRuns.stream()
                        .allMatch(run -> run.verified() == comparison.packed().files())
                && baselines.stream().allMatch(each -> each.side().isComplete());
    }

    /** Prints the tables for people. */
    public void print(PrintWriter out) {
        comparison.print(out);
        out.println();
        out.printf(
                "%-24s %10s %26s %14s %9s %12s%n",
                "side", "seconds", "seconds to packed", "refused/1,000", "given up", "dollars");
        for (PackedRun run : packedRuns) {
            row(out, "packed", run.seconds(), "", 1_000.0 * run.throttled() / run.verified(), "", run.dollars());
        }
        for (Baseline each : baselines) {
            row(
                    out,
                    each.client(),
                    each.side().seconds(),
                    each.secondsRatio().toString(),
                    each.throttledPer1000(),
                    Long.toString(each.repeated()),
                    each.side().dollars());
        }
        PaperIngest paper = paper();
        row(
                out,
                "the paper's direct",
                paper.directSeconds(),
                String.format(Locale.ROOT, "%.0f", paper.secondsRatio()),
                paper.directRetriesPer1000(),
                "",
                0);
        out.printf(
                Locale.ROOT,
                "The paper wrote %,d files through Alluxio on EC2; its packed side took %.1f s.%n",
                paper.files(),
                paper.packedSeconds());
        out.printf("Packed: seconds until durable to those until acknowledged: %s%n", durableToAcknowledged());
        for (Ceiling each : ceiling) {
            out.printf(
                    Locale.ROOT,
                    "Over an under file system that does nothing: %s s; packed to it, files/s until acknowledged: %s%n",
                    FigureSpread.of(each.seconds()),
                    each.packedToNoop());
        }
        model.forEach(each -> each.print(out, comparison.packed().files()));
        baselines.forEach(each -> out.println("Direct: " + each.settings()));
        origin.lines().forEach(out::println);
    }

    private static void row(
            PrintWriter out, String side, double seconds, String ratio, double refused, String given, double dollars) {
        out.println("%-24s %10s %26s %14s %9s %12s"
                .formatted(
                        side,
                        String.format(Locale.ROOT, "%,.1f", seconds),
                        ratio,
                        String.format(Locale.ROOT, "%,.1f", refused),
                        given,
                        dollars == 0 ? "" : String.format(Locale.ROOT, "%.6f", dollars))
                .stripTrailing());
    }
}
