// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ByteOffset;
import io.packing.cli.ByteSize;
import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.peers.PeersBench;
import io.packing.options.Parsers;
import io.packing.rig.S3Process;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures small files at the kernel's door beside JuiceFS. */
@Command(
        name = "peers",
        description = {
            "Creates, reads, renames and removes small files at mounts of packing and of JuiceFS, in turns, over one slow store.",
            "JuiceFS has its metadata in SQLite, and is mounted as it ships and with --writeback; packing as it ships and with"
                    + " --write-behind. The disk of this machine is measured beside them.",
            "It needs root, /dev/fuse, and the program juicefs on the path or in -Dpacking.servers=DIR"
                    + " (bin/test-servers --juicefs)."
        })
final class PeersBenchCommand implements Callable<Integer> {
    @Mixin
    private MountArguments mount = new MountArguments();

    @Option(
            names = "--files",
            defaultValue = "2000",
            description =
                    "Files of a round that 32 threads make; 8 make a quarter, 1 a sixteenth (default: ${DEFAULT-VALUE}).")
    private int files;

    @Option(
            names = "--size",
            converter = ByteOffset.class,
            defaultValue = "8KB",
            description = "Size of a file (default: ${DEFAULT-VALUE}).")
    private long size;

    @Option(names = "--rounds", defaultValue = "3", description = "Turns of each system (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--warm-up",
            paramLabel = "FILES",
            defaultValue = "3000",
            description = "Files of a round before the first one, which does not count (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(
            names = "--put-latency",
            paramLabel = "DURATION",
            defaultValue = "30ms",
            description = "Added to each PUT (default: ${DEFAULT-VALUE}).")
    private String putLatency = "";

    @Option(
            names = "--get-latency",
            paramLabel = "DURATION",
            defaultValue = "15ms",
            description = "Added to each GET (default: ${DEFAULT-VALUE}).")
    private String getLatency = "";

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (files < 1 || rounds < 1 || warmUp < 0) {
            throw new IllegalArgumentException("--files, --rounds and --warm-up are positive numbers");
        }
        PeersBench.Result result = new PeersBench(
                        files,
                        ByteSize.between("--size", size, 4, 4 << 20),
                        rounds,
                        warmUp,
                        new S3Process.Limits(0, Parsers.duration(putLatency), Parsers.duration(getLatency)),
                        mount.resolve(),
                        new Narrator(report.isJson()))
                .run();
        report.print(result, result::print);
        return ExitCodes.OK;
    }
}
