// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Home;
import io.packing.cli.launch.Narrator;
import io.packing.lab.packing.StartTimes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures the starts of short commands. */
@Command(
        name = "starts",
        description =
                "Measures how long bin/packing --version and bin/packing bdt ls take: with the archive of classes and one compiler, as "
                        + "users have them, and by turns without an archive and with both compilers.")
final class StartsCommand implements Callable<Integer> {
    @Mixin
    private Report report = new Report();

    @Option(names = "--runs", defaultValue = "11", description = "How many runs of each (default: ${DEFAULT-VALUE}).")
    private int runs;

    @Option(
            names = "--launcher",
            paramLabel = "FILE",
            description = "The launcher, such as that of an unpacked distribution (default: bin/packing of the clone).")
    private Optional<Path> launcher = Optional.empty();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path program = launcher.orElseGet(() -> Home.find().root().resolve("bin/packing"));
        List<StartTimes.Start> starts = StartTimes.run(program, runs, new Narrator(report.isJson()));
        report.print(
                starts,
                out -> starts.forEach(each -> out.printf(
                        "%-10s %-8s %.3f s, %.3f s of processor time%n",
                        each.command(), each.archive() ? "archive" : "plain", each.seconds(), each.cpuSeconds())));
        return ExitCodes.OK;
    }
}
