// SPDX-License-Identifier: Apache-2.0
package io.packing.it.spark;

import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import scala.Tuple2;

/**
 * Two Spark jobs over small files: one writes a file per partition and commits them by rename, the other reads them
 * all. Arguments: {@code write|read|retry DIRECTORY COUNT}. {@code retry} writes with the configured committer, with
 * some tasks that fail at first, and reads. It fails at the first difference, and prints one line after a success.
 */
public final class SmallFilesJob {
    private static final int READERS = 8;

    private SmallFilesJob() {}

    public static void main(String[] args) {
        int count = Integer.parseInt(args[2]);
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("small files"))) {
            spark.setLogLevel("WARN");
            switch (args[0]) {
                case "write" -> write(spark, args[1], count);
                case "read" -> read(spark, args[1], count);
                case "retry" -> {
                    writeWithFailures(spark, args[1], count);
                    read(spark, args[1], count);
                    write(spark, args[1] + "-text", count);
                    read(spark, args[1] + "-text", count);
                }
                default -> throw new IllegalArgumentException("unknown action " + args[0]);
            }
        }
        System.out.println("done: " + String.join(" ", args));
    }

    private static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().collect(Collectors.toList());
    }

    private static String line(int number) {
        return "line of file %d, ".formatted(number).repeat(100 + number % 300);
    }

    private static void write(JavaSparkContext spark, String directory, int count) {
        Function<Integer, String> line = SmallFilesJob::line;
        spark.parallelize(numbers(count), count).map(line).saveAsTextFile(directory);
    }

    private static void writeWithFailures(JavaSparkContext spark, String directory, int count) {
        PairFlatMapFunction<Integer, NullWritable, Text> record = SmallFilesJob::recordUnlessItFails;
        spark.parallelize(numbers(count), count)
                .flatMapToPair(record)
                .saveAsNewAPIHadoopFile(directory, NullWritable.class, Text.class, TextOutputFormat.class);
        System.out.println("committed by "
                + PathOutputCommitterFactory.getCommitterFactory(new Path(directory), spark.hadoopConfiguration())
                        .getClass()
                        .getSimpleName());
        System.out.println("the old API by "
                + new JobConf(spark.hadoopConfiguration())
                        .getOutputCommitter()
                        .getClass()
                        .getSimpleName());
    }

    /** Returns the one record of a file; the first attempt of every fifth file fails after it. */
    private static Iterator<Tuple2<NullWritable, Text>> recordUnlessItFails(int number) {
        return Stream.of(true, false)
                .peek(first -> {
                    if (!first && number % 5 == 0 && TaskContext.get().attemptNumber() == 0) {
                        throw new IllegalStateException("asked to fail");
                    }
                })
                .filter(first -> first)
                .map(first -> new Tuple2<>(NullWritable.get(), new Text(line(number))))
                .iterator();
    }

    private static void read(JavaSparkContext spark, String directory, int count) {
        Function<Tuple2<String, String>, Integer> check = SmallFilesJob::numberOfRightFile;
        List<Integer> seen = spark.wholeTextFiles(directory, READERS).map(check).collect().stream()
                .sorted()
                .toList();
        if (!seen.equals(numbers(count))) {
            throw new IllegalStateException("read %d files of %d: %s".formatted(seen.size(), count, seen));
        }
    }

    /** Returns the number in a file's name, if the file has this number's content. */
    private static int numberOfRightFile(Tuple2<String, String> file) {
        int number = Integer.parseInt(file._1().substring(file._1().lastIndexOf('-') + 1));
        if (!file._2().equals(line(number) + "\n")) {
            throw new IllegalStateException("wrong content: " + file._1());
        }
        return number;
    }
}
