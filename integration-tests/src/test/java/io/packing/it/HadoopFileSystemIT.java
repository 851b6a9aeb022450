// SPDX-License-Identifier: Apache-2.0
package io.packing.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.FileStatus;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FilePath;
import io.packing.it.hadoop.SmallFilesProgram;
import io.packing.it.hadoop.WordCountJob;
import io.packing.process.ClassPaths;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerOptions;
import io.packing.store.ObjectStores;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of applications in other processes with the one jar and the settings of docs/hadoop.md, on a mount on S3. */
@Tag("cluster")
class HadoopFileSystemIT {
    private static final int HEAP_MB = 384;
    private static final int SPARK_FILES = 60;
    private static final Path HADOOP =
            Path.of("../lab/hbase-runtime/target/hbase-lib").toAbsolutePath();
    private static final Map<String, String> KEYS =
            Map.of("AWS_ACCESS_KEY_ID", "access", "AWS_SECRET_ACCESS_KEY", "secret");

    @TempDir
    private Path home;

    private S3Server s3;
    private BdtMaster master;
    private PackingWorker worker;
    private PackingFileSystem mount;
    private String page;

    @BeforeEach
    void start() throws IOException {
        s3 = S3Server.start(S3ServerOptions.of(Files.createDirectories(home.resolve("s3")), "bucket"));
        master = BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir",
                        home.resolve("bdt").toString(),
                        "bdt.port",
                        "0",
                        "bdt.stores",
                        "s3://bucket/prefix@" + s3.endpoint())))
                .serve();
        worker = PackingWorker.start(
                new WorkerOptions("w", home.resolve("buffer"), "127.0.0.1", 0),
                master,
                ObjectStores::open,
                Clock.systemUTC(),
                new SimpleMeterRegistry());
        mount = worker.open(MountOptions.from(Map.of(
                "packing.store",
                "s3://bucket/prefix",
                "packing.s3.endpoint",
                s3.endpoint().toString(),
                "packing.s3.access.key",
                "access",
                "packing.s3.secret.key",
                "secret",
                "packing.seal.after",
                "1h",
                "packing.seal.quiet",
                "0s")));
        page = Files.readString(Path.of("../docs/hadoop.md"))
                .replace("http://STORE:9000", s3.endpoint().toString());
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
        worker.close();
        master.close();
        s3.close();
    }

    private String uri(String path) {
        return "packing://127.0.0.1:" + master.port() + path;
    }

    /** Returns the first block of a language on the page. */
    private String block(String language) {
        Matcher block = Pattern.compile("(?s)```" + language + "\n(.*?)```").matcher(page);
        assertThat(block.find()).as(language).isTrue();
        return block.group(1);
    }

    /** Returns the one jar. */
    static Path jar() throws IOException {
        try (DirectoryStream<Path> jars =
                Files.newDirectoryStream(Path.of("../doors/packing-hadoop/target"), "packing-hadoop-*-all.jar")) {
            return jars.iterator().next().toAbsolutePath();
        }
    }

    private Path logs() throws IOException {
        return Files.createDirectories(home.resolve("logs"));
    }

    private void run(Class<?> program, String... arguments) throws IOException, InterruptedException {
        run(KEYS, block("xml"), program, arguments);
    }

    /** Runs a program in a process with these variables and this core-site.xml. */
    private void run(Map<String, String> variables, String site, Class<?> program, String... arguments)
            throws IOException, InterruptedException {
        Path conf = Files.createDirectories(home.resolve("conf"));
        Files.writeString(conf.resolve("core-site.xml"), site);
        List<String> classPath = List.of(
                conf.toString(),
                HADOOP + "/*",
                jar().toString(),
                ClassPaths.of(program).toString());
        List<String> printed = new ArrayList<>();
        JavaProcess.run(
                new JavaCommand(
                                "hadoop",
                                program.getName(),
                                classPath,
                                HEAP_MB,
                                Map.of(),
                                List.of(arguments),
                                variables)
                        .brief(),
                logs(),
                printed::add);
        assertThat(printed).last().asString().startsWith("done");
    }

    private List<FileStatus> list(String directory) throws IOException {
        return mount.bdt().list(new FilePath(directory), "", 1_000).orElseThrow();
    }

    @Test
    void aProgramWithoutKeysOfTheStoreReadsThroughWorkersWhatIsInTheStore() throws Exception {
        String site = block("xml")
                .replace(
                        "</configuration>",
                        "<property><name>packing.read.through</name><value>workers</value></property></configuration>");
        assertThat(site).contains("packing.read.through").doesNotContain("secret");
        run(Map.of(), site, SmallFilesProgram.class, "write", uri("/files"), "50");
        mount.flush();
        assertThat(list("/files")).hasSize(50).allMatch(file -> file.state() == FileStatus.State.PACKED);
        run(Map.of(), site, SmallFilesProgram.class, "read", uri("/files"), "50");
    }

    @Test
    void programsAndJobsWithTheOneJarWriteSmallFilesAndReadThemBackFromTheStore() throws Exception {
        run(SmallFilesProgram.class, "write", uri("/files"), "50");
        assertThat(list("/files")).hasSize(50).allMatch(file -> file.state() == FileStatus.State.BUFFERED);
        mount.flush();
        assertThat(list("/files")).hasSize(50).allMatch(file -> file.state() == FileStatus.State.PACKED);
        run(SmallFilesProgram.class, "read", uri("/files"), "50");
        run(
                WordCountJob.class,
                uri("/files"),
                uri("/counts"),
                home.resolve("scratch").toString());
        assertThat(list("/counts"))
                .extracting(file -> file.path().name())
                .containsExactly(
                        "_SUCCESS",
                        "part-r-00000",
                        "part-r-00001",
                        "part-r-00002",
                        "part-r-00003",
                        "part-r-00004",
                        "part-r-00005",
                        "part-r-00006",
                        "part-r-00007");
    }

    @Test
    void aSparkJobOfWhichTasksFailCommitsEveryFileOnceWithTheOneJar() throws Exception {
        Map<String, String> properties = new HashMap<>();
        block("properties").lines().forEach(line -> {
            String[] words = line.strip().split(" +", 2);
            properties.put(words[0], words[1]);
        });
        assertThat(properties).hasSize(5);
        SparkSubmit spark = new SparkSubmit(home, logs(), List.of(jar()), properties, KEYS);
        assertThat(spark.run("retry", uri("/output"), "" + SPARK_FILES))
                .contains("committed by PackingCommitterFactory", "the old API by PackingMapredCommitter");
        assertThat(list("/output")).hasSize(SPARK_FILES + 1).allMatch(file -> !file.isDirectory());
        assertThat(list("/output-text")).hasSize(SPARK_FILES + 1).allMatch(file -> !file.isDirectory());
    }
}
