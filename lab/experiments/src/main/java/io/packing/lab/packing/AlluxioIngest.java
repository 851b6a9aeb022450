// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.packing;

import io.packing.cluster.load.ClusterLoadResult;
import io.packing.cluster.load.ClusterLoadSpec;
import io.packing.lab.load.Meter;
import io.packing.lab.load.RunProgress;
import io.packing.rig.AlluxioRig;
import java.io.IOException;

/**
 * The ingest experiment (§8, Table 1) at Alluxio's door: clients write small files through Alluxio into a packing mount,
 * and the same files into a mount of Alluxio's own S3 under file system, to the same S3 server. The files are read back
 * through another worker than the one that wrote them.
 *
 * @param warmUp files that the packed side writes before the clock starts
 * @param writeType Alluxio's: THROUGH or CACHE_THROUGH
 */
public record AlluxioIngest(IngestSpec spec, int warmUp, String writeType, RunProgress progress) {
    public AlluxioIngest {
        if (spec.files() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("--files: at most %d through Alluxio".formatted(Integer.MAX_VALUE));
        }
        if (warmUp < 0) {
            throw new IllegalArgumentException("--warm-up must not be negative");
        }
        if (!writeType.equals("THROUGH") && !writeType.equals("CACHE_THROUGH")) {
            throw new IllegalArgumentException("--write-type: THROUGH or CACHE_THROUGH, not '%s'".formatted(writeType));
        }
    }

    public IngestResult run(AlluxioRig rig) throws IOException, InterruptedException {
        Meter.Metered packed = side(rig, AlluxioRig.PACKED, "Alluxio on packing", warmUp, spec.files());
        Meter.Metered direct = side(
                rig,
                AlluxioRig.DIRECT,
                "Alluxio on its own S3",
                (int) IngestSpec.directWarmUp(warmUp),
                spec.directFiles());
        progress.accept("stopping Alluxio");
        return IngestResult.of(spec, packed, direct);
    }

    private Meter.Metered side(AlluxioRig rig, String prefix, String name, int warm, long files)
            throws IOException, InterruptedException {
        if (warm > 0) {
            ClusterLoadResult unused = Loads.run(
                    rig,
                    name + " warms up",
                    ClusterLoadSpec.write("/" + prefix + "/warm-up", warm, spec.size(), spec.clients(), writeType),
                    progress);
            settle(rig, prefix);
        }
        Meter meter = Meter.start(rig.s3(), prefix);
        ClusterLoadSpec load =
                ClusterLoadSpec.write("/" + prefix + "/files", (int) files, spec.size(), spec.clients(), writeType);
        ClusterLoadResult written = Loads.run(rig, name + " writes", load, progress);
        Meter.Ingested ingested = meter.ingested(written.seconds(), written.seconds() + settle(rig, prefix));
        ClusterLoadResult read = Loads.run(rig, name + " reads back", load.readBack(), progress);
        return ingested.readBack(written.files(), spec.size(), read.files() - read.mismatches());
    }

    /** Waits until everything is durable in the store, and returns the seconds of that; then backs the table up. */
    private double settle(AlluxioRig rig, String prefix) throws IOException {
        if (!prefix.equals(AlluxioRig.PACKED)) {
            return 0;
        }
        progress.accept("waiting until every file is in a blob");
        long waitingSince = System.nanoTime();
        rig.flush();
        double seconds = (System.nanoTime() - waitingSince) / 1e9;
        // The durable files do not wait for it, but it is paid for.
        rig.checkpoint();
        return seconds;
    }
}
