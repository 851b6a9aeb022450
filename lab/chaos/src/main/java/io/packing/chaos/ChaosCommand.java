package io.packing.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/bench chaos}. */
@Command(
        name = "chaos",
        mixinStandardHelpOptions = true,
        description = {
            "Runs seeded rounds of kills, lost directories and store faults against a master, workers, clients and a"
                    + " store,",
            "each a process of its own, and compares every file with what was acknowledged. docs/chaos.md tells more."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:nothing was lost, came back or was wrong",
            " 1:something was, or a round could not be played to its end",
            " 2:wrong use"
        })
public final class ChaosCommand implements Callable<Integer> {
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
            names = "--round-seed",
            paramLabel = "S",
            description = "Plays the round of this seed, as often as --rounds says.")
    private @Nullable Long roundSeed;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Where the processes keep what they have; a new folder if not given.")
    private @Nullable Path directory;

    @Option(names = "--json", description = "Print one JSON object instead of a table.")
    private boolean json;

    @Spec
    private @Nullable CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new ChaosCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (rounds < 1) {
            throw new CommandLine.ParameterException(
                    Objects.requireNonNull(spec).commandLine(), "--rounds: at least 1");
        }
        Path home = directory == null ? Files.createTempDirectory("packing-chaos") : Files.createDirectories(directory);
        Seeds seeds = roundSeed == null ? Seeds.from(seed) : Seeds.always(roundSeed);
        CommandLine line = Objects.requireNonNull(spec).commandLine();
        Chaos.Result result = Chaos.run(home.toAbsolutePath(), rounds, seeds, line.getErr()::println);
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
