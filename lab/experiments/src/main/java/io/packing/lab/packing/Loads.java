// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.packing;

import io.packing.cluster.load.ClusterLoadResult;
import io.packing.cluster.load.ClusterLoadSpec;
import io.packing.lab.load.RunProgress;
import io.packing.rig.AlluxioRig;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/** Runs the load generator with a progress bar; a file that fails fails the run. */
final class Loads {
    private Loads() {}

    static ClusterLoadResult run(AlluxioRig rig, String what, ClusterLoadSpec spec, RunProgress progress)
            throws IOException, InterruptedException {
        AtomicLong told = new AtomicLong();
        try (RunProgress.Files files = progress.begins(what, spec.files())) {
            ClusterLoadResult result = rig.alluxio().load(spec, done -> files.stepBy(done - told.getAndSet(done)));
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
