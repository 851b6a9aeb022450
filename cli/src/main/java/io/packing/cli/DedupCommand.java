// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.BdtStatistics;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.cli.launch.Narrator;
import io.packing.operations.dedup.Dedup;
import io.packing.operations.dedup.Deduplicated;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lets files with equal bytes share them. */
@Command(
        name = "dedup",
        description = {
            "Finds files with equal bytes below a path, and lets the later ones share the bytes of the first.",
            "Copies nothing, and reads only files of equal length and checksums.",
            "A file that changes meanwhile is left alone. Owner, group, mode and time stay.",
            "The store gets the room of the duplicates back, but for snapshots."
        })
final class DedupCommand implements Callable<Integer> {
    @Mixin
    private MasterTarget target = new MasterTarget();

    @Mixin
    private Report report = new Report();

    @Option(names = "--dry-run", description = "Change nothing, and tell what would be shared.")
    private boolean dryRun;

    @Parameters(paramLabel = "PATH", description = "A directory of the mount.")
    private String path = "";

    @Override
    public Integer call() throws IOException {
        FilePath top = target.path(path);
        try (GrpcBdts bdts = target.connect();
                RemotePackingFileSystem mount = target.open(bdts)) {
            Dedup dedup = new Dedup(mount.bdt(), mount::open, dryRun, report.err()::println);
            // The master's totals cover the whole mount only: another path has no expected count.
            BdtStatistics all = mount.bdt().statistics();
            long expected = top.isRoot() ? all.files() + all.directories() : -1;
            Deduplicated result;
            try (ProgressBar bar = new Narrator(report.isJson()).bar("comparing files", expected)) {
                result = dedup.run(top, bar::stepBy);
            }
            report.print(result, result::print);
        }
        return ExitCodes.OK;
    }
}
