// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

import io.packing.cluster.AlluxioCluster;
import io.packing.cluster.ClusterOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Hadoop's, Spark's and Alluxio's own commands, for pages that call them, and an Alluxio for those commands. */
final class OtherPrograms implements AutoCloseable {
    private static final Path HADOOP = DocPage.root().resolve("lab/hbase-runtime/target/hbase-lib");
    private static final Path SPARK = DocPage.root().resolve("lab/spark-runtime/target/spark-lib");

    private final Optional<AlluxioCluster> alluxio;

    private OtherPrograms(Optional<AlluxioCluster> alluxio) {
        this.alluxio = alluxio;
    }

    static OtherPrograms start(Path home, DocMachine machine, List<DocBlock> blocks)
            throws IOException, InterruptedException {
        if (calls(blocks, "hadoop")) {
            hadoop(home, machine);
        }
        if (calls(blocks, "spark-shell")) {
            spark(home, machine);
        }
        return new OtherPrograms(
                calls(blocks, "alluxio") ? Optional.of(alluxio(home.resolve("alluxio"), machine)) : Optional.empty());
    }

    private static boolean calls(List<DocBlock> blocks, String program) {
        return blocks.stream()
                .filter(block -> block.is(Mark.Kind.RUN))
                .flatMap(block -> ShellLines.commands(block.text()).stream())
                .anyMatch(command -> command.get(0).equals(program));
    }

    /** Makes {@code hadoop fs} and {@code hadoop jar}, with an empty configuration. */
    private static void hadoop(Path home, DocMachine machine) throws IOException {
        Path examples = Files.createDirectories(home.resolve("hadoop/share/hadoop/mapreduce"));
        try (Stream<Path> jars = Files.list(HADOOP)) {
            for (Path jar : jars.filter(each -> each.toString().contains("mapreduce-examples"))
                    .toList()) {
                Files.createSymbolicLink(examples.resolve(jar.getFileName()), jar);
            }
        }
        Path conf = Files.createDirectories(home.resolve("hadoop/etc/hadoop"));
        Files.writeString(conf.resolve("core-site.xml"), "<configuration/>");
        machine.set("HADOOP_HOME", home.resolve("hadoop").toString());
        machine.program("hadoop", """
            #!/bin/sh
            what=$1
            shift
            case $what in
                fs) main=org.apache.hadoop.fs.FsShell ;;
                jar) main=org.apache.hadoop.util.RunJar ;;
            esac
            exec "$JAVA_HOME/bin/java" -Xmx384m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$HADOOP_HOME/etc/hadoop:$HADOOP_CLASSPATH:%s/*" "$main" "$@"
            """.formatted(HADOOP).getBytes(StandardCharsets.UTF_8));
    }

    /** Makes {@code spark-shell} as in a release: Spark's launcher prints the command, and the script runs it. */
    private static void spark(Path home, DocMachine machine) throws IOException {
        Path spark = Files.createDirectories(home.resolve("spark"));
        Files.createSymbolicLink(spark.resolve("jars"), SPARK);
        Files.writeString(Files.createDirectories(spark.resolve("conf")).resolve("spark-defaults.conf"), """
            spark.master              local[2]
            spark.driver.memory       512m
            spark.driver.host         127.0.0.1
            spark.driver.bindAddress  127.0.0.1
            spark.ui.enabled          false
            spark.local.dir           %s
            """.formatted(
                        spark.resolve("scratch")));
        machine.program("spark-shell", """
            #!/bin/bash
            export SPARK_HOME='%s' SPARK_SCALA_VERSION=2.12
            export SPARK_SUBMIT_OPTS='-Dscala.usejavacp=true -XX:TieredStopAtLevel=1 -XX:+UseSerialGC'
            command=()
            while IFS= read -d '' -r word; do command+=("$word"); done < <(
                "$JAVA_HOME/bin/java" -Xmx128m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$SPARK_HOME/jars/*" org.apache.spark.launcher.Main \
                    org.apache.spark.deploy.SparkSubmit --class org.apache.spark.repl.Main --name "Spark shell" "$@" | tail -n +2)
            exec "${command[@]}"
            """.formatted(spark).getBytes(StandardCharsets.UTF_8));
    }

    private static AlluxioCluster alluxio(Path home, DocMachine machine) throws IOException, InterruptedException {
        Path extensions = Files.createDirectories(home.resolve("extensions"));
        AlluxioCluster cluster = AlluxioCluster.start(
                ClusterOptions.of(DocPage.root().resolve("lab/alluxio-runtime/target/alluxio-lib"), home)
                        .withWorkers(1, 256)
                        .withExtensions(extensions));
        machine.set("ALLUXIO_HOME", home.toString());
        machine.program("alluxio", alluxioCommand(cluster.classPath(), cluster.clientProperties()));
        return cluster;
    }

    private static byte[] alluxioCommand(List<String> classPath, Map<String, String> properties) {
        String settings = properties.entrySet().stream()
                .map(each -> "'-D%s=%s'".formatted(each.getKey(), each.getValue()))
                .sorted()
                .collect(Collectors.joining(" "));
        return """
            #!/bin/bash
            # alluxio fs [-DKEY=VALUE ...] COMMAND
            shift
            settings=()
            while [[ $1 == -D* ]]; do settings+=("$1"); shift; done
            exec "$JAVA_HOME/bin/java" -Xmx384m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '%s' %s "${settings[@]}" alluxio.cli.fs.FileSystemShell "$@"
            """.formatted(String.join(":", classPath), settings).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        alluxio.ifPresent(AlluxioCluster::close);
    }
}
