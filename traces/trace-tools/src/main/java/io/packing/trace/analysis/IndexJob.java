// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;

/**
 * The first job (§3.2.1: "transforms the traces, builds an index"). It orders the calls that change names, and makes of
 * them the index from paths to files, and the births and deaths of files.
 *
 * <p>It has one reducer: names are few (two in a thousand events of the paper's traces) and depend on each other.
 */
final class IndexJob {
    static final String IDENTITIES = "packing.trace.identities";

    private IndexJob() {}

    static Job create(Configuration base, Rules rules, List<Path> traces, Path output, Path identities)
            throws IOException {
        Job job = Job.getInstance(base, "trace index");
        job.setJarByClass(IndexJob.class);
        TaskOptions.setRules(job.getConfiguration(), rules);
        job.getConfiguration().set(IDENTITIES, identities.toString());
        job.setInputFormatClass(TraceInputFormat.class);
        TraceInputFormat.setInputPaths(job, traces.toArray(new Path[0]));
        job.setMapperClass(NamesMapper.class);
        job.setMapOutputKeyClass(FileKey.class);
        job.setMapOutputValueClass(NamespaceChange.class);
        job.setGroupingComparatorClass(FileKey.ByFile.class);
        job.setReducerClass(NamesReducer.class);
        job.setNumReduceTasks(1);
        job.setOutputKeyClass(FileKey.class);
        job.setOutputValueClass(FileEvent.class);
        job.setOutputFormatClass(SequenceFileOutputFormat.class);
        FileOutputFormat.setOutputPath(job, output);
        return job;
    }
}
