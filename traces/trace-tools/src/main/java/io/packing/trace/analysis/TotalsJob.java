// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;

/** The last job (§3.2.1: "outputs statistics"): adds up the counts of {@link ShardJob}'s tasks. */
final class TotalsJob {
    private TotalsJob() {}

    static Job create(Configuration base, Path input, Path output) throws IOException {
        Job job = Job.getInstance(base, "trace statistics");
        job.setJarByClass(TotalsJob.class);
        job.setInputFormatClass(SequenceFileInputFormat.class);
        SequenceFileInputFormat.setInputPaths(job, input);
        job.setMapperClass(Mapper.class);
        job.setCombinerClass(LongSumReducer.class);
        job.setReducerClass(LongSumReducer.class);
        job.setNumReduceTasks(1);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(LongWritable.class);
        job.setOutputFormatClass(SequenceFileOutputFormat.class);
        FileOutputFormat.setOutputPath(job, output);
        return job;
    }

    static Totals read(Configuration configuration, Path output) throws IOException {
        Totals totals = new Totals();
        FileSystem files = output.getFileSystem(configuration);
        for (FileStatus file : files.globStatus(new Path(output, "part-r-*"))) {
            try (SequenceFile.Reader in =
                    new SequenceFile.Reader(configuration, SequenceFile.Reader.file(file.getPath()))) {
                Text name = new Text();
                LongWritable sum = new LongWritable();
                while (in.next(name, sum)) {
                    totals.addNamed(name.toString(), sum.get());
                }
            }
        }
        return totals;
    }
}
