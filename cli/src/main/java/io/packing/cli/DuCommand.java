// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.Bdt;
import io.packing.bdt.BdtStatistics;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.cli.launch.Narrator;
import io.packing.operations.dedup.Usage;
import java.io.IOException;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Counts files and bytes of a tree. */
@Command(
        name = "du",
        description = {
            "Counts the files below a path, their bytes, and the bytes of their contents.",
            "What several files share is counted once."
        })
final class DuCommand implements Callable<Integer> {
    @Mixin
    private MasterTarget target = new MasterTarget();

    @Mixin
    private Report report = new Report();

    @Parameters(paramLabel = "PATH", description = "A file or directory of the mount, or of a snapshot.")
    private String path = "";

    @Override
    public Integer call() throws IOException {
        FilePath top = target.path(path);
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            BdtStatistics all = bdt.statistics();
            // The master's totals cover the whole mount only: another path has no expected count.
            long expected = top.isRoot() ? all.files() + all.directories() : -1;
            Usage usage;
            try (ProgressBar bar = new Narrator(report.isJson()).bar("counting files", expected)) {
                usage = Usage.of(bdt, top, bar::stepBy);
            }
            report.print(usage, usage::print);
        }
        return ExitCodes.OK;
    }
}
