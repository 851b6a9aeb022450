// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.specification;

import io.packing.simulation.relink.PlantedDefect;
import io.packing.simulation.schedule.StoryLogs;
import io.packing.simulation.specification.PackingSpecification.Mistake;
import io.packing.simulation.specification.PackingSpecification.Size;
import io.packing.simulation.specification.PackingSpecification.TraceVerdict;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/lab specification}. */
@Command(
        name = "specification",
        mixinStandardHelpOptions = true,
        description = {
            "Checks the specification of a mount's protocol in lab/simulation/specification by TLC: all behaviours of a small size, and"
                    + " each planted mistake, which an invariant has to find.",
            "Then records schedules of simulated clusters, and checks that each of their steps is one of the specification."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:the specification holds, finds its mistakes, and has each step",
            " 1:it does not; with --defect, each step is one of it",
            " 2:wrong use"
        })
public final class SpecificationCommand implements Callable<Integer> {
    @Option(
            names = "--size",
            paramLabel = "SIZE",
            defaultValue = "SMALL",
            description = "Size of the model, one of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Size size = Size.SMALL;

    @Option(
            names = "--schedules",
            paramLabel = "N",
            defaultValue = "20",
            description = "Schedules whose steps are checked (default: ${DEFAULT-VALUE}).")
    private int schedules;

    @Option(
            names = "--operations",
            paramLabel = "N",
            defaultValue = "500",
            description = "Operations of the clients in each schedule (default: ${DEFAULT-VALUE}).")
    private int operations;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "Seed of the first schedule; each later one has the next seed (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--defect",
            paramLabel = "NAME",
            description = "Checks only the steps of a cluster with a planted defect, of which some must be none.")
    private Optional<PlantedDefect> defect = Optional.empty();

    @Option(names = "--steps-only", description = "Checks the steps of schedules only, and not the model.")
    private boolean stepsOnly;

    @Option(names = "--threads", paramLabel = "N", description = "Threads of TLC (default: as many as cores).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Spec
    private @Nullable CommandSpec spec;

    public static void main(String[] arguments) {
        StoryLogs.install();
        System.exit(new CommandLine(new SpecificationCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, ReflectiveOperationException, InterruptedException {
        CommandLine line = Objects.requireNonNull(spec).commandLine();
        if (schedules < 0 || operations < 1 || threads < 1) {
            throw new CommandLine.ParameterException(
                    line, "--schedules has to be at least 0, --operations and --threads at least 1");
        }
        PrintWriter out = line.getOut();
        Path root = Path.of(System.getProperty("packing.home", "")).toAbsolutePath();
        PackingSpecification specification =
                new PackingSpecification(root, root.resolve("lab/simulation/target/specification"), threads);
        boolean holds = stepsOnly || defect.isPresent() || model(specification, out);
        if (schedules > 0) {
            List<RecordedSteps> recorded = PackingSpecification.record(seed, schedules, operations, defect);
            TraceVerdict verdict = specification.traces(recorded);
            out.println("{\"schedules\":%d,\"steps\":%d,\"refused\":%b%s}"
                    .formatted(
                            verdict.schedules(),
                            verdict.steps(),
                            verdict.refused().isPresent(),
                            verdict.refused()
                                    .map(refused -> ",\"seed\":%d,\"at\":%d,\"by\":\"%s\",\"step\":\"%s\""
                                            .formatted(
                                                    refused.seed(),
                                                    refused.at(),
                                                    refused.violated(),
                                                    refused.step().replace('"', '\'')))
                                    .orElse("")));
            out.flush();
            holds &= verdict.refused().isPresent() == defect.isPresent();
        }
        return holds ? 0 : 1;
    }

    private boolean model(PackingSpecification specification, PrintWriter out)
            throws IOException, InterruptedException {
        ModelChecker.Answer sound = specification.model(size, Optional.empty());
        out.println("{\"model\":\"%s\",\"states\":%d,\"violated\":\"%s\"}"
                .formatted(size, sound.states(), sound.violated()));
        out.flush();
        boolean holds = sound.isSound();
        for (Mistake mistake : Mistake.values()) {
            ModelChecker.Answer answer = specification.model(size, Optional.of(mistake));
            out.println("{\"mistake\":\"%s\",\"states\":%d,\"violated\":\"%s\"}"
                    .formatted(mistake, answer.states(), answer.violated()));
            out.flush();
            holds &= answer.violated().equals(mistake.invariant());
        }
        return holds;
    }
}
