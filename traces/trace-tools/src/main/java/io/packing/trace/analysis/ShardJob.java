// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.MultipleInputs;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.MultipleOutputs;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;

/**
 * The second job (§3.2.1: "shards events"). The accesses of a file, under all its names, come to one reducer in the
 * order of time. Map tasks sum up the counts that need no other event, and never sort them.
 */
final class ShardJob {
    static final String TOTALS = "totals";

    private ShardJob() {}

    /** @param births births and deaths of files, from {@link IndexJob} */
    static Job create(
            Configuration base, Rules rules, List<Path> traces, Path births, Path identities, Path output, int reducers)
            throws IOException {
        Job job = Job.getInstance(base, "trace shards");
        job.setJarByClass(ShardJob.class);
        TaskOptions.setRules(job.getConfiguration(), rules);
        job.getConfiguration().set(IndexJob.IDENTITIES, identities.toString());
        for (Path trace : traces) {
            MultipleInputs.addInputPath(job, trace, TraceInputFormat.class, AccessMapper.class);
        }
        MultipleInputs.addInputPath(job, births, SequenceFileInputFormat.class, Mapper.class);
        job.setMapOutputKeyClass(FileKey.class);
        job.setMapOutputValueClass(FileEvent.class);
        job.setPartitionerClass(FileKey.OfFile.class);
        job.setGroupingComparatorClass(FileKey.ByFile.class);
        job.setReducerClass(FileReducer.class);
        job.setNumReduceTasks(reducers);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(LongWritable.class);
        job.setOutputFormatClass(SequenceFileOutputFormat.class);
        MultipleOutputs.addNamedOutput(job, TOTALS, SequenceFileOutputFormat.class, Text.class, LongWritable.class);
        FileOutputFormat.setOutputPath(job, output);
        return job;
    }
}
