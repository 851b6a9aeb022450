package io.packing.chaos.fuse;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.packing.chaos.Seeds;
import io.packing.fuse.mount.FuseMount;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/bench fuse-chaos}. */
@Command(
        name = "fuse-chaos",
        mixinStandardHelpOptions = true,
        description = {
            "Kills the servers of FUSE mounts, the worker, the master and the registry while programs write, containers"
                    + " start and images are pushed, and compares what is there with what was acknowledged.",
            "It needs root and /dev/fuse. docs/chaos.md tells more."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:nothing was lost, hung or left", " 1:something was", " 2:wrong use"})
public final class FuseChaosCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "10",
            description = "How many (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "Of which the seeds of the rounds are made.")
    private long seed;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Where the processes keep what they have; a new folder if not given.")
    private Optional<Path> directory = Optional.empty();

    @Option(names = "--json", description = "Print one JSON object instead of a table.")
    private boolean json;

    @Spec
    private @Nullable CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new FuseChaosCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        CommandLine line = Objects.requireNonNull(spec).commandLine();
        if (rounds < 1) {
            throw new CommandLine.ParameterException(line, "--rounds: at least 1");
        }
        if (!FuseMount.isPossible()) {
            throw new CommandLine.ParameterException(
                    line, "/dev/fuse cannot be opened: load the fuse module, and run as root");
        }
        Path home = directory.isPresent()
                ? Files.createDirectories(directory.get())
                : Files.createTempDirectory("packing-fuse-chaos");
        FuseChaos.Result result =
                FuseChaos.run(home.toAbsolutePath(), rounds, Seeds.from(seed), line.getErr()::println);
        PrintWriter out = line.getOut();
        if (json) {
            out.println(JSON.writeValueAsString(result.fields()));
        } else {
            result.fields().forEach((name, value) -> out.printf("%-28s %s%n", name, value));
        }
        out.flush();
        return result.isClean() ? 0 : 1;
    }
}
