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
 * Masters that agree by Raft, workers, clients and a store, each a process of its own, on one mount for all rounds. Masters are reached
 * through a {@link Network} that can be cut.
 */
public final class Group implements AutoCloseable {
    private static final String MAIN = "io.packing.cli.Main";
    private static final int MEGABYTES = 192;
    private static final Duration START = Duration.ofSeconds(90);
    private static final Pattern LEADS = Pattern.compile("leads the group of masters from term (\\d+) on");
    private static final String KNOWN = "the group of masters knows of start";
    /** Files are pushed while rounds go on, and most of them are buffered when something happens. */
    private static final Map<String, String> MOUNT = Map.of("packing.seal.after", "2s", "packing.seal.quiet", "500ms");

    private final Path home;
    private final Launch launch;
    private final StoreSide store;
    private final Network network;
    private final Map<String, Integer> raftPorts;
    private final Map<String, Integer> ports;
    private final int workers;
    private final List<ClientSide> clients = new ArrayList<>();
    private final Map<String, Launch> launches = new HashMap<>();
    private final Map<String, JavaProcess> running = new HashMap<>();

    private Group(
            Path home,
            Launch launch,
            StoreSide store,
            Map<String, Integer> raftPorts,
            Map<String, Integer> ports,
            int workers) {
        this.home = home;
        this.launch = launch;
        this.store = store;
        this.raftPorts = raftPorts;
        this.ports = ports;
        this.workers = workers;
        this.network = new Network(home, raftPorts, ports);
    }

    /** Starts all of them below a directory. */
    public static Group start(Path home, int masters, int workers, int clients)
            throws IOException, InterruptedException {
        Launch untrained = Launch.below(Files.createDirectories(home).resolve("logs"));
        StoreSide store = StoreSide.start(untrained, home);
        Launch launch = untrained.trained(home, store.options("training"));
        List<Integer> free = Ports.free(2 * masters);
        Map<String, Integer> raftPorts = new TreeMap<>();
        Map<String, Integer> ports = new TreeMap<>();
        for (int i = 0; i < masters; i++) {
            String id = Character.toString('a' + i);
            raftPorts.put(id, free.get(2 * i));
            ports.put(id, free.get(2 * i + 1));
        }
        Group group = new Group(home, launch, store, raftPorts, ports, workers);
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
        // A member that the group does not know yet has no vote that counts.
        for (String id : ports.keySet()) {
            awaitMaster(id);
        }
        for (int i = 0; i < workers; i++) {
            awaitWorker(i);
        }
        Map<String, String> open = new LinkedHashMap<>(mount());
        open.put("packing.s3.access.key", "access");
        open.put("packing.s3.secret.key", "secret");
        open.put("master", addresses());
        for (ClientSide client : clients) {
            client.open(open);
        }
    }

    private Map<String, String> mount() {
        Map<String, String> mount = new LinkedHashMap<>(store.options("mount"));
        mount.putAll(MOUNT);
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

    private static String worker(int i) {
        return "worker-" + i;
    }

    private JavaProcess process(String name) {
        JavaProcess process = running.get(name);
        if (process == null) {
            throw new IllegalStateException(name + " was not started");
        }
        return process;
    }

    private void launch(String name, List<String> words) throws IOException {
        Launch own = launches.getOrDefault(name, launch);
        running.put(name, own.start(name, MAIN, MEGABYTES, words, Cluster.KEYS));
    }

    private void launchMaster(String id) throws IOException {
        int port = ports.getOrDefault(id, 0);
        int raftPort = raftPorts.getOrDefault(id, 0);
        launch(
                id,
                List.of(
                        "bdt-master",
                        "--bind",
                        "127.0.0.1:" + port,
                        "--data-dir",
                        home.resolve("master-" + id).toString(),
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
                        "bdt.cache.bytes=8MB"));
    }

    private void awaitMaster(String id) throws IOException, InterruptedException {
        JavaProcess process = process(id);
        String unused = process.awaitLine("BDT master at ", START);
        process.await("is not known to its group", START, () -> logged(process).contains(KNOWN));
    }

    private void launchWorker(int i) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                "worker",
                "--master",
                addresses(),
                "--id",
                worker(i),
                "--buffer-dir",
                home.resolve(worker(i)).toString()));
        mount().forEach((key, value) -> words.addAll(List.of("--option", key + "=" + value)));
        launch(worker(i), words);
    }

    private void awaitWorker(int i) throws IOException, InterruptedException {
        String unused = process(worker(i)).awaitLine("worker ", START);
    }

    private String logged(JavaProcess process) throws IOException {
        Path log = launch.inside(process.name());
        return Files.exists(log) ? Files.readString(log) : "";
    }

    /** The master that was elected last, of those that live. */
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

    /** Kills a master; its directory stays. */
    public void killMaster(String id) throws InterruptedException {
        process(id).kill();
    }

    /** Starts masters that were killed, and waits until they take part in the group. */
    public void startMasters(List<String> ids) throws IOException, InterruptedException {
        for (String id : ids) {
            launchMaster(id);
        }
        for (String id : ids) {
            awaitMaster(id);
        }
    }

    /** Stops a master where it is. */
    public void suspendMaster(String id) throws IOException, InterruptedException {
        process(id).suspend();
    }

    public void resumeMaster(String id) throws IOException, InterruptedException {
        process(id).resume();
    }

    /** Kills a worker; its directory stays. */
    public void killWorker(int i) throws InterruptedException {
        process(worker(i)).kill();
    }

    /** Starts a worker that was killed, and waits until it serves. */
    public void startWorker(int i) throws IOException, InterruptedException {
        launchWorker(i);
        awaitWorker(i);
    }

    /**
     * Cuts a master off from the others.
     *
     * @param silent whether nothing is heard any more; otherwise both sides are told that their connections are gone
     */
    public void cutOff(String id, boolean silent) {
        cutOthersFrom(id, silent);
        for (String other : ports.keySet()) {
            network.cut(id, other, silent);
        }
    }

    /** Cuts the ways from the other masters to one, which still reaches them. */
    public void cutOthersFrom(String id, boolean silent) {
        for (String other : ports.keySet()) {
            network.cut(other, id, silent);
        }
    }

    /** Cuts the way from one master to another one. */
    public void cut(String from, String to, boolean silent) {
        network.cut(from, to, silent);
    }

    /** Cuts a client off from a master. */
    public void cutClient(int client, String id, boolean silent) {
        network.cut("client-" + client, id, silent);
    }

    /** Cuts a worker off from a master. */
    public void cutWorker(int worker, String id, boolean silent) {
        network.cut(worker(worker), id, silent);
    }

    /** Everybody reaches everybody. */
    public void heal() {
        network.heal();
    }

    /** Fails when a process ended that nobody has killed. */
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
        try (network;
                store) {
            for (JavaProcess process : running.values()) {
                process.kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
