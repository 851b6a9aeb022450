// SPDX-License-Identifier: Apache-2.0
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
 * A master and workers on the mount of one round. They start as {@code packing bdt-master} and {@code packing worker},
 * can be killed, can lose their directories, and can start again. Only this class knows their command lines.
 */
public final class RoundCluster implements AutoCloseable {
    /** The option of a master that has no table and must not wait for the lease of its predecessor, which is gone. */
    private static final List<String> TAKE_OVER = List.of("--take-over");

    /** The leases that a new master and a worker without its directory wait for: short for a round. */
    private static final List<String> LEASES = List.of("--option", "bdt.lease=2s", "--option", "bdt.worker.lease=5s");

    private static final String MAIN = "io.packing.cli.Main";
    private static final int MASTER_MEGABYTES = 192;
    private static final int WORKER_MEGABYTES = 192;
    private static final Duration START = Duration.ofSeconds(60);
    /** The variables from which the programs take the keys of the store. */
    /** A line of the master's log after a compaction. */
    private static final Pattern COMPACTED = Pattern.compile("files of \\d+ sparse blobs");

    private static final Pattern COLLECTED = Pattern.compile("deleted [1-9]\\d* blobs without live files");

    private final Path directory;
    private final Launch launch;
    private final StoreSide store;
    private final List<ClientSide> clients;
    private final RoundProcessOptions site;
    private final String master;
    private final Map<String, String> mount;
    /** The master's option for the keystore, if the mount is encrypted. */
    private final List<String> keystore;

    private final Map<String, JavaProcess> running = new HashMap<>();

    RoundCluster(
            String name,
            Path directory,
            Launch launch,
            StoreSide store,
            List<ClientSide> clients,
            RoundProcessOptions site,
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
        Map<String, String> open = mountOptions();
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

    /** Returns the options with which a client opens the mount, with the keys of its store. */
    public Map<String, String> mountOptions() {
        Map<String, String> open = new LinkedHashMap<>(mount);
        open.putAll(store.keyOptions());
        return open;
    }

    public String masterAddress() {
        return master;
    }

    /** Returns the master and the workers, by their names. */
    public Map<String, JavaProcess> processes() {
        return Map.copyOf(running);
    }

    /** Returns the directory of the master or of a worker. */
    public Path directoryOf(String process) {
        return directory.resolve(process);
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
        running.put("master", launch.start("master", MAIN, MASTER_MEGABYTES, words, store.keys()));
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
                buffer(i).toString(),
                "--port",
                "0"));
        mount.forEach((key, value) -> words.addAll(List.of("--option", key + "=" + value)));
        running.put(worker(i), launch.start(worker(i), MAIN, WORKER_MEGABYTES, words, store.keys()));
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

    /** Kills the master by SIGKILL; its directory stays. */
    public void killMaster() throws InterruptedException {
        process("master").kill();
    }

    /** Stops the master by SIGTERM, and waits for its end. */
    public void stopMaster() {
        process("master").close();
    }

    /** Starts the master on the directory that it left. */
    public void startMaster() throws IOException, InterruptedException {
        launchMaster(List.of());
        awaitMaster();
    }

    /**
     * Deletes the directory of a killed master, and starts a master that has only the store.
     *
     * @param takeOver whether the new master takes over at once; otherwise it waits for the end of its predecessor's
     *     lease
     */
    public void startMasterFromStore(boolean takeOver) throws IOException, InterruptedException {
        Trees.delete(directory.resolve("master"));
        launchMaster(takeOver ? TAKE_OVER : List.of());
        awaitMaster();
    }

    /** Kills a worker by SIGKILL; its directory stays. */
    public void killWorker(int i) throws InterruptedException {
        process(worker(i)).kill();
    }

    /** Stops a worker by SIGTERM, and waits for its end. */
    public void stopWorker(int i) {
        process(worker(i)).close();
    }

    /** Deletes the directory of a killed worker. */
    public void dropWorker(int i) throws IOException {
        Trees.delete(buffer(i));
    }

    /** Copies the directory of a killed worker. */
    public void copyWorker(int i) throws IOException {
        Trees.copy(buffer(i), older(worker(i)));
    }

    /** Replaces the directory of a killed worker by the copy. */
    public void putWorkerBack(int i) throws IOException {
        Trees.copy(older(worker(i)), buffer(i));
    }

    /** Copies the directory of a killed master. */
    public void copyMaster() throws IOException {
        Trees.copy(directory.resolve("master"), older("master"));
    }

    /** Replaces the directory of a killed master by the copy. */
    public void putMasterBack() throws IOException {
        Trees.copy(older("master"), directory.resolve("master"));
    }

    private Path older(String process) {
        return directory.resolve(process + "-older");
    }

    /** Starts killed workers, and waits until they serve. */
    public void startWorkers(List<Integer> which) throws IOException, InterruptedException {
        for (int i : which) {
            launchWorker(i);
        }
        for (int i : which) {
            awaitWorker(i);
        }
    }

    /** Counts the compactions of sparse blobs by the masters of this round. */
    public long compactions() throws IOException {
        return countInMasterLogs(COMPACTED);
    }

    /** Counts the passes in which these masters deleted blobs. */
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

    /** Kills all processes: the round is over, and its directories need no orderly end. */
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
