// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.images.OffloadBench;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Measures what a client saves that says which files it has. */
@Command(
        name = "offload",
        description = {
            "Pulls eight related images of Debian's packages, one after the other, by a client that says which files it has, and by one"
                    + " that pulls whole layers.",
            "Prints the bytes that either received, and those of gzipped layers. It needs apt-get, dpkg-deb, tar and gzip."
        })
final class OffloadBenchCommand implements Callable<Integer> {
    @Mixin
    private MountArguments mount = new MountArguments();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        OffloadBench.Result result = new OffloadBench(mount.resolve(), new Narrator(report.isJson())).run();
        report.print(result, result::print);
        return ExitCodes.OK;
    }
}
