// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.tables.engines;

import io.packing.cli.launch.Narrator;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Bulk inserts, upserts, a delete and compactions of tables of Hudi by Spark's shell: copy-on-write and merge-on-read, each by a link of {@code viewfs}
 * to the mount, and by {@code s3a} through the gateway.
 */
record HudiTrial(Narrator narrator) implements EngineTrial {
    private static final int HEAP_MB = 1_024;
    private static final String SCRIPT = "hudi.scala";
    private static final List<String> PLACES =
            List.of("s3a://" + EngineGround.TABLES + "/hudi-s3", "viewfs://lake/tables/hudi");
    private static final List<String> TYPES = List.of("MERGE_ON_READ", "COPY_ON_WRITE");
    private static final int WRITES = 5;

    private static final List<String> OPENED =
            List.of("java.lang", "java.lang.invoke", "java.io", "java.net", "java.nio", "java.util", "sun.nio.ch");

    @Override
    public EngineFigures run(EngineGround ground) throws IOException, InterruptedException {
        long since = System.nanoTime();
        Path script = ground.home().resolve(SCRIPT);
        try (InputStream in = HudiTrial.class.getResourceAsStream(SCRIPT)) {
            if (in == null) {
                throw new IllegalStateException(SCRIPT + " is missing beside this class");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            script = Files.writeString(
                    script, text.replace("PLACES", quoted(PLACES)).replace("TYPES", quoted(TYPES)));
        }
        List<String> lines = new ArrayList<>();
        JavaProcess.run(command(ground, script), ground.logs(), line -> {
            if (line.startsWith("table ") || line.startsWith("row ")) {
                lines.add(line);
            }
            if (line.startsWith("table ")) {
                narrator.accept("hudi: " + line);
            }
        });
        long tables = lines.stream().filter(line -> line.startsWith("table ")).count();
        if (tables != (long) PLACES.size() * TYPES.size()) {
            throw new IOException("Spark has ended after %d tables: %s".formatted(tables, ground.logs()));
        }
        // A row of one table has its number; those of the next table are behind all of these.
        List<Long> rows = lines.stream()
                .filter(line -> line.startsWith("row "))
                .map(line -> Long.valueOf(line.substring("row ".length())))
                .toList();
        Set<Long> wanted = LongStream.range(0, tables * 1_000L)
                .filter(row -> row % 1_000 < 130 && (row % 1_000 < 40 || row % 1_000 >= 45))
                .boxed()
                .collect(Collectors.toSet());
        return EngineFigures.of((int) tables * WRITES, 0, 0, wanted, rows, since);
    }

    private static String quoted(List<String> texts) {
        return texts.stream().map(text -> '"' + text + '"').collect(Collectors.joining(", "));
    }

    private static JavaCommand command(EngineGround ground, Path script) throws IOException {
        Map<String, String> properties = new HashMap<>(Map.of(
                "scala.usejavacp", "true",
                "spark.master", "local[2]",
                "spark.driver.host", "127.0.0.1",
                "spark.driver.bindAddress", "127.0.0.1",
                "spark.ui.enabled", "false",
                "spark.sql.shuffle.partitions", "2",
                "spark.local.dir", ground.home().resolve("spark").toString(),
                "spark.sql.warehouse.dir",
                        ground.home().resolve("warehouse").toUri().toString()));
        properties.putAll(Map.of(
                "spark.serializer", "org.apache.spark.serializer.KryoSerializer",
                "spark.kryo.registrator", "org.apache.spark.HoodieSparkKryoRegistrar",
                "spark.sql.extensions", "org.apache.spark.sql.hudi.HoodieSparkSessionExtension",
                "spark.sql.catalog.spark_catalog", "org.apache.spark.sql.hudi.catalog.HoodieCatalog"));
        properties.put(
                "spark.hadoop.fs.viewfs.mounttable.lake.link./tables",
                ground.rig().root() + EngineGround.TABLES);
        properties.putAll(Map.of(
                "spark.hadoop.fs.s3a.endpoint",
                ground.gateway().toString(),
                "spark.hadoop.fs.s3a.endpoint.region",
                "us-east-1",
                "spark.hadoop.fs.s3a.path.style.access",
                "true",
                "spark.hadoop.fs.s3a.connection.ssl.enabled",
                "false",
                "spark.hadoop.fs.s3a.access.key",
                EngineGround.ACCESS_KEY,
                "spark.hadoop.fs.s3a.secret.key",
                EngineGround.SECRET_KEY));
        ground.rig().mountOptions().forEach((key, value) -> properties.put("spark.hadoop." + key, value));
        List<String> jvm = new ArrayList<>(List.of("-Xss4m"));
        OPENED.forEach(opened -> jvm.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED"));
        return new JavaCommand(
                        "spark",
                        "org.apache.spark.deploy.SparkSubmit",
                        List.of(
                                ground.jars().all("spark"),
                                ground.jars().all("hudi"),
                                ground.door().toString()),
                        HEAP_MB,
                        properties,
                        List.of("--class", "org.apache.spark.repl.Main", "spark-shell", "-i", script.toString()))
                .withJvmOptions(jvm)
                .brief();
    }
}
