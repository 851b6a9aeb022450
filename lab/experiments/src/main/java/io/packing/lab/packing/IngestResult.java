// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.packing;

import io.packing.lab.compare.Baseline;
import io.packing.lab.compare.CapacityModel;
import io.packing.lab.compare.CostComparison;
import io.packing.lab.compare.FigureSpread;
import io.packing.lab.compare.IngestReport;
import io.packing.lab.compare.PutTimeline;
import io.packing.lab.compare.RunOrigin;
import io.packing.lab.compare.SideResult;
import io.packing.lab.load.Meter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * All runs of an ingest.
 *
 * @param packed runs of the packed side, in their order
 * @param direct runs of clients without packing; the first stands for all where there is room for one
 * @param noopSeconds until acknowledged, of runs over an under file system that does nothing, each beside the packed run of
 *     its number; none where a door has no such file system
 * @param model of several machines
 */
public record IngestResult(
        IngestSpec spec,
        List<Meter.Metered> packed,
        List<DirectRun> direct,
        List<Double> noopSeconds,
        Optional<CapacityModel> model) {
    public IngestResult {
        packed = List.copyOf(packed);
        direct = List.copyOf(direct);
        noopSeconds = List.copyOf(noopSeconds);
        if (packed.isEmpty() || direct.isEmpty()) {
            throw new IllegalArgumentException("an ingest without a packed or a direct run");
        }
    }

    /** Returns the result of a door without a ceiling. */
    static IngestResult of(IngestSpec spec, List<Meter.Metered> packed, List<DirectRun> direct) {
        return new IngestResult(spec, packed, direct, List.of(), Optional.empty());
    }

    private SideResult side(Meter.Metered metered) {
        return SideResult.extrapolated(metered.measurement(), spec.files(), spec.prices());
    }

    /** Returns the packed run in the middle by its seconds; the faster one of two. */
    public Meter.Metered packedMiddle() {
        List<Meter.Metered> sorted = packed.stream()
                .sorted(Comparator.comparingDouble(each -> each.measurement().seconds()))
                .toList();
        return sorted.get((sorted.size() - 1) / 2);
    }

    /** Returns the packed run in the middle beside the first direct client. */
    public CostComparison comparison() {
        return CostComparison.of(side(packedMiddle()), side(direct.get(0).metered()));
    }

    /** Returns requests over time of the packed run in the middle. */
    public PutTimeline packedTimeline() {
        return packedMiddle().timeline();
    }

    /** Returns requests over time of the first direct client. */
    public PutTimeline directTimeline() {
        return direct.get(0).metered().timeline();
    }

    /** Returns the report of all runs. */
    public IngestReport report(RunOrigin origin) {
        return new IngestReport(
                comparison(),
                packed.stream()
                        .map(each -> IngestReport.PackedRun.of(side(each)))
                        .toList(),
                direct.stream().map(this::baseline).toList(),
                noopSeconds.isEmpty() ? List.of() : List.of(ceiling()),
                model.stream().toList(),
                origin);
    }

    private Baseline baseline(DirectRun run) {
        SideResult side = side(run.metered());
        List<Double> ratios = packed.stream()
                .map(each -> side.seconds() / each.measurement().seconds())
                .toList();
        CostComparison toMiddle = CostComparison.of(side(packedMiddle()), side);
        return new Baseline(
                run.client(),
                run.settings(),
                side,
                run.repeated(),
                FigureSpread.of(ratios),
                toMiddle.ratio().dollars());
    }

    private IngestReport.Ceiling ceiling() {
        List<Double> ratios = new ArrayList<>();
        for (int run = 0; run < noopSeconds.size(); run++) {
            ratios.add(noopSeconds.get(run) / packed.get(run).measurement().acknowledgedSeconds());
        }
        return new IngestReport.Ceiling(spec.files(), noopSeconds, FigureSpread.of(ratios));
    }
}
