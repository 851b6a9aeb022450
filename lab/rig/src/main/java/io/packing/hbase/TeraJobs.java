// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase;

import io.packing.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Hadoop's own MapReduce benchmark on HDFS. Each job is a process with a LocalJobRunner or runs on YARN, traced or not.
 *
 * <p>{@code teragen} writes rows of 100 bytes, {@code terasort} sorts them, and {@code teravalidate} reads the result
 * and checks its order.
 */
public final class TeraJobs {
    private static final String PACKAGE = "org.apache.hadoop.examples.terasort.";
    private static final String INPUT = "/tera/input";
    private static final String SORTED = "/tera/sorted";
    private static final String REPORT = "/tera/report";
    private static final int MEGABYTES = 512;

    private final HdfsCluster hdfs;
    private final String name;
    private final Optional<Tracing> tracing;
    private final Optional<YarnCluster> yarn;

    /**
     * Creates jobs that have not run yet.
     *
     * @param name distinguishes their logs from others
     * @param yarn runs their tasks; empty for the job's own process
     */
    public TeraJobs(HdfsCluster hdfs, String name, Optional<Tracing> tracing, Optional<YarnCluster> yarn) {
        this.hdfs = hdfs;
        this.name = name;
        this.tracing = tracing;
        this.yarn = yarn;
    }

    /** Writes rows. */
    public void generate(long rows) throws IOException, InterruptedException {
        job("TeraGen", Long.toString(rows), INPUT);
    }

    /** Sorts the rows. */
    public void sort() throws IOException, InterruptedException {
        job("TeraSort", INPUT, SORTED);
    }

    /** Checks that the rows are sorted; a row out of order fails the job. */
    public void validate() throws IOException, InterruptedException {
        job("TeraValidate", SORTED, REPORT);
    }

    private void job(String main, String... words) throws IOException, InterruptedException {
        Map<String, String> settings =
                yarn.map(cluster -> cluster.settings(tracing)).orElseGet(this::local);
        settings.put("mapreduce.job.maps", "2");
        settings.putAll(tracing.map(t -> t.settings(main)).orElse(Map.of()));
        List<Path> classPath = tracing.map(Tracing::classPath).orElse(List.of());
        Child child = new Child(main + "-" + name, PACKAGE + main, MEGABYTES, settings, classPath, List.of(words));
        JavaProcess.run(child.prepare(hdfs.setup()), hdfs.setup().logs(), line -> {});
    }

    private Map<String, String> local() {
        Map<String, String> settings = hdfs.clientSettings();
        settings.put("mapreduce.framework.name", "local");
        settings.put("mapreduce.local.map.tasks.maximum", "2");
        settings.put("mapreduce.task.io.sort.mb", "64");
        return settings;
    }
}
