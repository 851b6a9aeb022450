package io.packing.lab.packing;

import io.packing.cli.launch.Narrator;
import io.packing.cluster.load.LoadResult;
import io.packing.cluster.load.LoadSpec;
import io.packing.rig.AlluxioRig;
import java.io.IOException;
import me.tongfei.progressbar.ProgressBar;

/** Runs the load generator with a progress bar; a file that fails fails the run. */
final class Loads {
    private Loads() {}

    static LoadResult run(AlluxioRig rig, String what, LoadSpec spec, Narrator narrator)
            throws IOException, InterruptedException {
        narrator.accept(what);
        try (ProgressBar bar = narrator.bar(what, spec.files())) {
            LoadResult result = rig.alluxio().load(spec, bar::stepTo);
            requireClean(what, result);
            return result;
        }
    }

    static void requireClean(String what, LoadResult result) throws IOException {
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
