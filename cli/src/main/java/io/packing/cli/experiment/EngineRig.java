package io.packing.cli.experiment;

import io.packing.bdt.client.GrpcBlobDirectories;
import io.packing.cli.demo.Requests;
import io.packing.cluster.process.JavaCommand;
import io.packing.cluster.process.JavaProcess;
import io.packing.cluster.process.Ports;
import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerConfig;
import io.packing.s3server.S3ServerMetrics;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.StoreOptions;
import io.packing.worker.MountOptions;
import io.packing.worker.RemotePackingFileSystem;
import io.packing.worker.Writers;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An S3 server in this JVM, a BDT master and workers as processes: the engine without Alluxio. */
final class EngineRig implements AutoCloseable {
    static final String PACKED = "packed";
    static final String DIRECT = "direct";
    private static final String BUCKET = "experiment";
    private static final Duration START = Duration.ofSeconds(60);
    private static final int MASTER_MEGABYTES = 256;
    private static final int WORKER_MEGABYTES = 768;

    private final S3Server s3;
    private final List<JavaProcess> processes = new ArrayList<>();
    private final String masterAddress;
    private final Map<String, String> store;
    private final Map<String, String> mountOptions;

    private EngineRig(S3Server s3, S3ServerConfig config, String masterAddress, Map<String, String> mountOptions) {
        this.s3 = s3;
        this.masterAddress = masterAddress;
        this.store = Map.of(
                "packing.s3.endpoint", s3.endpoint().toString(),
                "packing.s3.path.style", "true",
                "packing.s3.access.key", config.accessKey(),
                "packing.s3.secret.key", config.secretKey());
        this.mountOptions = mountOptions;
    }

    /** Starts all of it below an empty directory. */
    static EngineRig start(
            Path directory, int putLimit, Duration putLatency, int workers, Map<String, String> mountOptions)
            throws IOException, InterruptedException {
        var config = S3ServerConfig.of(Files.createDirectories(directory.resolve("s3")), BUCKET)
                .withPutLimitPerSecond(putLimit)
                .withPutLatency(putLatency);
        var port = Ports.free(1).get(0);
        var rig = new EngineRig(S3Server.start(config), config, "127.0.0.1:" + port, mountOptions);
        try {
            var master = rig.launch(
                    directory,
                    "bdt-master",
                    MASTER_MEGABYTES,
                    List.of(
                            "bdt-master",
                            "--bind",
                            rig.masterAddress,
                            "--data-dir",
                            directory.resolve("bdt").toString()));
            master.awaitPort(port, START);
            for (int i = 0; i < workers; i++) {
                rig.startWorker(directory, "worker-" + i);
            }
            return rig;
        } catch (IOException | InterruptedException | RuntimeException e) {
            rig.close();
            throw e;
        }
    }

    private void startWorker(Path directory, String id) throws IOException, InterruptedException {
        var port = Ports.free(1).get(0);
        var words = new ArrayList<>(List.of(
                "worker",
                "--master",
                masterAddress,
                "--id",
                id,
                "--port",
                Integer.toString(port),
                "--buffer-dir",
                directory.resolve(id).toString()));
        options().forEach((key, value) -> words.addAll(List.of("--option", key + "=" + value)));
        launch(directory, id, WORKER_MEGABYTES, words).awaitPort(port, START);
    }

    private JavaProcess launch(Path directory, String name, int megabytes, List<String> words) throws IOException {
        var logs = directory.resolve("logs");
        var process = JavaProcess.start(
                new JavaCommand(
                        name,
                        "io.packing.cli.Main",
                        List.of(System.getProperty("java.class.path").split(File.pathSeparator)),
                        megabytes,
                        Map.of("packing.log", logs.resolve(name + "-inside.log").toString()),
                        words),
                logs);
        processes.add(process);
        return process;
    }

    private Map<String, String> options() {
        var options = new LinkedHashMap<>(store);
        options.put("packing.store", "s3://" + BUCKET + "/" + PACKED);
        options.putAll(mountOptions);
        return options;
    }

    /** A new client of the mount, with a cold cache. */
    Client client() throws IOException {
        var options = MountOptions.from(options());
        var directories = GrpcBlobDirectories.connect(masterAddress, START);
        return new Client(
                directories,
                RemotePackingFileSystem.open(
                        directories, options, ObjectStores.open(options.store()), Writers.preferHost("127.0.0.1")));
    }

    /** The same bucket without packing: one object per file. */
    ObjectStore direct() throws IOException {
        var options = new LinkedHashMap<>(store);
        options.put("packing.store", "s3://" + BUCKET + "/" + DIRECT);
        return ObjectStores.open(StoreOptions.from(options));
    }

    /** What the server was asked under a prefix. */
    Requests requests(String prefix) {
        var counts = s3.metrics().prefix(prefix);
        return new Requests(
                counts.put(), counts.get(), counts.list(), counts.head(), counts.throttled(), counts.bytesIn());
    }

    /** PUT-class requests of all prefixes over time. */
    List<S3ServerMetrics.Second> seconds() {
        return s3.metrics().seconds();
    }

    /** A client and the connection it uses. */
    record Client(GrpcBlobDirectories directories, RemotePackingFileSystem mount) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            mount.close();
            directories.close();
        }
    }

    @Override
    public void close() throws IOException {
        // Workers before their master: they tell it what they pushed.
        for (int i = processes.size() - 1; i >= 0; i--) {
            processes.get(i).close();
        }
        s3.close();
    }
}
