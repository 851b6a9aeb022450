// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.cluster;

import io.packing.process.JavaProcess;
import io.packing.process.Ports;
import io.packing.process.ProcessFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A group of masters that agree by Raft, with workers, clients and a store, each a process of its own. One mount serves
 * all rounds. A {@link Network} that can be cut leads to the masters. If the machine allows it, each master and worker
 * has a disk that can become full and a clock that can be set.
 */
public final class MasterGroupProcesses implements AutoCloseable {
    private static final String MAIN = "io.packing.cli.Main";
    private static final int MEGABYTES = 192;
    private static final Duration START = Duration.ofSeconds(90);
    private static final Pattern LEADS = Pattern.compile("leads the group of masters from term (\\d+) on");
    private static final String KNOWN = "the group of masters knows of start";
    /** Options by which rounds push files, and have most files still buffered at an event. */
    private static final Map<String, String> MOUNT = Map.of("packing.seal.after", "2s", "packing.seal.quiet", "500ms");

    private final Path home;
    private final Launch launch;
    private final StoreSide store;
    private final Network network;
    private final Guard guard;
    private final ProcessDisks disks;
    private final ProcessClocks clocks;
    private final Map<String, Integer> raftPorts;
    private final Map<String, Integer> ports;
    private final int workers;
    private final List<ClientSide> clients = new ArrayList<>();
    private final Map<String, Launch> launches = new HashMap<>();
    private final Map<String, JavaProcess> running = new HashMap<>();

    private MasterGroupProcesses(
            Path home,
            Launch launch,
            StoreSide store,
            Guard guard,
            Map<String, Integer> raftPorts,
            Map<String, Integer> ports,
            int workers)
            throws IOException, InterruptedException {
        this.home = home;
        this.launch = launch;
        this.store = store;
        this.guard = guard;
        this.disks = ProcessDisks.below(home);
        this.clocks = ProcessClocks.below(home);
        this.raftPorts = raftPorts;
        this.ports = ports;
        this.workers = workers;
        this.network = new Network(home, raftPorts, ports);
    }

    /**
     * Starts a group below a directory.
     *
     * @param guarded whether all ports have TLS, and all stored bytes are encrypted
     */
    public static MasterGroupProcesses start(Path home, int masters, int workers, int clients, boolean guarded)
            throws IOException, InterruptedException {
        Launch untrained = Launch.below(Files.createDirectories(home).resolve("logs"));
        StoreSide store = StoreSide.start(untrained, home, StoreKind.S3);
        Launch launch = untrained.trained(home, store.options("training"), store.keys());
        List<Integer> free = Ports.free(2 * masters);
        Map<String, Integer> raftPorts = new TreeMap<>();
        Map<String, Integer> ports = new TreeMap<>();
        for (int i = 0; i < masters; i++) {
            String id = Character.toString('a' + i);
            raftPorts.put(id, free.get(2 * i));
            ports.put(id, free.get(2 * i + 1));
        }
        MasterGroupProcesses group = new MasterGroupProcesses(
                home, launch, store, Guard.in(home.resolve("guard"), guarded), raftPorts, ports, workers);
        try {
            group.startAll(clients);
            return group;
        } catch (IOException | InterruptedException | RuntimeException e) {
            group.close();
            throw e;
        }
    }

    private void startAll(int howMany) throws IOException, InterruptedException {
        for (String id : ports.keySet()) {
            launches.put(id, launch.withHosts(network.join(id)));
            launchMaster(id);
        }
        for (int i = 0; i < workers; i++) {
            launches.put(worker(i), launch.withHosts(network.join(worker(i))));
            launchWorker(i);
        }
        for (int i = 0; i < howMany; i++) {
            String name = "client-" + i;
            clients.add(ClientSide.start(name, launch.withHosts(network.join(name)), home));
        }
        // The group counts only the votes of members that it knows.
        for (String id : ports.keySet()) {
            awaitMaster(id);
        }
        for (int i = 0; i < workers; i++) {
            awaitWorker(i);
        }
        Map<String, String> open = new LinkedHashMap<>(mount());
        open.putAll(store.keyOptions());
        open.put("master", addresses());
        open.putAll(guard.options("packing", "client", "packing-superuser"));
        for (ClientSide client : clients) {
            client.open(open);
        }
    }

    private Map<String, String> mount() {
        Map<String, String> mount = new LinkedHashMap<>(store.options("mount"));
        mount.putAll(MOUNT);
        mount.putAll(guard.mount());
        return mount;
    }

    private String addresses() {
        return ports.entrySet().stream()
                .map(each -> Network.master(each.getKey(), each.getValue()))
                .collect(Collectors.joining(","));
    }

    private String peers() {
        return raftPorts.entrySet().stream()
                .map(each -> each.getKey() + "=" + Network.raft(each.getKey(), each.getValue()))
                .collect(Collectors.joining(","));
    }

    public List<String> masters() {
        return List.copyOf(ports.keySet());
    }

    public int workers() {
        return workers;
    }

    public List<ClientSide> clients() {
        return List.copyOf(clients);
    }

    public StoreSide store() {
        return store;
    }

    static String worker(int i) {
        return "worker-" + i;
    }

    private JavaProcess process(String name) {
        JavaProcess process = running.get(name);
        if (process == null) {
            throw new IllegalStateException(name + " was not started");
        }
        return process;
    }

    private void launch(String name, List<String> words, Map<String, String> options) throws IOException {
        Launch own = launches.getOrDefault(name, launch);
        Map<String, String> environment = new HashMap<>(store.keys());
        environment.putAll(clocks.environment(name));
        List<String> all = new ArrayList<>(words);
        options.forEach((key, value) -> all.addAll(List.of("--option", key + "=" + value)));
        running.put(name, own.start(name, MAIN, MEGABYTES, all, environment));
    }

    private void launchMaster(String id) throws IOException, InterruptedException {
        int port = ports.getOrDefault(id, 0);
        int raftPort = raftPorts.getOrDefault(id, 0);
        launch(
                id,
                List.of(
                        "bdt-master",
                        "--bind",
                        "127.0.0.1:" + port,
                        "--data-dir",
                        disks.of(id).toString(),
                        "--store",
                        "%s@%s".formatted(mount().get("packing.store"), store.endpoint()),
                        "--peers",
                        peers(),
                        "--id",
                        id,
                        "--raft-bind",
                        "127.0.0.1:" + raftPort,
                        "--option",
                        "bdt.address=" + Network.master(id, port),
                        "--option",
                        "bdt.cache.bytes=8MB"),
                guard.options("bdt", id, "packing-daemon", "packing-master"));
    }

    private void awaitMaster(String id) throws IOException, InterruptedException {
        JavaProcess process = process(id);
        String unused = process.awaitLine("BDT master at ", START);
        process.await("is not known to its group", START, () -> logged(process).contains(KNOWN));
    }

    private void launchWorker(int i) throws IOException, InterruptedException {
        List<String> words = List.of(
                "worker",
                "--master",
                addresses(),
                "--id",
                worker(i),
                "--buffer-dir",
                disks.of(worker(i)).toString(),
                "--port",
                "0");
        Map<String, String> options = new LinkedHashMap<>(mount());
        options.putAll(guard.options("packing", worker(i), "packing-daemon"));
        launch(worker(i), words, options);
    }

    private void awaitWorker(int i) throws IOException, InterruptedException {
        String unused = process(worker(i)).awaitLine("worker ", START);
    }

    private String logged(JavaProcess process) throws IOException {
        Path log = launch.inside(process.name());
        return Files.exists(log) ? Files.readString(log) : "";
    }

    /** Returns the living master that was elected last. */
    public String leader() throws IOException, InterruptedException {
        long latest = -1;
        String leader = "";
        for (String id : ports.keySet()) {
            JavaProcess process = process(id);
            Matcher matcher = LEADS.matcher(process.isAlive() ? logged(process) : "");
            while (matcher.find()) {
                long term = Long.parseLong(matcher.group(1));
                if (term > latest) {
                    latest = term;
                    leader = id;
                }
            }
        }
        if (latest < 0) {
            throw new IOException("no master has led the group");
        }
        return leader;
    }

    /** Kills a master by SIGKILL; its directory stays. */
    public void killMaster(String id) throws InterruptedException {
        process(id).kill();
    }

    /** Starts killed masters, and waits until they take part in the group. */
    public void startMasters(List<String> ids) throws IOException, InterruptedException {
        for (String id : ids) {
            launchMaster(id);
        }
        for (String id : ids) {
            awaitMaster(id);
        }
    }

    /** Suspends a master by SIGSTOP. */
    public void suspendMaster(String id) throws IOException, InterruptedException {
        process(id).suspend();
    }

    public void resumeMaster(String id) throws IOException, InterruptedException {
        process(id).resume();
    }

    /** Kills a worker by SIGKILL; its directory stays. */
    public void killWorker(int i) throws InterruptedException {
        process(worker(i)).kill();
    }

    /** Starts a killed worker, and waits until it serves. */
    public void startWorker(int i) throws IOException, InterruptedException {
        launchWorker(i);
        awaitWorker(i);
    }

    /** Returns the faults that can be injected from outside. */
    public MasterGroupFaults faults() {
        return new MasterGroupFaults(masters(), network, disks, clocks, guard);
    }

    /** Fails if a process ended by itself. */
    public void check() throws ProcessFailedException {
        for (JavaProcess process : running.values()) {
            if (!process.isAlive()) {
                throw process.failure("ended by itself");
            }
        }
    }

    @Override
    public void close() throws IOException {
        clients.forEach(ClientSide::close);
        try (disks;
                network;
                store) {
            for (JavaProcess process : running.values()) {
                process.kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
