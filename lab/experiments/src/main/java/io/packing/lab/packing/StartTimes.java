// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.packing;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.Median;
import io.packing.process.Await;
import io.packing.rig.MasterRig;
import io.packing.rig.Workspace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The times of short commands from the launcher's start to its end: with the archive of classes and one compiler, as users have
 * them, and without an archive and with both compilers. The two take turns.
 */
public final class StartTimes {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** Both figures of all children, as the shell's {@code times} prints them in its second line. */
    private static final Pattern CHILDREN = Pattern.compile("(\\d+)m([\\d.]+)s (\\d+)m([\\d.]+)s\\s*$");

    private StartTimes() {}

    /**
     * A command and a way of starting it.
     *
     * @param archive true: with the archive of classes
     * @param seconds the median of its runs
     * @param cpuSeconds the median of the processor time of launcher and JVM
     * @param runs the seconds of each run
     */
    public record Start(
            String command,
            boolean archive,
            double seconds,
            @JsonProperty("cpu_seconds") double cpuSeconds,
            List<Double> runs) {}

    /** A way of starting commands. */
    private record Way(boolean archive, Map<String, String> environment) {}

    /** One run's time and processor time. */
    private record Run(double seconds, double cpuSeconds) {}

    /** Measures each command {@code runs} times in each way, as this launcher starts it. */
    public static List<Start> run(Path launcher, int runs, Narrator narrator) throws IOException, InterruptedException {
        if (runs < 1) {
            throw new IllegalArgumentException("at least one run, not " + runs);
        }
        try (Workspace workspace = Workspace.create("packing-starts")) {
            Path objects = Files.createDirectories(workspace.directory().resolve("objects"));
            MasterRig rig = MasterRig.start(workspace, objects);
            List<String> list = List.of(
                    launcher.toString(),
                    "bdt",
                    "ls",
                    "--master",
                    rig.address(),
                    "--option",
                    "packing.store=file://" + objects,
                    // The machine may be busy with other tests.
                    "--timeout",
                    "60s");
            Path cache = workspace.directory().resolve("cache");
            List<Way> ways = List.of(
                    new Way(true, Map.of("XDG_CACHE_HOME", cache.toString())),
                    // A relative folder is none.
                    new Way(false, Map.of("XDG_CACHE_HOME", "none", "PACKING_JAVA_OPTS", "-XX:TieredStopAtLevel=4")));
            narrator.accept("creating the archive of classes");
            Run unused = once(list, ways.get(0));
            Await.until("the archive of classes", PATIENCE, () -> hasArchive(cache.resolve("packing")));
            List<Start> starts = new ArrayList<>();
            narrator.accept("starting the commands");
            starts.addAll(measure("--version", List.of(launcher.toString(), "--version"), ways, runs));
            starts.addAll(measure("bdt ls", list, ways, runs));
            return starts;
        }
    }

    /** Returns whether the launcher has created the archive; an empty one says that it could not. */
    private static boolean hasArchive(Path cache) throws IOException {
        if (!Files.isDirectory(cache)) {
            return false;
        }
        try (Stream<Path> files = Files.list(cache)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".jsa")).toList()) {
                if (Files.size(file) == 0) {
                    throw new IOException("the launcher could not create an archive of classes");
                }
                return Files.notExists(Path.of(file + ".lock"));
            }
        }
        return false;
    }

    private static List<Start> measure(String command, List<String> words, List<Way> ways, int runs)
            throws IOException, InterruptedException {
        List<List<Run>> taken = List.of(new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < runs; i++) {
            for (int way = 0; way < ways.size(); way++) {
                taken.get(way).add(once(words, ways.get(way)));
            }
        }
        List<Start> starts = new ArrayList<>();
        for (int way = 0; way < ways.size(); way++) {
            List<Double> seconds = taken.get(way).stream().map(Run::seconds).toList();
            List<Double> cpu = taken.get(way).stream().map(Run::cpuSeconds).toList();
            starts.add(new Start(command, ways.get(way).archive(), Median.of(seconds), Median.of(cpu), seconds));
        }
        return starts;
    }

    private static Run once(List<String> words, Way way) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("sh", "-c", "\"$@\" > /dev/null && times", "sh"));
        line.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().remove("PACKING_JAVA_OPTS");
        builder.environment().putAll(way.environment());
        long start = System.nanoTime();
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        double seconds = (System.nanoTime() - start) / 1e9;
        Matcher children = CHILDREN.matcher(output);
        if (process.waitFor() != 0 || !children.find()) {
            throw new IOException("%s failed: %s".formatted(words, output));
        }
        double user = Integer.parseInt(children.group(1)) * 60 + Double.parseDouble(children.group(2));
        double system = Integer.parseInt(children.group(3)) * 60 + Double.parseDouble(children.group(4));
        return new Run(seconds, user + system);
    }
}
