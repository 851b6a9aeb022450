// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.fuse;

import io.packing.chaos.run.RoundOptions;
import io.packing.fuse.mount.FuseMount;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bin/lab chaos fuse}. */
@Command(
        name = "fuse-chaos",
        mixinStandardHelpOptions = true,
        description = {
            "Kills the servers of FUSE mounts, the worker, the master and the registry while programs write, containers"
                    + " start and images are pushed, and compares the files with the acknowledged writes.",
            "It needs root and /dev/fuse. docs/chaos.md tells more."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:no file was lost, and nothing hung or remained",
            "1:a file was lost, or a process or mount hung or remained",
            " 2:wrong use"
        })
public final class FuseChaosCommand implements Callable<Integer> {
    @Mixin
    private RoundOptions options = new RoundOptions();

    @Spec
    private @Nullable CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new FuseChaosCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        CommandLine line = Objects.requireNonNull(spec).commandLine();
        int rounds = options.rounds(line);
        if (!FuseMount.isPossible()) {
            throw new CommandLine.ParameterException(
                    line, "/dev/fuse cannot be opened: load the fuse module, and run as root");
        }
        FuseChaos.Result result =
                FuseChaos.run(options.home("packing-fuse-chaos"), rounds, options.seeds(), line.getErr()::println);
        options.print(line, result.fields());
        return result.isClean() ? 0 : 1;
    }
}
