// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.farm;

import io.packing.simulation.ClusterSchedule;
import io.packing.simulation.ClusterSimulationCommand;
import io.packing.simulation.FaultSiteReport;
import io.packing.simulation.MaskOptions;
import io.packing.simulation.relink.PlantedDefect;
import io.packing.simulation.schedule.ClusterWorkload;
import io.packing.simulation.schedule.StoryLogs;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/lab farm}. */
@Command(
        name = "farm",
        mixinStandardHelpOptions = true,
        description = {
            "Plays schedules of bin/lab simulate on all cores for some hours. It stops at the first schedule that fails, makes that one"
                    + " small, and prints its story and the command that plays it.",
            "Appends a row to the log of all schedules: the commit, the seeds, and the hours of cores."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:every schedule was sound", " 1:one was not, or a process ended", " 2:wrong use"})
public final class FarmCommand implements Callable<Integer> {
    private static final double NANOS_OF_HOUR = 3_600e9;
    private static final double MOST_HOURS = 1_000;

    @Option(
            names = "--hours",
            paramLabel = "H",
            defaultValue = "1",
            description = "Hours after which no schedule begins, such as 0.5 (default: ${DEFAULT-VALUE}).")
    private double hours;

    @Option(
            names = "--schedules",
            paramLabel = "N",
            defaultValue = "9223372036854775807",
            description = "Schedules to play at most (default: as many as the time allows).")
    private long schedules;

    @Option(
            names = "--operations",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Operations of the clients in each schedule (default: ${DEFAULT-VALUE}).")
    private int operations;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Seed of the first schedule (default: the one behind all seeds of the log).")
    private Optional<Long> seed = Optional.empty();

    @Option(names = "--processes", paramLabel = "P", description = "Processes that play (default: as many as cores).")
    private int processes = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--log",
            paramLabel = "FILE",
            description = "The log (default: docs/measurements/simulation.csv in the clone).")
    private Optional<Path> log = Optional.empty();

    @Option(names = "--note", paramLabel = "TEXT", defaultValue = "", description = "A note for the row of the log.")
    private String note = "";

    @Option(
            names = "--shrink",
            paramLabel = "N",
            defaultValue = "400",
            description = "Schedules to play at most to make a failed one small (default: ${DEFAULT-VALUE}).")
    private int shrink;

    @Option(
            names = "--defect",
            paramLabel = "NAME",
            description =
                    "Plays a cluster with a planted defect, and writes no log: a farm that goes on then finds nothing.")
    private Optional<PlantedDefect> defect = Optional.empty();

    @Option(
            names = "--sites",
            description =
                    "Also prints the places of production that write, sync, send or commit, and that no fault met.")
    private boolean sites;

    @Spec
    private @Nullable CommandSpec spec;

    public static void main(String[] arguments) {
        StoryLogs.install();
        System.exit(new CommandLine(new FarmCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, ReflectiveOperationException, InterruptedException {
        CommandLine line = Objects.requireNonNull(spec).commandLine();
        if (!(hours > 0 && hours <= MOST_HOURS) || processes < 1 || operations < 1) {
            throw new CommandLine.ParameterException(
                    line, "--hours has to be above 0 and at most 1000; --processes and --operations at least 1");
        }
        PrintWriter out = line.getOut();
        Path root = Path.of(System.getProperty("packing.home", ""));
        String commit = PlayedCommit.of(root);
        FarmLog rows = new FarmLog(log.orElse(root.resolve("docs/measurements/simulation.csv")));
        long first = seed.isPresent() ? seed.get() : rows.sums(commit).nextSeed();
        Farm farm = new Farm(
                new Farm.Terms(first, operations, processes, (long) (hours * NANOS_OF_HOUR), schedules, defect, sites));
        Thread interrupted = new Thread(
                () -> {
                    farm.end();
                    if (defect.isEmpty()) {
                        try {
                            rows.append(row(commit, first, farm.played()));
                        } catch (IOException e) {
                            System.err.println("packing: the log has no row of this run: " + e);
                        }
                    }
                },
                "end-farm");
        Runtime.getRuntime().addShutdownHook(interrupted);
        Farm.Played played = farm.play();
        boolean unused = Runtime.getRuntime().removeShutdownHook(interrupted);
        if (defect.isEmpty()) {
            rows.append(row(commit, first, played));
        }
        if (sites) {
            FaultSiteReport.print(farm.sites(), out);
        }
        out.println(sums(commit, first, played, rows.sums(commit)));
        out.flush();
        if (played.unsound().isEmpty()) {
            return 0;
        }
        tellSmallest(played.unsound().get(0), out);
        return 1;
    }

    private FarmLog.Run row(String commit, long first, Farm.Played played) {
        return new FarmLog.Run(
                LocalDate.ofInstant(Clock.systemUTC().instant(), ZoneOffset.UTC).toString(),
                commit,
                operations,
                first,
                first + played.schedules() - 1,
                played.schedules(),
                played.coreNanos() / NANOS_OF_HOUR,
                played.cpuNanos() / NANOS_OF_HOUR,
                played.unsound().stream().map(PlayedSeed::seed).toList(),
                note);
    }

    private String sums(String commit, long first, Farm.Played played, FarmLog.Sums sums) {
        return String.format(
                Locale.ROOT,
                "{\"commit\":\"%s\",\"first_seed\":%d,\"schedules\":%d,\"operations\":%d,\"core_hours\":%.3f,\"cpu_hours\":%.3f,"
                        + "\"unsound\":%d,\"schedules_of_commit\":%d,\"schedules_in_log\":%d,\"core_hours_in_log\":%.3f}",
                commit,
                first,
                played.schedules(),
                operations,
                played.coreNanos() / NANOS_OF_HOUR,
                played.cpuNanos() / NANOS_OF_HOUR,
                played.unsound().size(),
                sums.ofCommit(),
                sums.schedules(),
                sums.coreHours());
    }

    /** Plays the failed seed again, and smaller ones, and tells the smallest that fails. */
    private void tellSmallest(PlayedSeed failed, PrintWriter out)
            throws ReflectiveOperationException, InterruptedException {
        out.printf("seed %d is %s; making it small%n", failed.seed(), failed.sign());
        out.flush();
        ClusterSchedule cluster = new ClusterSchedule(defect);
        ClusterWorkload workload = ClusterWorkload.of(operations);
        ClusterSchedule.Result again = cluster.play(failed.seed(), workload);
        if (!again.sign().equals(failed.sign())) {
            out.printf(
                    "it did not replay in this process, where it is '%s': a defect of the simulation%n", again.sign());
            return;
        }
        Shrinker.Shrunk smallest = new Shrinker(cluster::play, shrink).shrink(again, workload);
        out.printf(
                "the smallest of %d schedules that fail so, of %d operations and %d faults of machines:%n",
                smallest.plays() + 1,
                smallest.workload().operations(),
                smallest.result().count("machine_faults"));
        out.printf(
                "bin/lab simulate --story --schedules 1 --seed %d --operations %d%s%s%n",
                smallest.result().seed(),
                smallest.workload().operations(),
                MaskOptions.words(smallest.workload().mask()),
                defect.map(each -> " --defect " + each).orElse(""));
        ClusterSimulationCommand.tell(smallest.result(), out);
        out.flush();
    }
}
