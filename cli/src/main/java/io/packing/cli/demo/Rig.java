package io.packing.cli.demo;

import io.packing.bdt.client.GrpcBlobDirectories;
import io.packing.cli.Home;
import io.packing.cluster.AlluxioCluster;
import io.packing.cluster.ClusterConfig;
import io.packing.cluster.S3Mount;
import io.packing.cluster.process.JavaCommand;
import io.packing.cluster.process.JavaProcess;
import io.packing.cluster.process.Ports;
import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerConfig;
import io.packing.store.ObjectStores;
import io.packing.worker.MountOptions;
import io.packing.worker.RemotePackingFileSystem;
import io.packing.worker.Writers;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Everything the demonstration runs on: an S3 server in this JVM, which does nothing else meanwhile; a BDT master and
 * an Alluxio as processes. One bucket is mounted twice: {@link #PACKED} through packing, {@link #DIRECT} without.
 */
final class Rig implements AutoCloseable {
    static final String PACKED = "packed";
    static final String DIRECT = "direct";

    private static final String BUCKET = "demo";
    private static final Duration START = Duration.ofSeconds(60);

    private final S3Server s3;
    private final String accessKey;
    private final String secretKey;
    private final Map<String, String> packingOptions;
    private final JavaProcess master;
    private final String masterAddress;
    private final AlluxioCluster alluxio;

    private Rig(
            S3Server s3,
            S3ServerConfig config,
            Map<String, String> packingOptions,
            JavaProcess master,
            String masterAddress,
            AlluxioCluster alluxio) {
        this.s3 = s3;
        this.accessKey = config.accessKey();
        this.secretKey = config.secretKey();
        this.packingOptions = packingOptions;
        this.master = master;
        this.masterAddress = masterAddress;
        this.alluxio = alluxio;
    }

    /**
     * Starts all of it below {@code directory}, which must be empty.
     *
     * @param mountOptions further options of the packing mount
     * @param say is told what happens
     */
    static Rig start(Home home, Path directory, Map<String, String> mountOptions, Consumer<String> say)
            throws IOException, InterruptedException {
        var objects = Files.createDirectories(directory.resolve("s3"));
        // Alluxio mounts no folder of a bucket that it cannot see.
        Files.createDirectories(objects.resolve(BUCKET).resolve(DIRECT));
        Files.createFile(objects.resolve(BUCKET).resolve(DIRECT).resolve(".keep"));
        say.accept("starting the S3 server");
        var config = S3ServerConfig.of(objects, BUCKET);
        var s3 = S3Server.start(config);
        try {
            say.accept("starting the BDT master");
            var port = Ports.free(1).get(0);
            var address = "127.0.0.1:" + port;
            var master = startMaster(directory, address);
            try {
                master.awaitPort(port, START);
                say.accept("starting Alluxio: a master and two workers");
                var alluxio = AlluxioCluster.start(ClusterConfig.of(home.alluxioLib(), directory.resolve("alluxio"))
                        .withExtensions(extensions(home, directory)));
                var rig = new Rig(s3, config, options(s3, config, mountOptions), master, address, alluxio);
                rig.mount(say);
                return rig;
            } catch (IOException | InterruptedException | RuntimeException e) {
                master.close();
                throw e;
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            s3.close();
            throw e;
        }
    }

    private static JavaProcess startMaster(Path directory, String address) throws IOException {
        var logs = directory.resolve("logs");
        return JavaProcess.start(
                new JavaCommand(
                        "bdt-master",
                        "io.packing.cli.Main",
                        List.of(System.getProperty("java.class.path").split(File.pathSeparator)),
                        256,
                        Map.of(
                                "packing.log",
                                logs.resolve("bdt-master-inside.log").toString()),
                        List.of(
                                "bdt-master",
                                "--bind",
                                address,
                                "--data-dir",
                                directory.resolve("bdt").toString())),
                logs);
    }

    private static Path extensions(Home home, Path directory) throws IOException {
        var extensions = Files.createDirectories(directory.resolve("extensions"));
        var jar = home.extension();
        Files.copy(
                jar,
                extensions.resolve(Objects.requireNonNull(jar.getFileName())),
                StandardCopyOption.REPLACE_EXISTING);
        return extensions;
    }

    private static Map<String, String> options(S3Server s3, S3ServerConfig config, Map<String, String> more) {
        var options = new LinkedHashMap<String, String>();
        options.put("packing.store", "s3://" + BUCKET + "/" + PACKED);
        options.put("packing.s3.endpoint", s3.endpoint().toString());
        options.put("packing.s3.path.style", "true");
        options.put("packing.s3.access.key", config.accessKey());
        options.put("packing.s3.secret.key", config.secretKey());
        options.putAll(more);
        return options;
    }

    private void mount(Consumer<String> say) throws IOException, InterruptedException {
        try {
            say.accept("mounting the bucket twice: /" + PACKED + " and /" + DIRECT);
            alluxio.mount(
                    "/" + DIRECT,
                    "s3://" + BUCKET + "/" + DIRECT,
                    new S3Mount(s3.endpoint(), accessKey, secretKey).options());
            alluxio.mount("/" + PACKED, "packing://" + masterAddress + "/", packingOptions);
        } catch (IOException | InterruptedException e) {
            alluxio.close();
            throw e;
        }
    }

    AlluxioCluster alluxio() {
        return alluxio;
    }

    /** What the server was asked under one of the two prefixes. */
    Requests requests(String prefix) {
        var counts = s3.metrics().prefix(prefix);
        return new Requests(
                counts.put(), counts.get(), counts.list(), counts.head(), counts.throttled(), counts.bytesIn());
    }

    /** Makes every file of the packing mount durable in a blob. */
    void flush() throws IOException {
        var options = MountOptions.from(packingOptions);
        try (var directories = GrpcBlobDirectories.connect(masterAddress, START);
                var mount = RemotePackingFileSystem.open(
                        directories, options, ObjectStores.open(options.store()), Writers.preferHost("127.0.0.1"))) {
            mount.flush();
            var left = mount.directory().statistics().bufferedFiles();
            if (left > 0) {
                throw new IOException("%d files are still buffered after a flush: a worker is gone".formatted(left));
            }
        }
    }

    @Override
    public void close() throws IOException {
        try (s3;
                master;
                alluxio) {
            // In this order: Alluxio first, its packing workers still talk to the two others while they stop.
        }
    }
}
