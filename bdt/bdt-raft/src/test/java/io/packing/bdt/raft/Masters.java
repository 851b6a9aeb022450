// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.AccessOptions;
import io.packing.bdt.master.AllowedStores;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.bdt.master.Federation;
import io.packing.bdt.master.KerberosOptions;
import io.packing.bdt.master.KeystoreOptions;
import io.packing.bdt.master.MasterGroupOptions;
import io.packing.bdt.master.MasterSite;
import io.packing.bdt.master.PermissionOptions;
import io.packing.bdt.master.StoreAccess;
import io.packing.bdt.master.Stores;
import io.packing.bdt.master.rpc.ClientRates;
import io.packing.bdt.master.tokens.TokenOptions;
import io.packing.options.Options;
import io.packing.process.Await;
import io.packing.process.Ports;
import io.packing.sorted.SortedStoreOptions;
import io.packing.transport.Security;
import io.packing.transport.SecurityOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/** The masters of one group in this process, with real Ratis on loopback, each with a directory of its own. */
final class Masters implements AutoCloseable {
    /** A running member. */
    record Running(BdtMaster master, RaftMember member) {}

    private final Path root;
    private final Map<String, Integer> raftPorts = new TreeMap<>();
    private final Map<String, Path> places = new HashMap<>();
    private SortedStoreOptions.Engine engine = SortedStoreOptions.Engine.LEVELDB;
    private final Map<String, Integer> ports = new TreeMap<>();
    private final Map<String, Running> running = new LinkedHashMap<>();
    private int entriesPerSnapshot = 1_000;
    private AccessOptions access = AccessOptions.OPEN;
    private Federation groups = Federation.NONE;

    Masters(Path root) throws IOException {
        this.root = root;
        Files.createDirectories(objects());
    }

    Masters saving(int entries) {
        entriesPerSnapshot = entries;
        return this;
    }

    /** @param options such as {@code bdt.tls.trust} */
    Masters securedBy(Map<String, String> options) {
        access = new AccessOptions(
                security(options),
                TokenOptions.USUAL,
                PermissionOptions.USUAL,
                false,
                StoreAccess.NONE,
                KeystoreOptions.NONE,
                KerberosOptions.NONE,
                ClientRates.RateLimits.NONE);
        return this;
    }

    /** Makes later members part of a group that has some of the mounts. */
    Masters spreadOver(Federation map) {
        groups = map;
        return this;
    }

    static Security security(Map<String, String> options) {
        return SecurityOptions.OF_MASTERS.from(Options.check(options, "bdt.", BdtMasterOptions.OPTIONS));
    }

    private Path objects() {
        return root.resolve("objects");
    }

    private String location() {
        return "file://" + objects();
    }

    Map<String, String> mount() {
        return Map.of("packing.store", location());
    }

    Path data(String id) {
        return places.getOrDefault(id, root.resolve(id));
    }

    /** Sets another engine for tables. */
    Masters on(SortedStoreOptions.Engine other) {
        engine = other;
        return this;
    }

    /** Sets another directory for a member. */
    Masters placing(String id, Path directory) {
        places.put(id, directory);
        return this;
    }

    static int freePort() throws IOException {
        return Ports.free(1).get(0);
    }

    /** Returns the value of {@code --peers} for these members. */
    String peers(List<String> ids) throws IOException {
        for (String id : ids) {
            if (!raftPorts.containsKey(id)) {
                raftPorts.put(id, freePort());
                ports.put(id, freePort());
            }
        }
        return ids.stream().map(id -> id + "=127.0.0.1:" + raftPorts.get(id)).collect(Collectors.joining(","));
    }

    Running start(String id, List<String> ids) throws IOException {
        return start(id, peers(ids), false);
    }

    /** Starts a member that may not take part; returns the reason, which it throws, or reports later if no member led at that moment. */
    String refusal(String id, List<String> ids) throws IOException, InterruptedException {
        try {
            RaftMember member = start(id, ids).member();
            Await.until("it has a problem", () -> member.problem().isPresent());
            return member.problem().orElseThrow();
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    Running start(String id, String peers, boolean join) throws IOException {
        AllowedStores allowed = AllowedStores.parse(location());
        BdtMasterOptions config = config(id, allowed);
        Stores stores = Stores.standard(() -> allowed, AccessOptions.OPEN);
        RaftMember member = member(id, peers, join, config, stores);
        BdtMaster master;
        try {
            master = BdtMaster.start(config, MasterSite.ofMember(new AtomicReference<>(allowed), stores, member));
        } catch (IOException | RuntimeException e) {
            member.close();
            throw e;
        }
        Running started = new Running(master.serve(), member);
        running.put(id, started);
        return started;
    }

    /** Starts a member that takes part in the group and serves no clients. The caller closes it. */
    RaftMember startMember(String id, List<String> ids) throws IOException {
        AllowedStores allowed = AllowedStores.parse(location());
        return member(id, peers(ids), false, config(id, allowed), Stores.standard(() -> allowed, AccessOptions.OPEN));
    }

    private BdtMasterOptions config(String id, AllowedStores allowed) {
        return new BdtMasterOptions(
                        data(id),
                        "127.0.0.1",
                        Optional.ofNullable(ports.get(id)).orElseThrow(),
                        0,
                        engine,
                        1 << 20,
                        0)
                .allowing(allowed)
                .accessible(access)
                .spreadOver(groups);
    }

    private RaftMember member(String id, String peers, boolean join, BdtMasterOptions config, Stores stores)
            throws IOException {
        Map<String, String> raw = Map.of(
                "bdt.raft.peers",
                peers,
                "bdt.raft.id",
                id,
                "bdt.raft.join",
                String.valueOf(join),
                "bdt.raft.lease",
                "400ms");
        return RaftMember.start(
                config,
                MasterGroupOptions.from(raw).orElseThrow(),
                stores,
                new RaftMember.Tuning(entriesPerSnapshot, 16 << 10),
                System::nanoTime);
    }

    /** Starts members, and waits until each has the log: votes of members without the log do not count. */
    Masters startAll(List<String> ids) throws IOException, InterruptedException {
        for (String id : ids) {
            Running unused = start(id, ids);
        }
        for (String id : ids) {
            awaitKnown(id, id);
        }
        return this;
    }

    String address(String id) {
        return "127.0.0.1:" + ports.get(id);
    }

    GrpcBdts client() {
        return client(List.copyOf(ports.keySet()), Duration.ofSeconds(60));
    }

    GrpcBdts client(List<String> ids, Duration timeout) {
        return GrpcBdts.connect(ids.stream().map(this::address).collect(Collectors.joining(",")), timeout);
    }

    /** Waits until a member knows of a start of another one, or of its own. */
    void awaitKnown(String by, String id) throws IOException, InterruptedException {
        Await.until(
                "%s knows of a start of %s".formatted(by, id), () -> member(by).starts(id) >= 1);
    }

    private Optional<String> leading() {
        return running.entrySet().stream()
                .filter(each -> each.getValue().member.refusal().isEmpty())
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Waits for a leader that may answer, and returns its id. */
    String leader() throws IOException, InterruptedException {
        List<String> leaders = new ArrayList<>();
        Await.until("a member may answer", () -> {
            leading().ifPresent(leaders::add);
            return !leaders.isEmpty();
        });
        return leaders.get(0);
    }

    RaftMember member(String id) {
        return Optional.ofNullable(running.get(id)).orElseThrow().member;
    }

    /** Returns the address of a member's metrics. */
    URI metrics(String id) {
        return URI.create("http://127.0.0.1:%d/metrics"
                .formatted(Optional.ofNullable(running.get(id))
                        .orElseThrow()
                        .master
                        .metricsPort()));
    }

    void stop(String id) {
        Running stopped = running.remove(id);
        if (stopped != null) {
            stopped.master.close();
        }
    }

    void stopAll() {
        List.copyOf(running.keySet()).forEach(this::stop);
    }

    @Override
    public void close() {
        stopAll();
    }
}
