package io.packing.lab.packing;

import io.packing.cli.launch.Narrator;
import io.packing.cluster.load.ClusterLoadResult;
import io.packing.cluster.load.ClusterLoadSpec;
import io.packing.lab.load.Meter;
import io.packing.rig.AlluxioRig;
import java.io.IOException;

/**
 * The ingest experiment (§8, Table 1) at Alluxio's door: clients write small files through Alluxio into a packing mount,
 * and the same files into a mount of Alluxio's own S3 under file system, to the same S3 server. The files are read back
 * through another worker than the one that wrote them.
 *
 * @param writeType Alluxio's: THROUGH or CACHE_THROUGH
 */
public record AlluxioIngest(IngestSpec spec, String writeType, Narrator narrator) {
    public AlluxioIngest {
        if (spec.files() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("--files: at most %d through Alluxio".formatted(Integer.MAX_VALUE));
        }
        if (!writeType.equals("THROUGH") && !writeType.equals("CACHE_THROUGH")) {
            throw new IllegalArgumentException("--write-type: THROUGH or CACHE_THROUGH, not '%s'".formatted(writeType));
        }
    }

    public IngestResult run(AlluxioRig rig) throws IOException, InterruptedException {
        Meter.Metered packed = side(rig, AlluxioRig.PACKED, spec.files());
        Meter.Metered direct = side(rig, AlluxioRig.DIRECT, spec.directFiles());
        narrator.accept("stopping");
        return IngestResult.of(spec, packed, direct);
    }

    private Meter.Metered side(AlluxioRig rig, String prefix, long files) throws IOException, InterruptedException {
        Meter meter = Meter.start(rig.s3(), prefix);
        ClusterLoadSpec load =
                ClusterLoadSpec.write("/" + prefix + "/files", (int) files, spec.size(), spec.clients(), writeType);
        ClusterLoadResult written = Loads.run(rig, "writing /" + prefix, load, narrator);
        double seconds = written.seconds();
        if (prefix.equals(AlluxioRig.PACKED)) {
            narrator.accept("waiting until every file is in a blob");
            long waitingSince = System.nanoTime();
            rig.flush();
            seconds += (System.nanoTime() - waitingSince) / 1e9;
            // The durable files do not wait for it, but it is paid for.
            rig.checkpoint();
        }
        Meter.Ingested ingested = meter.ingested(seconds);
        ClusterLoadResult read =
                Loads.run(rig, "reading /" + prefix + " through the other worker", load.readBack(), narrator);
        return ingested.readBack(written.files(), spec.size(), read.files() - read.mismatches());
    }
}
