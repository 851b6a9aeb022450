// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.packing;

import io.packing.lab.compare.CostComparison;
import io.packing.lab.compare.PutTimeline;
import io.packing.lab.compare.SideResult;
import io.packing.lab.load.Meter;

/** Both sides of an ingest, and the requests of each over time. */
public record IngestResult(CostComparison comparison, PutTimeline packed, PutTimeline direct) {
    public static IngestResult of(IngestSpec spec, Meter.Metered packed, Meter.Metered direct) {
        CostComparison comparison = CostComparison.of(
                SideResult.of(packed.measurement(), spec.prices()),
                SideResult.extrapolated(direct.measurement(), spec.files(), spec.prices()));
        return new IngestResult(comparison, packed.timeline(), direct.timeline());
    }
}
