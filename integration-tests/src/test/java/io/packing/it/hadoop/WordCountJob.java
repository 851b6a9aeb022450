// SPDX-License-Identifier: Apache-2.0
package io.packing.it.hadoop;

import java.io.IOException;
import java.util.StringTokenizer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.CombineTextInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;

/**
 * A MapReduce job over small files, run in this process. Arguments: {@code INPUT OUTPUT SCRATCH}, the last one local.
 */
public final class WordCountJob {
    private static final int REDUCERS = 8;

    private WordCountJob() {}

    public static void main(String[] args) throws IOException, InterruptedException, ClassNotFoundException {
        Configuration configuration = new Configuration();
        configuration.set("mapreduce.framework.name", "local");
        configuration.set("hadoop.tmp.dir", args[2]);
        Job job = Job.getInstance(configuration, "word count");
        job.setJarByClass(WordCountJob.class);
        job.setInputFormatClass(CombineTextInputFormat.class);
        job.setMapperClass(Words.class);
        job.setCombinerClass(LongSumReducer.class);
        job.setReducerClass(LongSumReducer.class);
        job.setNumReduceTasks(REDUCERS);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(LongWritable.class);
        FileInputFormat.addInputPath(job, new Path(args[0]));
        FileOutputFormat.setOutputPath(job, new Path(args[1]));
        boolean good = job.waitForCompletion(false);
        System.out.println(good ? "done" : "failed");
        System.out.flush();
        Runtime.getRuntime().halt(good ? 0 : 1);
    }

    /** A mapper that emits each word of a line, once for each occurrence. */
    public static final class Words extends Mapper<LongWritable, Text, Text, LongWritable> {
        private static final LongWritable ONE = new LongWritable(1);
        private final Text word = new Text();

        @Override
        protected void map(LongWritable offset, Text line, Context context) throws IOException, InterruptedException {
            for (StringTokenizer words = new StringTokenizer(line.toString()); words.hasMoreTokens(); ) {
                word.set(words.nextToken());
                context.write(word, ONE);
            }
        }
    }
}
