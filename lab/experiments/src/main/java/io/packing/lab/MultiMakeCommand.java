// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.images.MultiMake;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Builds a source tree by many compilers. */
@Command(
        name = "multimake",
        description = {
            "Builds and runs a source tree by several compilers of the distribution, each in a container of an image of"
                    + " its own, and prints what became of it and what it took.",
            "The same is done over overlayfs with pulls from docker-registry, in turns. A tree with a makefile is"
                    + " built by make and run by make test; of another one its C files are compiled and the program is"
                    + " run. CC and CXX name the compilers. It runs as root, as the commands of the tree do: it is no"
                    + " sandbox. It needs /dev/fuse, docker-registry, apt-get, dpkg-deb and unshare."
        })
final class MultiMakeCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "DIR", description = "The source tree; it is copied and never changed.")
    private Path source = Path.of("");

    @Option(
            names = "--compilers",
            paramLabel = "NAME",
            split = ",",
            defaultValue = "gcc-11,gcc-12,clang-13,clang-14,clang-15,clang-16",
            description =
                    "The compilers, with commas between them: gcc and clang by version, such as gcc-12, gcc-12-multilib and"
                            + " gcc-12-i686-linux-gnu; tcc, pcc, musl-gcc, diet, klcc (default: ${DEFAULT-VALUE}).")
    private List<String> compilers = List.of();

    @Option(names = "--build", paramLabel = "COMMAND", description = "The command of the shell that builds the tree.")
    private Optional<String> build = Optional.empty();

    @Option(names = "--run", paramLabel = "COMMAND", description = "The command of the shell that runs what was built.")
    private Optional<String> run = Optional.empty();

    @Option(names = "--no-peer", description = "Do not do the same over overlayfs.")
    private boolean withoutPeer;

    @Option(
            names = "--known-starts",
            description = "Build by each compiler on another machine first, in no step's time: what its container reads"
                    + " first is known then.")
    private boolean startsKnown;

    @Option(
            names = "--unshared",
            description =
                    "Give each compiler an image none of whose layers another one has; if not, the layers below the"
                            + " compiler are shared, and pulled once.")
    private boolean unshared;

    @Mixin
    private LinkArguments link = new LinkArguments();

    @Mixin
    private MountArguments mount = new MountArguments();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        MultiMake make = new MultiMake(
                source,
                compilers,
                build,
                run,
                !withoutPeer,
                startsKnown,
                !unshared,
                mount.resolve(),
                link.link(),
                new Narrator(report.isJson()));
        MultiMake.Result result = make.make();
        report.print(result, result::print);
        return result.wrong() == 0 && result.failed() == 0 ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
