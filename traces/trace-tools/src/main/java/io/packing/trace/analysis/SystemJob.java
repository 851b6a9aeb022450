// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import io.packing.trace.TraceEvent;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;

/**
 * A job that counts the system calls of recordings, with one map task for each trace file; {@link TotalsJob} adds the
 * counts up.
 */
final class SystemJob {
    private SystemJob() {}

    static Job create(Configuration base, List<Path> traces, Path output) throws IOException {
        Job job = Job.getInstance(base, "trace system calls");
        job.setJarByClass(SystemJob.class);
        job.setInputFormatClass(TraceInputFormat.class);
        TraceInputFormat.setInputPaths(job, traces.toArray(new Path[0]));
        job.setMapperClass(Counter.class);
        job.setNumReduceTasks(0);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(LongWritable.class);
        job.setOutputFormatClass(SequenceFileOutputFormat.class);
        FileOutputFormat.setOutputPath(job, output);
        return job;
    }

    /** A mapper that counts a trace file. */
    static final class Counter extends Mapper<NullWritable, TraceEvent, Text, LongWritable> {
        @Override
        public void run(Context context) throws IOException, InterruptedException {
            Totals totals = new Totals();
            SystemScan scan = new SystemScan(totals);
            while (context.nextKeyValue()) {
                scan.add(context.getCurrentValue());
            }
            scan.finish();
            for (Map.Entry<String, Long> sum : totals.sums().entrySet()) {
                context.write(new Text(sum.getKey()), new LongWritable(sum.getValue()));
            }
        }
    }
}
