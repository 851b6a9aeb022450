// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.history;

import io.packing.simulation.schedule.StoryLogs;
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

/** {@code bin/lab histories}. */
@Command(
        name = "histories",
        mixinStandardHelpOptions = true,
        description = {
            "Records what clients of simulated clusters did to names, and checks each name's history as that of a"
                    + " register: by the checker of this project, and by Porcupine, which Go builds.",
            "Breaks some histories on purpose; both checkers have to refuse these, and no other."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:both checkers are right",
            " 1:one is not, or a history is not linearizable",
            " 2:wrong use, or no Go"
        })
public final class HistoriesCommand implements Callable<Integer> {
    @Option(
            names = "--histories",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Histories in all (default: ${DEFAULT-VALUE}).")
    private int histories;

    @Option(
            names = "--broken",
            paramLabel = "N",
            defaultValue = "100",
            description = "Those of them that are broken (default: ${DEFAULT-VALUE}).")
    private int broken;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "Seed of the first schedule; each later one has the next seed (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--operations",
            paramLabel = "N",
            defaultValue = "300",
            description = "Operations of the clients in each schedule (default: ${DEFAULT-VALUE}).")
    private int operations;

    @Option(names = "--go", paramLabel = "FILE", description = "Go 1.24 or newer (default: that of the path).")
    private Optional<Path> go = Optional.empty();

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description =
                    "Where the histories are kept (default: lab/simulation/target/porcupine/histories.jsonl in the"
                            + " clone).")
    private Optional<Path> file = Optional.empty();

    @Spec
    private @Nullable CommandSpec spec;

    public static void main(String[] arguments) {
        StoryLogs.install();
        System.exit(new CommandLine(new HistoriesCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, ReflectiveOperationException, InterruptedException {
        CommandLine line = Objects.requireNonNull(spec).commandLine();
        if (histories < 1 || broken < 0 || broken > histories || operations < 1) {
            throw new CommandLine.ParameterException(
                    line, "--histories and --operations have to be at least 1, --broken 0 to --histories");
        }
        Path program = go.or(PorcupineChecker::go)
                .orElseThrow(
                        () -> new CommandLine.ParameterException(line, "install Go 1.24 or newer, or name it by --go"));
        Path root = Path.of(System.getProperty("packing.home", ""));
        PorcupineChecker porcupine = PorcupineChecker.build(program, root);
        PrintWriter out = line.getOut();
        HistoryCheck check = HistoryCheck.record(new HistoryCheck.Terms(seed, operations, histories, broken));
        Path kept = file.orElse(root.resolve("lab/simulation/target/porcupine/histories.jsonl"))
                .toAbsolutePath();
        Path parent = kept.getParent();
        if (parent != null) {
            Path unused = Files.createDirectories(parent);
        }
        check.write(kept);
        HistoryCheck.Outcome outcome = check.compare(porcupine.verdicts(kept));
        outcome.refused().forEach(name -> out.printf("not linearizable, and not broken: %s in %s%n", name, kept));
        outcome.differing().forEach(name -> out.printf("the checkers differ about %s in %s%n", name, kept));
        out.println(outcome.json());
        out.flush();
        return outcome.isRight() ? 0 : 1;
    }
}
