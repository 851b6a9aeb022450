// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import io.packing.trace.TraceSelection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;

/**
 * The input and the place of an analysis: the way to the {@link Pipeline} for callers that do not know Hadoop.
 *
 * @param rules classes of the application's files and threads
 * @param traces trace files, or directories of them, as Hadoop names them: local paths, {@code hdfs://...}
 * @param selection of the events to analyze
 * @param work a directory, as Hadoop names it; jobs make and delete their intermediate files in it
 * @param hadoopConf a directory with {@code core-site.xml}, {@code yarn-site.xml} and so on; without one the jobs run
 *     in this process
 * @param parallelism tasks at one time in this process, and reducers
 */
public record Analysis(
        Rules rules,
        List<String> traces,
        TraceSelection selection,
        String work,
        Optional<Path> hadoopConf,
        int parallelism) {
    private static final List<String> SITES =
            List.of("core-site.xml", "hdfs-site.xml", "mapred-site.xml", "yarn-site.xml");

    public Analysis {
        traces = List.copyOf(traces);
    }

    /** Makes an analysis of all events. */
    public Analysis(Rules rules, List<String> traces, String work, Optional<Path> hadoopConf, int parallelism) {
        this(rules, traces, TraceSelection.ALL, work, hadoopConf, parallelism);
    }

    /**
     * Runs the jobs.
     *
     * @throws java.io.FileNotFoundException naming a missing trace
     * @throws NoSuchFileException if {@code hadoopConf} has no configuration
     */
    public Findings run(Pipeline.Progress progress) throws IOException, InterruptedException {
        return pipeline(progress).run(rules, paths());
    }

    /**
     * Runs the jobs that fit the traces: those of HDFS clients, those of system calls, or both for a trace of both.
     *
     * @throws java.io.FileNotFoundException naming a missing trace
     * @throws NoSuchFileException if {@code hadoopConf} has no configuration
     */
    public Results runAll(Pipeline.Progress progress) throws IOException, InterruptedException {
        List<org.apache.hadoop.fs.Path> newer = pipeline(progress).withSystemCalls(paths());
        if (newer.isEmpty()) {
            return new Results(Optional.of(run(progress)), Optional.empty());
        }
        SystemFindings system = pipeline(progress).runSystem(paths());
        return new Results(system.hasHdfs() ? Optional.of(run(progress)) : Optional.empty(), Optional.of(system));
    }

    /** The findings, by the kind of calls. */
    public record Results(Optional<Findings> hdfs, Optional<SystemFindings> system) {
        /** Returns the counts of the input. */
        public InputReport input() {
            return hdfs.map(Findings::input)
                    .or(() -> system.map(SystemFindings::input))
                    .orElseThrow();
        }
    }

    private Pipeline pipeline(Pipeline.Progress progress) throws IOException {
        org.apache.hadoop.fs.Path scratch = new org.apache.hadoop.fs.Path(work, "work-" + UUID.randomUUID());
        return new Pipeline(configuration(), scratch, parallelism, selection, progress);
    }

    private List<org.apache.hadoop.fs.Path> paths() {
        return traces.stream().map(org.apache.hadoop.fs.Path::new).toList();
    }

    private Configuration configuration() throws IOException {
        Configuration configuration = new Configuration();
        if (hadoopConf.isPresent()) {
            Path directory = hadoopConf.get();
            List<Path> sites = SITES.stream()
                    .map(directory::resolve)
                    .filter(Files::isRegularFile)
                    .toList();
            if (sites.isEmpty()) {
                throw new NoSuchFileException(directory.toString(), null, "none of " + SITES);
            }
            sites.forEach(site -> configuration.addResource(new org.apache.hadoop.fs.Path(site.toUri())));
        }
        return configuration;
    }
}
