// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ByteSize;
import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.packing.MetadataBench;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures the commands that go through all of a table. */
@Command(
        name = "metadata",
        description = {
            "Makes a mount of many files over a local directory and measures fsck, fsck --verify and dump on it: seconds, and the "
                    + "peak of resident memory.",
            "Master and commands are processes of their own. Linux only, for the memory."
        })
final class MetadataBenchCommand implements Callable<Integer> {
    @Mixin
    private Report report = new Report();

    @Option(names = "--files", defaultValue = "5000000", description = "How many files (default: ${DEFAULT-VALUE}).")
    private long files;

    @Option(
            names = "--size",
            converter = ByteSize.class,
            defaultValue = "64",
            description = "Size of each (default: ${DEFAULT-VALUE}).")
    private long size;

    @Option(
            names = "--files-per-blob",
            defaultValue = "100000",
            description = "How many files a blob has (default: ${DEFAULT-VALUE}).")
    private int filesPerBlob;

    @Option(
            names = "--heap",
            paramLabel = "MB",
            defaultValue = "256",
            description = "The heap of each command (default: ${DEFAULT-VALUE}).")
    private int heap;

    @Override
    public Integer call() throws IOException, InterruptedException {
        MetadataBench.Result result = MetadataBench.run(
                new MetadataBench.Spec(files, ByteSize.between("--size", size, 1, 1 << 20), filesPerBlob, heap),
                new Narrator(report.isJson()));
        report.print(
                result,
                out -> result.taken()
                        .forEach(each -> out.printf(
                                "%,d files, %s: %.1f s, %.1f s of processor time, %.0f MiB%n",
                                result.files(),
                                each.command(),
                                each.seconds(),
                                each.cpuSeconds(),
                                each.residentMiB())));
        return ExitCodes.OK;
    }
}
