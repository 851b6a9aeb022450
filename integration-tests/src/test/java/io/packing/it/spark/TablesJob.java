// SPDX-License-Identifier: Apache-2.0
package io.packing.it.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/** Tables of Iceberg and of Hudi by Spark. Arguments: {@code iceberg CATALOG} or {@code hudi DIRECTORY}. Its last line reports a success. */
public final class TablesJob {
    private static final int MERGES = 5;

    private TablesJob() {}

    public static void main(String[] args) throws Exception {
        try (SparkSession spark = SparkSession.builder().appName("tables").getOrCreate()) {
            spark.sparkContext().setLogLevel("WARN");
            if (args[0].equals("iceberg")) {
                change(spark, args[1]);
                race(spark, args[1]);
            } else {
                hudi(spark, args[1] + "/copy", "COPY_ON_WRITE");
                hudi(spark, args[1] + "/merge", "MERGE_ON_READ");
            }
        }
        System.out.println("done: " + args[0]);
    }

    private static void check(SparkSession spark, String query, String want) {
        Row found = spark.sql(query).head();
        if (!found.mkString(" ").equals(want)) {
            throw new IllegalStateException("%s is %s, not %s".formatted(query, found.mkString(" "), want));
        }
    }

    /** Runs each kind of change, and the upkeep of tables. */
    private static void change(SparkSession spark, String catalog) {
        String table = catalog + ".db.changed";
        for (String statement : List.of(
                "create table " + table + " (id bigint, name string, part bigint) using iceberg partitioned by (part)"
                        + " tblproperties('write.merge.mode'='merge-on-read')",
                "insert into " + table + " select id, 'new', id % 3 from range(100)",
                "merge into " + table + " t using (select id * 2 as id from range(100)) u on t.id = u.id"
                        + " when matched and t.id % 10 = 0 then delete when matched then update set name = 'merged'"
                        + " when not matched then insert (id, name, part) values (u.id, 'merged', 0)",
                "alter table " + table + " add column note string",
                "update " + table + " set note = 'seen' where id = 1",
                "delete from " + table + " where id > 150",
                "call " + catalog
                        + ".system.rewrite_data_files(table => 'db.changed', options => map('min-input-files','1'))",
                "call " + catalog
                        + ".system.expire_snapshots(table => 'db.changed', older_than => timestamp '2999-01-01 00:00:00')")) {
            Dataset<Row> unused = spark.sql(statement);
        }
        check(spark, "select count(*), sum(id), count(note) from " + table, "116 7750 1");
        check(spark, "select count(*) from " + table + ".snapshots", "1");
    }

    /** Lets two sessions add to the same rows at once; the one that loses a race merges again. */
    private static void race(SparkSession spark, String catalog) throws Exception {
        String table = catalog + ".db.raced";
        Dataset<Row> unused = spark.sql("create table " + table + " (id bigint, n bigint) using iceberg");
        Dataset<Row> unusedToo = spark.sql("insert into " + table + " select id, 0 from range(" + MERGES + ")");
        ExecutorService threads = Executors.newFixedThreadPool(2);
        List<Future<?>> writers = new ArrayList<>();
        for (int writer = 0; writer < 2; writer++) {
            SparkSession own = spark.newSession();
            writers.add(threads.submit(() -> {
                for (int id = 0; id < MERGES; id++) {
                    add(own, table, id);
                }
            }));
        }
        for (Future<?> each : writers) {
            each.get();
        }
        threads.shutdown();
        // A session keeps a loaded table for 30 seconds, and this one did not write.
        Dataset<Row> refreshed = spark.sql("refresh table " + table);
        if (!refreshed.isEmpty()) {
            throw new IllegalStateException("the refresh answers " + refreshed.head());
        }
        check(spark, "select count(*), min(n), max(n) from " + table + " where id < " + MERGES, MERGES + " 2 2");
    }

    private static void add(SparkSession spark, String table, int id) {
        while (true) {
            try {
                Dataset<Row> unused = spark.sql("merge into " + table + " t using (select " + id
                        + " as id) u on t.id = u.id when matched then update set n = t.n + 1");
                return;
            } catch (RuntimeException e) {
                String cause = e + " " + e.getCause();
                if (!cause.contains("ValidationException") && !cause.contains("CommitFailedException")) {
                    throw e;
                }
            }
        }
    }

    private static void hudi(SparkSession spark, String path, String type) {
        write(spark, path, type, "bulk_insert", 0, 100);
        for (int i = 1; i < 4; i++) {
            write(spark, path, type, "upsert", 10 * i, 10 * i + 100);
        }
        write(spark, path, type, "delete", 40, 45);
        Dataset<Row> table = spark.read().format("hudi").load(path);
        long rows = table.select("id").distinct().count();
        if (table.count() != 125 || rows != 125 || table.where("version = 30").count() != 95) {
            throw new IllegalStateException("a table of Hudi has %d rows: %s".formatted(rows, type));
        }
    }

    private static void write(SparkSession spark, String path, String type, String operation, int from, int to) {
        DataFrameWriter<Row> writer = spark.sql("select id, cast(" + from
                        + " as bigint) as version, cast(id % 3 as string) as part from range(" + from + ", " + to + ")")
                .write()
                .format("hudi")
                .option("hoodie.table.name", "rows")
                .option("hoodie.datasource.write.table.type", type)
                .option("hoodie.datasource.write.recordkey.field", "id")
                .option("hoodie.datasource.write.partitionpath.field", "part")
                .option("hoodie.datasource.write.precombine.field", "version")
                .option("hoodie.datasource.write.operation", operation)
                .option("hoodie.compact.inline", type.equals("MERGE_ON_READ"))
                .option("hoodie.compact.inline.max.delta.commits", 2);
        for (String each : List.of("insert", "bulkinsert", "upsert", "delete")) {
            writer = writer.option("hoodie." + each + ".shuffle.parallelism", 2);
        }
        writer.mode(operation.equals("bulk_insert") ? SaveMode.Overwrite : SaveMode.Append)
                .save(path);
    }
}
