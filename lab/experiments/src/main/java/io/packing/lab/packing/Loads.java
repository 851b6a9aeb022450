package io.packing.lab.packing;

import io.packing.cli.launch.Narrator;
import io.packing.cluster.load.ClusterLoadResult;
import io.packing.cluster.load.ClusterLoadSpec;
import io.packing.rig.AlluxioRig;
import java.io.IOException;
import me.tongfei.progressbar.ProgressBar;

/** Runs the load generator with a progress bar; a file that fails fails the run. */
final class Loads {
    private Loads() {}

    static ClusterLoadResult run(AlluxioRig rig, String what, ClusterLoadSpec spec, Narrator narrator)
            throws IOException, InterruptedException {
        narrator.accept(what);
        try (ProgressBar bar = narrator.bar(what, spec.files())) {
            ClusterLoadResult result = rig.alluxio().load(spec, bar::stepTo);
            requireClean(what, result);
            return result;
        }
    }

    static void requireClean(String what, ClusterLoadResult result) throws IOException {
        if (!result.isClean()) {
            throw new IOException("%s: of %d files %d failed; first: %s"
                    .formatted(
                            what,
                            result.files() + result.failures(),
                            result.failures() + result.mismatches(),
                            result.firstError()));
        }
    }
}
