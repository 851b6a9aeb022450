package io.packing.lab.packing;

import io.packing.lab.compare.Comparison;
import io.packing.lab.compare.Side;
import io.packing.lab.compare.Timeline;
import io.packing.lab.load.Meter;

/** Both sides of an ingest, and the requests of each over time. */
public record IngestResult(Comparison comparison, Timeline packed, Timeline direct) {
    public static IngestResult of(IngestSpec spec, Meter.Metered packed, Meter.Metered direct) {
        Comparison comparison = Comparison.of(
                Side.of(packed.measurement(), spec.prices()),
                Side.extrapolated(direct.measurement(), spec.files(), spec.prices()));
        return new IngestResult(comparison, packed.timeline(), direct.timeline());
    }
}
