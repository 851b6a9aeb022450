// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.blob.Extent;
import io.packing.cli.ByteSize;
import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.packing.ColdRead;
import io.packing.lab.suite.Experiments;
import io.packing.rig.Checkout;
import io.packing.rig.S3Process;
import io.packing.worker.api.PackOptions;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Counts the requests of reading a directory back. */
@Command(
        name = "read",
        description = {
            "Writes one directory, with the directory policy by default, and reads it back cold.",
            "Prints requests per file."
        })
final class ReadCommand implements Callable<Integer> {
    @Option(names = "--files", defaultValue = "10000", description = "Files (default: ${DEFAULT-VALUE}).")
    private long files;

    @Option(
            names = "--size",
            converter = ByteSize.class,
            defaultValue = "8KB",
            description = "Size of each (default: ${DEFAULT-VALUE}).")
    private long size;

    @Option(names = "--threads", defaultValue = "4", description = "Concurrent readers (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Mixin
    private MountArguments mount = new MountArguments();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Narrator narrator = new Narrator(report.isJson());
        int bytes = ByteSize.between("--size", size, 1, Extent.MAX_LENGTH);
        ColdRead read = new ColdRead(files, bytes, threads, narrator);
        Map<String, String> options = mount.resolve(Map.of(PackOptions.POLICY.key(), "directory"));
        ColdRead.Result result = new Experiments(Checkout.find(), narrator)
                .read(read, new Experiments.Servers(S3Process.Limits.NONE, 1, options));
        report.print(result, result::print);
        return result.isComplete() ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
