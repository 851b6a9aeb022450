// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.commit;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.Median;
import io.packing.lab.figure.ByWay;
import io.packing.rig.DirectoryRig;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;

/**
 * The cost of a job's commit, by this project's vector and by Hadoop's committers on the same mount: the time of
 * {@code commitJob}, and the requests of the BDT master meanwhile. In other runs a reader lists the output from the first task
 * on, and tells whether it ever saw a part of it. Committers take turns.
 *
 * @param files of the job
 * @param tasks that write them
 * @param size bytes of each file
 * @param rounds measured of each committer, after one that warms up
 * @param threads that run tasks at once
 */
public record CommitExperiment(int files, int tasks, int size, int rounds, int threads, Narrator narrator) {
    /** Requests that come with and without a commit. */
    private static final Set<String> BACKGROUND = Set.of("Heartbeat", "LeaseIds", "SealNow", "Workers", "Statistics");

    public CommitExperiment {
        if (files < 1 || tasks < 1 || size < 0 || rounds < 1 || threads < 1) {
            throw new IllegalArgumentException(
                    "--files, --tasks, --rounds and --threads must be positive, and --size not negative");
        }
        if (tasks > files) {
            throw new IllegalArgumentException(
                    "--tasks %d: there are only %d files, each task writes at least one".formatted(tasks, files));
        }
    }

    /**
     * One committer.
     *
     * @param requests of one commit, the median
     * @param ms of one commit, the median
     * @param runs milliseconds of each commit
     * @param calls requests of the last commit, by method
     * @param tasksMs milliseconds until all tasks had written their files and were committed, the median
     * @param sawPart whether the reader saw a part of an output
     * @param listings how often the reader looked
     */
    public record Cost(
            long requests,
            double ms,
            List<Double> runs,
            Map<String, Long> calls,
            @JsonProperty("tasks_ms") double tasksMs,
            @JsonProperty("readers_saw_part") boolean sawPart,
            long listings) {}

    /** All of them by name. */
    public record Result(
            int files,
            int tasks,
            int size,
            int rounds,
            @JsonIgnore Map<String, Cost> costs) {
        @JsonAnyGetter
        Map<String, Cost> byName() {
            return costs;
        }

        /** Returns whether the reader saw a part of an output that one vector commits. */
        @JsonProperty("readers_saw_part")
        public boolean sawPartOfVector() {
            Cost vector = costs.get(name(Committer.VECTOR));
            return vector != null && vector.sawPart();
        }

        /** Draws milliseconds, and requests, of each committer. */
        public void draw(java.nio.file.Path directory) throws IOException {
            List<String> names = List.copyOf(costs.keySet());
            new ByWay(
                            "commit",
                            "Commit of a job of %,d files in %,d tasks".formatted(files, tasks),
                            "milliseconds",
                            names,
                            List.of(new ByWay.Measure("ms", values(Cost::ms))))
                    .write(directory);
            new ByWay(
                            "commit-requests",
                            "Commit of a job of %,d files in %,d tasks".formatted(files, tasks),
                            "requests at the BDT master",
                            names,
                            List.of(new ByWay.Measure("requests", values(cost -> (double) cost.requests()))))
                    .write(directory);
        }

        private List<Double> values(Function<Cost, Double> value) {
            return costs.values().stream().map(value).toList();
        }

        public void print(PrintWriter out) {
            out.printf(
                    Locale.ROOT,
                    "%-12s %10s %12s %12s   %s%n",
                    "commit by",
                    "requests",
                    "ms",
                    "tasks, ms",
                    "readers saw a part");
            costs.forEach((name, cost) -> out.printf(
                    Locale.ROOT,
                    "%-12s %,10d %,12.1f %,12.1f   %s%n",
                    name,
                    cost.requests(),
                    cost.ms(),
                    cost.tasksMs(),
                    cost.sawPart() ? "yes" : "no"));
        }
    }

    /** The measurements of a committer. */
    private static final class Notes {
        private final List<Double> runs = new ArrayList<>();
        private final List<Double> requests = new ArrayList<>();
        private final List<Double> tasks = new ArrayList<>();
        private Map<String, Long> calls = Map.of();
        private long listings;
        private long parts;

        Cost cost() {
            return new Cost(
                    Math.round(Median.of(requests)),
                    Median.of(runs),
                    List.copyOf(runs),
                    calls,
                    Median.of(tasks),
                    parts > 0,
                    listings);
        }
    }

    /** Runs it on a mount. */
    public Result run(DirectoryRig rig) throws IOException, InterruptedException {
        Map<Committer, Notes> notes = new EnumMap<>(Committer.class);
        Configuration base = configuration(rig);
        int jobs = 0;
        try (FileSystem reader = FileSystem.newInstance(rig.root(), base)) {
            // The first round warms the processes up.
            for (int round = 0; round <= rounds; round++) {
                for (Committer committer : Committer.values()) {
                    Notes of = round == 0 ? new Notes() : notes.computeIfAbsent(committer, c -> new Notes());
                    narrator.accept("%s, %s".formatted(name(committer), round == 0 ? "warm-up" : "round " + round));
                    timed(rig, committer.configure(base), jobs++, of);
                    if (round > 0) {
                        watched(rig, committer.configure(base), jobs++, reader, of);
                    }
                }
            }
        } finally {
            FileSystem.closeAll();
        }
        Map<String, Cost> costs = new LinkedHashMap<>();
        notes.forEach((committer, of) -> costs.put(name(committer), of.cost()));
        return new Result(files, tasks, size, rounds, costs);
    }

    private static String name(Committer committer) {
        return committer.name().toLowerCase(Locale.ROOT);
    }

    private static Configuration configuration(DirectoryRig rig) {
        Configuration configuration = new Configuration();
        rig.mountOptions().forEach(configuration::set);
        configuration.set("fs.defaultFS", rig.root().toString());
        return configuration;
    }

    private Path output(DirectoryRig rig, int number) {
        return new Path(rig.root().toString(), "/jobs/%04d".formatted(number));
    }

    private void timed(DirectoryRig rig, Configuration configuration, int number, Notes notes)
            throws IOException, InterruptedException {
        Path output = output(rig, number);
        FileSystem door = FileSystem.get(rig.root(), configuration);
        JobRun job = new JobRun(door, configuration, output, number);
        PathOutputCommitter committer = job.setUp();
        long begin = System.nanoTime();
        job.tasks(files, tasks, threads, new byte[size]);
        notes.tasks.add(millisSince(begin));
        rig.flush();
        Map<String, Long> before = rig.requests();
        long start = System.nanoTime();
        job.commit(committer);
        notes.runs.add(millisSince(start));
        Map<String, Long> calls = new TreeMap<>(rig.requests());
        calls.replaceAll((method, count) -> count - before.getOrDefault(method, 0L));
        calls.keySet().removeAll(BACKGROUND);
        calls.values().removeIf(count -> count == 0);
        notes.calls = calls;
        notes.requests.add(
                (double) calls.values().stream().mapToLong(Long::longValue).sum());
        requireAll(door, output);
    }

    private void watched(DirectoryRig rig, Configuration configuration, int number, FileSystem reader, Notes notes)
            throws IOException, InterruptedException {
        Path output = output(rig, number);
        FileSystem door = FileSystem.get(rig.root(), configuration);
        JobRun job = new JobRun(door, configuration, output, number);
        PathOutputCommitter committer = job.setUp();
        try (OutputWatch watch = new OutputWatch(reader, output, files)) {
            job.tasks(files, tasks, threads, new byte[size]);
            job.commit(committer);
            OutputWatch.Seen seen = watch.stop();
            notes.listings += seen.listings();
            notes.parts += seen.parts();
        }
        requireAll(door, output);
    }

    private void requireAll(FileSystem door, Path output) throws IOException {
        int found = OutputWatch.count(door, output);
        if (found != files) {
            throw new IOException("%s has %d of %d files after the commit".formatted(output, found, files));
        }
    }

    private static double millisSince(long start) {
        return (System.nanoTime() - start) / 1e6;
    }
}
