package io.packing.chaos.cluster;

import io.packing.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A master and workers as {@code packing bdt-master} and {@code packing worker} start them, on the mount of one round, to be
 * killed, to lose their directories, and to be started again. This is the one place that knows their command lines.
 */
public final class Cluster implements AutoCloseable {
    /** What a master is told that has no table, since the one before it is gone with its directory: not to wait for its lease. */
    private static final List<String> TAKE_OVER = List.of("--take-over");

    /** For how long a master that is not told so waits, and a worker without its directory: short for a round. */
    private static final List<String> LEASES = List.of("--option", "bdt.lease=2s", "--option", "bdt.worker.lease=5s");

    private static final String MAIN = "io.packing.cli.Main";
    private static final int MASTER_MEGABYTES = 192;
    private static final int WORKER_MEGABYTES = 192;
    private static final Duration START = Duration.ofSeconds(60);
    /** Where the programs take the keys of the store from. */
    static final Map<String, String> KEYS =
            Map.of("PACKING_S3_ACCESS_KEY", "access", "PACKING_S3_SECRET_KEY", "secret");

    /** What a master logs when it has done so. */
    private static final Pattern COMPACTED = Pattern.compile("files of \\d+ sparse blobs");

    private static final Pattern COLLECTED = Pattern.compile("deleted [1-9]\\d* blobs without live files");

    private final Path directory;
    private final Launch launch;
    private final StoreSide store;
    private final List<ClientSide> clients;
    private final Site site;
    private final String master;
    private final Map<String, String> mount;
    /** Of the master, if the mount is encrypted. */
    private final List<String> keystore;

    private final Map<String, JavaProcess> running = new HashMap<>();

    Cluster(
            String name,
            Path directory,
            Launch launch,
            StoreSide store,
            List<ClientSide> clients,
            Site site,
            int masterPort)
            throws IOException {
        this.directory = directory;
        this.launch = launch;
        this.store = store;
        this.clients = clients;
        this.site = site;
        this.master = "127.0.0.1:" + masterPort;
        this.mount = new LinkedHashMap<>(store.options(name));
        this.mount.putAll(site.mount());
        if (site.mount().containsKey(Encryption.OPTION)) {
            String keys =
                    Encryption.keystore(Files.createDirectories(directory)).toString();
            this.mount.put("packing" + Encryption.KEYSTORE, keys);
            this.keystore = List.of("--option", "bdt" + Encryption.KEYSTORE + "=" + keys);
        } else {
            this.keystore = List.of();
        }
    }

    void start() throws IOException, InterruptedException {
        launchMaster(List.of());
        for (int i = 0; i < site.workers(); i++) {
            launchWorker(i);
        }
        awaitMaster();
        for (int i = 0; i < site.workers(); i++) {
            awaitWorker(i);
        }
        Map<String, String> open = new LinkedHashMap<>(mount);
        open.put("packing.s3.access.key", "access");
        open.put("packing.s3.secret.key", "secret");
        open.put("master", master);
        for (ClientSide client : clients) {
            if (!client.isAlive()) {
                client.restart();
            }
            client.open(open);
        }
    }

    public int workers() {
        return site.workers();
    }

    public List<ClientSide> clients() {
        return clients;
    }

    public StoreSide store() {
        return store;
    }

    private static String worker(int i) {
        return "worker-" + i;
    }

    private void launchMaster(List<String> more) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                "bdt-master",
                "--bind",
                master,
                "--data-dir",
                directory.resolve("master").toString(),
                "--store",
                "%s@%s".formatted(mount.get("packing.store"), mount.get("packing.s3.endpoint")),
                "--option",
                "bdt.engine=" + site.masterEngine(),
                "--option",
                "bdt.cache.bytes=8MB"));
        words.addAll(LEASES);
        words.addAll(keystore);
        words.addAll(more);
        running.put("master", launch.start("master", MAIN, MASTER_MEGABYTES, words, KEYS));
    }

    private void awaitMaster() throws IOException, InterruptedException {
        process("master").awaitLine("BDT master at ", START);
    }

    private void launchWorker(int i) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                "worker",
                "--master",
                master,
                "--id",
                worker(i),
                "--buffer-dir",
                buffer(i).toString()));
        mount.forEach((key, value) -> words.addAll(List.of("--option", key + "=" + value)));
        running.put(worker(i), launch.start(worker(i), MAIN, WORKER_MEGABYTES, words, KEYS));
    }

    private void awaitWorker(int i) throws IOException, InterruptedException {
        process(worker(i)).awaitLine("worker ", START);
    }

    private Path buffer(int i) {
        return directory.resolve(worker(i));
    }

    private JavaProcess process(String name) {
        JavaProcess process = running.get(name);
        if (process == null) {
            throw new IllegalStateException(name + " was not started");
        }
        return process;
    }

    /** Kills the master; its directory stays. */
    public void killMaster() throws InterruptedException {
        process("master").kill();
    }

    /** Tells the master to end, and waits until it has. */
    public void stopMaster() {
        process("master").close();
    }

    /** Starts the master on the directory that it left. */
    public void startMaster() throws IOException, InterruptedException {
        launchMaster(List.of());
        awaitMaster();
    }

    /**
     * Throws the directory of a master that was killed away, and starts one that has nothing but the store.
     *
     * @param takeOver whether it is told that the one before is gone; otherwise it waits until that one's lease has ended
     */
    public void startMasterFromStore(boolean takeOver) throws IOException, InterruptedException {
        Trees.delete(directory.resolve("master"));
        launchMaster(takeOver ? TAKE_OVER : List.of());
        awaitMaster();
    }

    /** Kills a worker; its directory stays. */
    public void killWorker(int i) throws InterruptedException {
        process(worker(i)).kill();
    }

    /** Tells a worker to end, and waits until it has. */
    public void stopWorker(int i) {
        process(worker(i)).close();
    }

    /** Throws the directory of a worker that was killed away. */
    public void dropWorker(int i) throws IOException {
        Trees.delete(buffer(i));
    }

    /** Keeps a copy of the directory of a worker that was killed. */
    public void copyWorker(int i) throws IOException {
        Trees.copy(buffer(i), older(worker(i)));
    }

    /** Puts the copy in the place of the directory of a worker that was killed. */
    public void putWorkerBack(int i) throws IOException {
        Trees.copy(older(worker(i)), buffer(i));
    }

    /** Keeps a copy of the directory of a master that was killed. */
    public void copyMaster() throws IOException {
        Trees.copy(directory.resolve("master"), older("master"));
    }

    /** Puts the copy in the place of the directory of a master that was killed. */
    public void putMasterBack() throws IOException {
        Trees.copy(older("master"), directory.resolve("master"));
    }

    private Path older(String process) {
        return directory.resolve(process + "-older");
    }

    /** Starts workers that were killed, and waits until they serve. */
    public void startWorkers(List<Integer> which) throws IOException, InterruptedException {
        for (int i : which) {
            launchWorker(i);
        }
        for (int i : which) {
            awaitWorker(i);
        }
    }

    /** How many blobs the masters of this round made of sparse ones. */
    public long compactions() throws IOException {
        return countInMasterLogs(COMPACTED);
    }

    /** How often they deleted blobs. */
    public long collections() throws IOException {
        return countInMasterLogs(COLLECTED);
    }

    private long countInMasterLogs(Pattern pattern) throws IOException {
        long count = 0;
        List<Path> logs;
        try (Stream<Path> all = Files.list(launch.logs())) {
            logs = all.filter(log -> String.valueOf(log.getFileName()).startsWith("master-"))
                    .toList();
        }
        for (Path log : logs) {
            try (Stream<String> lines = Files.lines(log)) {
                count += lines.filter(line -> pattern.matcher(line).find()).count();
            }
        }
        return count;
    }

    /** Kills what runs: a round that is over needs nothing of it. */
    @Override
    public void close() {
        try {
            for (JavaProcess process : running.values()) {
                process.kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
