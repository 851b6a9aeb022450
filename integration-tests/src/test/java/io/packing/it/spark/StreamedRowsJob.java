// SPDX-License-Identifier: Apache-2.0
package io.packing.it.spark;

import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;

/**
 * A stream of numbers from 0 on into files of a directory, some in each batch, with its checkpoint beside them. Arguments: {@code DIRECTORY BATCHES}.
 * It ends when the stream has made so many batches, in this life and earlier ones, and checks that each number is there once. Its last line reports
 * a success.
 */
public final class StreamedRowsJob {
    private static final int ROWS_OF_A_BATCH = 100;

    private StreamedRowsJob() {}

    public static void main(String[] args) throws Exception {
        String rows = args[0] + "/rows";
        long batches = Long.parseLong(args[1]);
        try (SparkSession spark =
                SparkSession.builder().appName("streamed rows").getOrCreate()) {
            spark.sparkContext().setLogLevel("WARN");
            // Its numbers depend on the batch only, so that a batch of an earlier life has the same ones when it runs
            // again.
            Dataset<Row> numbers = spark.readStream()
                    .format("rate-micro-batch")
                    .option("rowsPerBatch", ROWS_OF_A_BATCH)
                    .option("numPartitions", 2)
                    .load()
                    .select(functions.col("value"));
            StreamingQuery query = numbers.writeStream()
                    .format("parquet")
                    .option("checkpointLocation", args[0] + "/checkpoint")
                    .option("path", rows)
                    .trigger(Trigger.ProcessingTime(200, TimeUnit.MILLISECONDS))
                    .start();
            while (query.lastProgress() == null || query.lastProgress().batchId() < batches) {
                if (query.awaitTermination(50)) {
                    throw new IllegalStateException("the stream ended by itself");
                }
            }
            query.stop();
            Row found = spark.read()
                    .parquet(rows)
                    .agg(
                            functions.count("value"),
                            functions.countDistinct("value"),
                            functions.max("value"),
                            functions.min("value"))
                    .head();
            long count = found.getLong(0);
            if (count < batches * ROWS_OF_A_BATCH
                    || found.getLong(1) != count
                    || found.getLong(2) != count - 1
                    || found.getLong(3) != 0) {
                throw new IllegalStateException("rows are lost or there twice: " + found);
            }
            System.out.println("done: " + count + " rows");
        }
    }
}
