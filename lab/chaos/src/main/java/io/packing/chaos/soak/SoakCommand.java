// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.soak;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/lab soak}. */
@Command(
        name = "soak",
        mixinStandardHelpOptions = true,
        description = {
            "Starts a master, two workers and an S3 server, and gives them a mixed load that keeps as many files as it has.",
            "The memory after a collection, descriptors, threads, disk and writes to the store have to stay flat: the median of the last"
                    + " third of the time is compared with that of the second third. docs/chaos.md tells more."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:nothing grew, and each file was right",
            " 1:something grew, a daemon ended, or a file was wrong",
            " 2:wrong use"
        })
public final class SoakCommand implements Callable<Integer> {
    private static final double SECONDS_OF_HOUR = 3_600;
    private static final long SAMPLES = 60;
    private static final Duration SHORTEST = Duration.ofSeconds(2);

    @Option(
            names = "--hours",
            paramLabel = "H",
            defaultValue = "1",
            description = "Time of the load, such as 0.25 (default: ${DEFAULT-VALUE}).")
    private double hours;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "Seed of the clients (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--pause-millis",
            paramLabel = "N",
            defaultValue = "5",
            description = "Pause of each of the four clients between two operations (default: ${DEFAULT-VALUE}).")
    private long pauseMillis;

    @Option(
            names = "--leak",
            paramLabel = "LEAK",
            description = "Plants a leak, which has to be found: ${COMPLETION-CANDIDATES}.")
    private Optional<Soak.Leak> leak = Optional.empty();

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Directory of the processes' files; a new folder by default.")
    private Optional<Path> directory = Optional.empty();

    @Option(names = "--json", description = "Prints one JSON object instead of a table.")
    private boolean json;

    @Spec
    private @Nullable CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new SoakCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        CommandLine line = Objects.requireNonNull(spec).commandLine();
        Duration time = Duration.ofSeconds(Math.round(hours * SECONDS_OF_HOUR));
        Duration every = time.dividedBy(SAMPLES);
        every = every.compareTo(SHORTEST) < 0 ? SHORTEST : every;
        if (time.compareTo(every.multipliedBy(2L * Trend.FEWEST)) < 0 || pauseMillis < 0) {
            throw new CommandLine.ParameterException(
                    line, "--hours has to be at least 0.01, and --pause-millis not negative");
        }
        Path home = directory.isPresent()
                ? Files.createDirectories(directory.get())
                : Files.createTempDirectory("packing-soak");
        Soak.Result result = Soak.run(
                home.toAbsolutePath(),
                new Soak.Terms(time, every, Duration.ofMillis(pauseMillis), seed, leak),
                line.getErr()::println);
        PrintWriter out = line.getOut();
        if (json) {
            out.println(new ObjectMapper()
                    .writeValueAsString(Map.of(
                            "operations",
                            result.operations(),
                            "flat",
                            result.isFlat(),
                            "failures",
                            result.failures(),
                            "trends",
                            result.verdicts())));
        } else {
            out.println("%,d operations; medians of the second and of the last third".formatted(result.operations()));
            result.verdicts().forEach(verdict -> out.println(verdict.line()));
            result.failures().forEach(failure -> out.println("FAILED: " + failure));
        }
        out.flush();
        return result.isFlat() ? 0 : 1;
    }
}
