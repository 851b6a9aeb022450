package io.packing.cli.experiment;

import io.packing.cli.compare.Comparison;
import io.packing.cli.compare.Side;
import io.packing.cli.compare.Timeline;

/** Both sides of an ingest, and the requests of each over time. */
public record IngestResult(Comparison comparison, Timeline packed, Timeline direct) {
    static IngestResult of(IngestSpec spec, Meter.Metered packed, Meter.Metered direct) {
        Comparison comparison = Comparison.of(
                Side.of(packed.measurement(), spec.prices()),
                Side.extrapolated(direct.measurement(), spec.files(), spec.prices()));
        return new IngestResult(comparison, packed.timeline(), direct.timeline());
    }
}
