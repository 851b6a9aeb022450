// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation;

import com.sun.management.OperatingSystemMXBean;
import io.packing.simulation.ClusterSchedule.Result;
import io.packing.simulation.relink.PlantedDefect;
import io.packing.simulation.schedule.ClusterWorkload;
import io.packing.simulation.schedule.StoryLogs;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/lab simulate}. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        description = "Plays schedules of a whole cluster in one process and in virtual time: a master, two workers and"
                + " three clients, whose threads, messages, disks and store a seed drives. It compares every file"
                + " with what was acknowledged.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:nothing was lost, came back, was wrong or stuck", " 1:something was", " 2:wrong use"})
public final class ClusterSimulationCommand implements Callable<Integer> {
    private static final double NANOS_OF_MINUTE = 60e9;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "Seed of the first schedule; each later one has the next seed (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--schedules",
            paramLabel = "N",
            defaultValue = "100",
            description = "Number of schedules (default: ${DEFAULT-VALUE}).")
    private int schedules;

    @Option(
            names = "--operations",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Operations of the clients in each schedule (default: ${DEFAULT-VALUE}).")
    private int operations;

    @Option(names = "--story", description = "Prints the last notes of each schedule, and not only of those that fail.")
    private boolean story;

    @Option(
            names = "--defect",
            paramLabel = "NAME",
            description =
                    "Plays a cluster with a planted defect until a schedule finds it, and at most so many as --schedules"
                            + " says; may be repeated. One of: ${COMPLETION-CANDIDATES}.")
    private Set<PlantedDefect> defects = EnumSet.noneOf(PlantedDefect.class);

    @Option(names = "--defects", description = "Plays each planted defect, as --defect does.")
    private boolean allDefects;

    @Mixin
    private MaskOptions mask = new MaskOptions();

    @Option(names = "--json", description = "Prints the sums only, as one JSON object.")
    private boolean json;

    @Option(
            names = "--sites",
            description =
                    "Also prints the places of production that write, sync, send or commit, and that no fault met.")
    private boolean sites;

    @Spec
    private @Nullable CommandSpec spec;

    public static void main(String[] arguments) {
        StoryLogs.install();
        System.exit(new CommandLine(new ClusterSimulationCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws ReflectiveOperationException, InterruptedException {
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        Set<PlantedDefect> planted = allDefects ? EnumSet.allOf(PlantedDefect.class) : defects;
        if (!planted.isEmpty()) {
            boolean found = true;
            for (PlantedDefect defect : planted) {
                found &= finds(defect, out);
            }
            return found ? 0 : 1;
        }
        ClusterSchedule cluster = new ClusterSchedule();
        if (sites) {
            cluster.watchStacks();
        }
        Map<String, Long> sums = new TreeMap<>();
        boolean sound = true;
        long begin = System.nanoTime();
        long beginCpu = cpuNanos();
        for (int i = 0; i < schedules; i++) {
            Result result = cluster.play(seed + i, workload());
            result.counts().forEach((name, count) -> {
                long unused = sums.merge(name, count, Long::sum);
            });
            long unused = sums.merge("stuck", result.isStuck() ? 1L : 0L, Long::sum);
            sound &= result.isSound();
            if (!json) {
                out.printf(
                        "seed %d: %s, %d turns, trace %016x%n",
                        result.seed(), result.counts(), result.steps(), result.trace());
                if (story || !result.isSound()) {
                    tell(result, out);
                }
                out.flush();
            }
        }
        double minutes = (System.nanoTime() - begin) / NANOS_OF_MINUTE;
        double cpuMinutes = (cpuNanos() - beginCpu) / NANOS_OF_MINUTE;
        if (sites) {
            FaultSiteReport.print(cluster.sites(), out);
        }
        out.println(sums(sums, schedules / minutes, schedules / cpuMinutes));
        out.flush();
        return sound ? 0 : 1;
    }

    private ClusterWorkload workload() {
        return ClusterWorkload.of(operations).with(operations, mask.mask());
    }

    /** Returns the time that processors have worked for this process: its rate is one of a core, whatever else the machine does. */
    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    /** Returns true if a schedule finds a defect, and says which. */
    private boolean finds(PlantedDefect defect, PrintWriter out)
            throws ReflectiveOperationException, InterruptedException {
        ClusterSchedule cluster = new ClusterSchedule(Optional.of(defect));
        int played = 0;
        Optional<Result> found = Optional.empty();
        while (played < schedules && found.isEmpty()) {
            Result result = cluster.play(seed + played, workload());
            found = Optional.of(result).filter(any -> !any.isSound());
            if (story) {
                tell(result, out);
            }
            played++;
        }
        out.println("{\"defect\":\"%s\",\"found\":%b,\"schedules\":%d,\"by\":\"%s\"}"
                .formatted(
                        defect,
                        found.isPresent(),
                        played,
                        found.map(Result::sign).orElse("")));
        out.flush();
        return found.isPresent();
    }

    /** Prints the last notes of a schedule, and what ended it. */
    public static void tell(Result result, PrintWriter out) {
        result.story().forEach(line -> out.println("  " + line));
        result.failure().ifPresent(failure -> {
            StringWriter text = new StringWriter();
            failure.printStackTrace(new PrintWriter(text));
            out.println(text);
        });
    }

    private String sums(Map<String, Long> sums, double perMinute, double perCpuMinute) {
        StringBuilder text = new StringBuilder("{\"schedules\":").append(schedules);
        for (String name :
                new String[] {"operations", "faults", "lost", "returned", "wrong", "unlinearizable", "beside", "stuck"
                }) {
            text.append(",\"%s\":%d".formatted(name, sums.getOrDefault(name, 0L)));
        }
        return text.append(String.format(
                        Locale.ROOT,
                        ",\"schedules_per_minute\":%.1f,\"schedules_per_cpu_minute\":%.1f}",
                        perMinute,
                        perCpuMinute))
                .toString();
    }
}
