// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.security;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.IssuedToken;
import io.packing.bdt.MoveProgress;
import io.packing.bdt.client.FederationClient;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FilePath;
import io.packing.certificates.IssuedCertificate;
import io.packing.certificates.TestAuthority;
import io.packing.process.Await;
import io.packing.process.Ports;
import io.packing.store.ObjectStores;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Master groups with TLS, each of one master, and workers that know the master of one group. */
final class SecuredGroups implements AutoCloseable {
    /** The subject of a master. */
    static final String MASTER = "CN=master, O=packing-daemon, O=packing-master";

    final TestAuthority authority;
    private final Path home;
    private final Map<String, String> addresses = new LinkedHashMap<>();
    private final Map<String, BdtMaster> masters = new HashMap<>();
    private final List<AutoCloseable> opened = new ArrayList<>();

    /** @param names of the groups; the first has the table of mounts */
    SecuredGroups(Path home, String... names) throws IOException {
        this.home = home;
        this.authority = TestAuthority.create(
                home.resolve("certificates"), "authority", Clock.systemUTC().instant());
        Files.createDirectories(home.resolve("store"));
        List<Integer> ports = Ports.free(names.length);
        for (int i = 0; i < names.length; i++) {
            addresses.put(names[i], "127.0.0.1:" + ports.get(i));
        }
    }

    String address(String group) {
        return Objects.requireNonNull(addresses.get(group));
    }

    private String list() {
        List<String> groups = new ArrayList<>();
        addresses.forEach((name, address) -> groups.add(name + "=" + address));
        return String.join(",", groups);
    }

    void start(String group) throws IOException {
        start(group, list(), MASTER);
    }

    /**
     * Starts a master.
     *
     * @param list of the groups that it knows
     * @param subject of its certificate
     */
    void start(String group, String list, String subject) throws IOException {
        IssuedCertificate own = authority.issue("master-" + group, subject);
        Map<String, String> options = new HashMap<>(authority.options("bdt", own));
        options.put("bdt.data.dir", home.resolve(group).toString());
        options.put("bdt.port", address(group).substring("127.0.0.1:".length()));
        options.put("bdt.stores", "file://" + home);
        options.put("bdt.metrics.port", "0");
        options.put("bdt.mounts.groups", list);
        options.put("bdt.mounts.group", group);
        masters.put(group, BdtMaster.start(BdtMasterOptions.from(options)).serve());
    }

    void stop(String group) {
        Objects.requireNonNull(masters.remove(group)).close();
    }

    /** Starts a stopped master again, on its disk and at its port. */
    void restart(String group) throws IOException {
        stop(group);
        start(group);
    }

    /** Returns a master's metric with this label and no other one. */
    double metric(String of, String name, String label) throws IOException, InterruptedException {
        int port = Objects.requireNonNull(masters.get(of)).metricsPort();
        String served = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/metrics".formatted(port)))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        String start = "%s{%s} ".formatted(name, label);
        return served.lines()
                .filter(line -> line.startsWith(start))
                .mapToDouble(line -> Double.parseDouble(line.substring(start.length())))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no metric " + start));
    }

    /** Starts a worker of the one mount, which asks a group's master. */
    PackingFileSystem worker(String id, String group) throws IOException {
        MountOptions options = certified(id, "CN=" + id + ", O=packing-daemon");
        GrpcBdts bdts = client(group, options);
        PackingWorker worker = PackingWorker.start(
                new WorkerOptions(id, home.resolve(id), "127.0.0.1", 0, options.security()),
                bdts,
                ObjectStores::open,
                Clock.systemUTC(),
                new SimpleMeterRegistry());
        opened.add(worker);
        PackingFileSystem mount = worker.open(options);
        opened.add(mount);
        return mount;
    }

    MountOptions certified(String name, String subject) throws IOException {
        Map<String, String> raw = SecuredRig.anonymous(home, authority);
        raw.putAll(authority.options("packing", authority.issue(name, subject)));
        return MountOptions.from(raw);
    }

    /** Returns the options of a client with a token only. */
    MountOptions showing(String token) throws IOException {
        Path file = Files.writeString(Files.createTempFile(home, "token", ""), token);
        Map<String, String> raw = SecuredRig.anonymous(home, authority);
        raw.put("packing.tls.token", file.toString());
        return MountOptions.from(raw);
    }

    /** Creates a client of a group, which is closed with this rig. */
    GrpcBdts client(String group, MountOptions who) {
        GrpcBdts client = GrpcBdts.connect(address(group), SecuredRig.TIMEOUT, who.security());
        opened.add(client);
        return client;
    }

    GrpcBdts admin(String group) throws IOException {
        return client(group, certified("admin", "CN=admin, O=packing-superuser"));
    }

    /** Returns a token for a job of alice, which yarn may renew. */
    IssuedToken token(String group) throws IOException {
        return client(group, certified("alice", "CN=alice")).tokens().issue("", "yarn");
    }

    /** Waits until a group knows the keys by which another one signs now. */
    void awaitHeard(String at, IssuedToken token) throws IOException, InterruptedException {
        MountOptions who = showing(token.text());
        GrpcBdts client = client(at, who);
        Await.until("group %s takes the token".formatted(at), () -> {
            try {
                return client.open(who.raw()).stat(FilePath.ROOT).isPresent();
            } catch (IOException e) {
                return refusedAs(e, "known");
            }
        });
    }

    private static boolean refusedAs(IOException failure, String why) throws IOException {
        if (!String.valueOf(failure.getMessage()).contains(why)) {
            throw failure;
        }
        return false;
    }

    /** Moves the one mount, and waits for the end of the move. */
    MoveProgress move(String to) throws IOException, InterruptedException {
        FederationClient groups = admin(addresses.keySet().iterator().next()).groups();
        String mount = groups.table().mounts().get(0).mount();
        List<MoveProgress> seen = new ArrayList<>(List.of(groups.move(mount, to, true)));
        Await.until("the move to group " + to + " is over", () -> {
            seen.add(groups.move(mount, to, false));
            return seen.get(seen.size() - 1).isOver();
        });
        return seen.get(seen.size() - 1);
    }

    Optional<String> groupOfMount(String asked) throws IOException {
        return admin(asked).groups().table().mounts().stream()
                .map(entry -> entry.group())
                .findFirst();
    }

    @Override
    public void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
        for (BdtMaster master : masters.values()) {
            master.close();
        }
    }
}
