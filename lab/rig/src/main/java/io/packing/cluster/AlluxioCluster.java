// SPDX-License-Identifier: Apache-2.0
package io.packing.cluster;

import io.packing.cluster.load.AlluxioConsole;
import io.packing.cluster.load.ClusterLoadResult;
import io.packing.cluster.load.ClusterLoadSpec;
import io.packing.cluster.load.LoadSequence;
import io.packing.process.ClassPaths;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import io.packing.process.ProcessFailedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * A running Alluxio: a master, some workers and perhaps the job service, each a process on loopback.
 *
 * <p>Confined to one thread. The processes end with {@link #close}, with this JVM, or with its sudden death.
 */
public final class AlluxioCluster implements AutoCloseable {
    private static final String FORMAT = "alluxio.cli.Format";
    private static final int WORKER_HEAP_MB = 512;
    private static final int JOB_HEAP_MB = 128;
    private static final int CLIENT_HEAP_MB = 384;

    private final ClusterOptions config;
    private final ClusterPorts ports;
    private final ServerProperties properties;
    private final List<JavaProcess> workers = new ArrayList<>();
    private final List<JavaProcess> jobService = new ArrayList<>();
    private final Thread hook = new Thread(this::stopProcesses, "stop-alluxio");
    private JavaProcess master;
    private Optional<Console> console = Optional.empty();

    private AlluxioCluster(ClusterOptions config) throws IOException, InterruptedException {
        this.config = config;
        this.ports = ClusterPorts.free(config.size().workers());
        this.properties = new ServerProperties(config, ports);
        prepare();
        run("format-master", FORMAT, properties.master(), List.of("master"));
        master = startMaster();
    }

    /** Formats and starts the cluster, and returns when every worker is registered. */
    public static AlluxioCluster start(ClusterOptions config) throws IOException, InterruptedException {
        AlluxioCluster cluster = new AlluxioCluster(config);
        Runtime.getRuntime().addShutdownHook(cluster.hook);
        try {
            cluster.startOthers();
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void prepare() throws IOException {
        if (!Files.isDirectory(config.lib())) {
            throw new IOException("no Alluxio jars in " + config.lib() + "; build the module alluxio-runtime first");
        }
        Files.createDirectories(properties.conf());
        Files.createDirectories(properties.rootUfs());
        Files.createDirectories(config.home().resolve("extensions"));
        try (InputStream log4j = AlluxioCluster.class.getResourceAsStream("log4j.properties")) {
            Files.write(properties.log4j(), Objects.requireNonNull(log4j).readAllBytes());
        }
        for (int i = 0; i < config.size().workers(); i++) {
            Files.createDirectories(properties.tier(i));
        }
    }

    private void startOthers() throws IOException, InterruptedException {
        awaitMaster();
        for (int i = 0; i < config.size().workers(); i++) {
            workers.add(startWorker(i));
        }
        if (config.jobService()) {
            JavaProcess jobMaster =
                    startServer("job-master", "alluxio.master.AlluxioJobMaster", JOB_HEAP_MB, properties.jobMaster());
            jobService.add(jobMaster);
            jobMaster.awaitPort(ports.jobMaster().rpc(), config.startTimeout());
        }
        for (int i = 0; i < config.size().workers(); i++) {
            awaitWorker(i);
        }
        if (config.jobService()) {
            jobService.add(startJobWorker());
        }
    }

    private JavaProcess startMaster() throws IOException {
        return startServer(
                "master", "alluxio.master.AlluxioMaster", config.size().masterHeapMegabytes(), properties.master());
    }

    private JavaProcess startWorker(int index) throws IOException {
        return startServer("worker-" + index, "alluxio.worker.AlluxioWorker", WORKER_HEAP_MB, properties.worker(index));
    }

    /**
     * Starts the job worker. It exits when its master accepts connections but is not primary yet; then it starts again.
     */
    private JavaProcess startJobWorker() throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            JavaProcess worker =
                    startServer("job-worker", "alluxio.worker.AlluxioJobWorker", JOB_HEAP_MB, properties.jobWorker());
            try {
                worker.awaitPort(ports.jobWorker().web(), config.startTimeout());
                return worker;
            } catch (ProcessFailedException e) {
                worker.close();
                if (attempt == 5) {
                    throw e;
                }
            }
        }
    }

    private void awaitMaster() throws IOException, InterruptedException {
        // Alluxio opens the RPC port when the master has become primary.
        master.awaitPort(ports.master().rpc(), config.startTimeout());
    }

    private void awaitWorker(int index) throws IOException, InterruptedException {
        // A worker opens its RPC port before it registers with the master, and its web port after.
        workers.get(index).awaitPort(ports.workers().get(index).web(), config.startTimeout());
    }

    public String host() {
        return ServerProperties.HOST;
    }

    public int masterPort() {
        return ports.master().rpc();
    }

    /** Returns the RPC ports of the workers, by index. */
    public List<Integer> workerPorts() {
        return ports.workers().stream().map(ClusterPorts.Server::rpc).toList();
    }

    public Path logs() {
        return properties.logs();
    }

    /** Returns the client properties of this cluster, for other programs with Alluxio's client. */
    public Map<String, String> clientProperties() {
        return properties.client();
    }

    /** Returns the class path of Alluxio's clients and servers. */
    public List<String> classPath() {
        List<String> path = alluxioClassPath();
        // The load generator and the no-op under file system are our classes.
        path.add(ClassPaths.of(AlluxioCluster.class).toString());
        return path;
    }

    private List<String> alluxioClassPath() {
        List<String> path = new ArrayList<>();
        config.servers().classPath().forEach(p -> path.add(p.toString()));
        path.add(config.lib() + "/*");
        return path;
    }

    public JavaProcess master() {
        return master;
    }

    public JavaProcess worker(int index) {
        return workers.get(index);
    }

    /** Stops the master as an operator would, and starts it again on its journal. */
    public void restartMaster() throws IOException, InterruptedException {
        master.close();
        reviveMaster();
    }

    /** Kills the master and starts it again on its journal. */
    public void crashMaster() throws IOException, InterruptedException {
        master.kill();
        reviveMaster();
    }

    private void reviveMaster() throws IOException, InterruptedException {
        master = startMaster();
        awaitMaster();
    }

    /** Stops a worker as an operator would, and starts it again with its ports and directories. */
    public void restartWorker(int index) throws IOException, InterruptedException {
        workers.get(index).close();
        reviveWorker(index);
    }

    /** Kills a worker and starts it again with its ports and directories. */
    public void crashWorker(int index) throws IOException, InterruptedException {
        workers.get(index).kill();
        reviveWorker(index);
    }

    private void reviveWorker(int index) throws IOException, InterruptedException {
        workers.set(index, startWorker(index));
        awaitWorker(index);
    }

    /**
     * Runs {@code alluxio fs} with these words and returns its output.
     *
     * @throws IOException if the command fails, with the last line of its output
     */
    public List<String> shell(String... words) throws IOException, InterruptedException {
        List<String> output = new ArrayList<>();
        try {
            console().run(AlluxioConsole.SHELL, List.of(words), output::add);
        } catch (ProcessFailedException e) {
            // The last line is enough. The lines before it are the request, with the secrets of a mount.
            String why = output.isEmpty() ? "no output" : output.get(output.size() - 1);
            throw new IOException("alluxio fs %s: %s".formatted(String.join(" ", redact(words)), why), e);
        }
        return output;
    }

    /** Returns the console of all commands. It stays, since a command takes mostly the start of its JVM. */
    private Console console() throws IOException, InterruptedException {
        if (console.isEmpty()) {
            Map<String, String> client = new HashMap<>(properties.client());
            // This client stays, and would ask for workers only every two minutes even if it found none at first.
            client.put("alluxio.user.worker.list.refresh.interval", "1s");
            JavaCommand command = command("console", AlluxioConsole.class.getName(), CLIENT_HEAP_MB, client, List.of());
            console = Optional.of(Console.start(command.brief(), properties.logs(), config.startTimeout()));
        }
        return console.get();
    }

    private static List<String> redact(String[] words) {
        return Arrays.stream(words)
                .map(w -> w.matches("(?i).*secret.*=.*") ? w.replaceFirst("=.*", "=***") : w)
                .toList();
    }

    /** Mounts {@code uri} on {@code path} of the namespace. */
    public void mount(String path, String uri, Map<String, String> options) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("mount"));
        options.forEach((key, value) -> words.addAll(List.of("--option", key + "=" + value)));
        words.addAll(List.of(path, uri));
        shell(words.toArray(String[]::new));
    }

    /** Does a load outside a measurement, in the process of the {@link #shell} commands. */
    public ClusterLoadResult tryLoad(ClusterLoadSpec spec) throws IOException, InterruptedException {
        ClusterLoadResult.Reader reader = new ClusterLoadResult.Reader(new ClusterLoadResult.Listener() {});
        console().run(AlluxioConsole.LOAD, loadArguments(LoadSequence.of(spec)), reader);
        return reader.results().get(0);
    }

    private List<String> loadArguments(LoadSequence loads) {
        List<String> arguments = new ArrayList<>();
        workerPorts().forEach(port -> arguments.add("worker=" + host() + ":" + port));
        arguments.addAll(loads.toArguments());
        return arguments;
    }

    /**
     * Runs the load generator in a process of its own.
     *
     * @param progress learns about twice a second how many files are done
     */
    public ClusterLoadResult load(ClusterLoadSpec spec, LongConsumer progress)
            throws IOException, InterruptedException {
        ClusterLoadResult.Listener listener = new ClusterLoadResult.Listener() {
            @Override
            public void progress(long files) {
                progress.accept(files);
            }
        };
        return load(LoadSequence.of(spec), listener).get(0);
    }

    /** Runs several loads in one process of the generator and returns the result of each. */
    public List<ClusterLoadResult> load(LoadSequence loads, ClusterLoadResult.Listener listener)
            throws IOException, InterruptedException {
        ClusterLoadResult.Reader reader = new ClusterLoadResult.Reader(listener);
        JavaCommand command = command(
                "load",
                "io.packing.cluster.load.AlluxioLoad",
                CLIENT_HEAP_MB,
                properties.client(),
                loadArguments(loads));
        try {
            JavaProcess.run(command, properties.logs(), reader);
        } catch (UncheckedIOException e) {
            // The cause comes from the listener.
            throw e.getCause();
        }
        return reader.results();
    }

    private JavaProcess startServer(String name, String main, int heap, Map<String, String> properties)
            throws IOException {
        return JavaProcess.start(serverCommand(name, main, heap, properties, List.of()), this.properties.logs());
    }

    private void run(String name, String main, Map<String, String> properties, List<String> arguments)
            throws IOException, InterruptedException {
        JavaProcess.run(
                serverCommand(name, main, CLIENT_HEAP_MB, properties, arguments).brief(),
                this.properties.logs(),
                line -> {});
    }

    private JavaCommand serverCommand(
            String name, String main, int heap, Map<String, String> properties, List<String> arguments) {
        return config.servers()
                .java()
                .map(home ->
                        new JavaCommand(name, main, alluxioClassPath(), heap, properties, arguments).withJava(home))
                .orElseGet(() -> command(name, main, heap, properties, arguments));
    }

    private JavaCommand command(
            String name, String main, int heap, Map<String, String> properties, List<String> arguments) {
        return new JavaCommand(name, main, classPath(), heap, properties, arguments);
    }

    /** Stops all processes. */
    @Override
    public void close() {
        stopProcesses();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is already shutting down, and the hook does this work.
        }
    }

    private void stopProcesses() {
        console.ifPresent(Console::close);
        // Clients of a server stop before the server, so no client waits for an answer that never comes.
        List<JavaProcess> all = new ArrayList<>(jobService);
        all.addAll(workers);
        all.add(master);
        // The processes stop in parallel, since the hooks of each may take seconds.
        IntStream.range(0, all.size()).parallel().forEach(i -> all.get(i).close());
    }
}
