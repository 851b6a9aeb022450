// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import com.typesafe.config.Config;
import io.packing.trace.CorruptTraceException;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFileReader;
import io.packing.trace.TraceSelection;
import io.packing.trace.TraceSource;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.mapreduce.Job;

/**
 * The analysis as a pipeline of MapReduce jobs (§3.2.1): index, shard, statistics.
 *
 * <p>The configuration decides where the jobs run: in this process by default, on a YARN cluster with its
 * configuration. Confined to one thread.
 */
public final class Pipeline {
    private static final String SUFFIX = ".htfs";
    private static final int SORT_MEGABYTES = 64;
    private static final String POLL_MILLIS = "100";
    /** The limit of a timeline's accesses and runs of requests: some megabytes of the page. */
    private static final int MOST_LINES = 40_000;

    /** Hadoop's key for jars that a job takes to the nodes of a cluster. */
    private static final String JARS = "tmpjars";

    /** One class of each jar that tasks need and no node has. */
    private static final List<Class<?>> CARRIED = List.of(Pipeline.class, TraceEvent.class, Config.class);

    private final Configuration configuration;
    private final Path work;
    private final int parallelism;
    private final TraceSelection selection;
    private final Progress progress;

    /** A listener to the progress of the analysis. */
    public interface Progress {
        /** Learns that a job begins. */
        void stage(int number, int of, String what);
    }

    /**
     * @param work directory for intermediate files; made and deleted by {@link #run}
     * @param parallelism tasks that run at one time in this process, and reducers
     * @param selection of the events to analyze
     */
    public Pipeline(
            Configuration configuration, Path work, int parallelism, TraceSelection selection, Progress progress) {
        if (parallelism < 1) {
            throw new IllegalArgumentException("parallelism: at least 1, not " + parallelism);
        }
        this.configuration = new Configuration(configuration);
        this.work = work;
        this.parallelism = parallelism;
        this.selection = selection;
        this.progress = progress;
    }

    /**
     * Analyzes trace files, and those below directories whose names end in {@code .htfs}.
     *
     * @throws FileNotFoundException naming a missing path
     * @throws IllegalArgumentException if no trace file exists
     * @throws IOException naming a job that failed
     */
    public Findings run(Rules rules, List<Path> traces) throws IOException, InterruptedException {
        List<Path> files = expand(traces);
        configure();
        Path births = new Path(work, "births");
        Path identities = new Path(work, "identities");
        Path shards = new Path(work, "shards");
        Path sums = new Path(work, "sums");
        try {
            progress.stage(1, 3, "index the names of files");
            await(IndexJob.create(configuration, rules, files, births, identities));
            progress.stage(2, 3, "shard the accesses by file");
            Job shard = ShardJob.create(configuration, rules, files, births, identities, shards, parallelism);
            await(shard);
            progress.stage(3, 3, "add up");
            await(TotalsJob.create(configuration, shards, sums));
            return new Findings(TotalsJob.read(configuration, sums), InputReport.of(files.size(), shard), rules.core());
        } finally {
            work.getFileSystem(configuration).delete(work, true);
        }
    }

    /**
     * Counts the system calls of trace files, for the figures of chapter 2. Each file has a map task, since its events
     * are in the order in which its calls returned.
     */
    SystemFindings runSystem(List<Path> traces) throws IOException, InterruptedException {
        List<Path> files = expand(traces);
        configure();
        Path counts = new Path(work, "system");
        Path sums = new Path(work, "system-sums");
        try {
            progress.stage(1, 2, "count system calls by task");
            Job count = SystemJob.create(configuration, files, counts);
            await(count);
            progress.stage(2, 2, "add up");
            await(TotalsJob.create(configuration, counts, sums));
            return new SystemFindings(
                    TotalsJob.read(configuration, sums), InputReport.of(files.size(), count), timeline(files));
        } finally {
            work.getFileSystem(configuration).delete(work, true);
        }
    }

    /** Reads the timeline in this process: a picture has no room for more than one process can hold. */
    private Timeline timeline(List<Path> files) throws IOException {
        TimelineScan scan = new TimelineScan(MOST_LINES);
        for (Path file : files) {
            try (TraceFileReader reader = TraceFileReader.of(
                    file.toString(), file.getFileSystem(configuration).open(file))) {
                if (reader.version() > 1) {
                    TraceSource wanted = selection.of(reader);
                    for (Optional<TraceEvent> next = wanted.next(); next.isPresent(); next = wanted.next()) {
                        scan.add(next.get());
                    }
                }
            } catch (CorruptTraceException e) {
                // The jobs have reported the damage.
            }
        }
        return scan.finish();
    }

    /** Returns the files of a version that may have system calls. */
    List<Path> withSystemCalls(List<Path> traces) throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path file : expand(traces)) {
            try (TraceFileReader reader = TraceFileReader.of(
                    file.toString(), file.getFileSystem(configuration).open(file))) {
                if (reader.version() > 1) {
                    found.add(file);
                }
            } catch (CorruptTraceException e) {
                // The job that reads the whole file reports the damage.
            }
        }
        return found;
    }

    private void configure() {
        TaskOptions.setSelection(configuration, selection);
        if (isLocal()) {
            configuration.setInt("mapreduce.local.map.tasks.maximum", parallelism);
            configuration.setInt("mapreduce.local.reduce.tasks.maximum", parallelism);
            prefer("hadoop.tmp.dir", new Path(work, "tmp").toUri().getPath());
        } else {
            carryJars();
        }
        prefer("mapreduce.task.io.sort.mb", Integer.toString(SORT_MEGABYTES));
        // The default of five seconds is most of the time of a short trace.
        prefer("mapreduce.client.completion.pollinterval", POLL_MILLIS);
    }

    private boolean isLocal() {
        return configuration.get("mapreduce.framework.name", "local").equals("local");
    }

    /**
     * Adds the jars that nodes lack. Classes in folders stay here: a developer's cluster has them on its class path, or
     * is this machine.
     */
    private void carryJars() {
        List<String> jars = new ArrayList<>(configuration.getStringCollection(JARS));
        for (Class<?> type : CARRIED) {
            String place =
                    type.getProtectionDomain().getCodeSource().getLocation().toString();
            if (place.endsWith(".jar")) {
                jars.add(place);
            }
        }
        configuration.setStrings(JARS, jars.toArray(String[]::new));
    }

    /** Sets a key that the user's configuration does not set; Hadoop's own defaults count as not set. */
    private void prefer(String key, String value) {
        String[] sources = configuration.getPropertySources(key);
        if (sources == null || sources.length == 0 || sources[0].endsWith("-default.xml")) {
            configuration.set(key, value);
        }
    }

    private static void await(Job job) throws IOException, InterruptedException {
        try {
            if (!job.waitForCompletion(false)) {
                throw new IOException("the job '%s' failed: %s"
                        .formatted(job.getJobName(), job.getStatus().getFailureInfo()));
            }
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("a class of the job is not on the class path", e);
        }
    }

    private List<Path> expand(List<Path> traces) throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path trace : traces) {
            FileSystem files = trace.getFileSystem(configuration);
            FileStatus status = files.getFileStatus(trace);
            if (status.isFile()) {
                found.add(status.getPath());
                continue;
            }
            RemoteIterator<LocatedFileStatus> below = files.listFiles(trace, true);
            while (below.hasNext()) {
                Path file = below.next().getPath();
                if (file.getName().endsWith(SUFFIX)) {
                    found.add(file);
                }
            }
        }
        if (found.isEmpty()) {
            throw new IllegalArgumentException("no trace files (*%s) in %s".formatted(SUFFIX, traces));
        }
        found.sort(Comparator.naturalOrder());
        return found;
    }
}
