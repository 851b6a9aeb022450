// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.nodes;

import io.packing.placement.HashRing;
import io.packing.placement.ReplicaMode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The nodes of a registry, and which of them did not answer lately. Thread-safe. */
public final class Cluster {
    private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);
    private static final Duration CONNECT = Duration.ofSeconds(2);
    /** A node that did not answer is not asked again for so long. */
    private static final long SILENT_NANOS = Duration.ofSeconds(5).toNanos();

    /** The silence of a node after which its replicas are copied to others. */
    private static final long LOST_NANOS = Duration.ofMinutes(10).toNanos();

    private final NodeOptions config;
    private final NodeList list;
    private final Map<String, PeerNode> nodes = new LinkedHashMap<>();
    private final Map<String, Long> silentUntil = new ConcurrentHashMap<>();
    /** The times at which silent nodes were first found so. */
    private final Map<String, Long> silentSince = new ConcurrentHashMap<>();

    private final LongSupplier nanoClock;

    /**
     * Makes a cluster as one of its nodes sees it.
     *
     * @param store of this node
     * @param pulls through this node
     */
    public Cluster(NodeOptions config, NodeStore store, PullCounts pulls, LongSupplier nanoClock) {
        this.config = config;
        this.list = config.nodes();
        this.nanoClock = nanoClock;
        HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .build();
        for (NodeList.Member member : list.nodes()) {
            nodes.put(
                    member.name(),
                    member.name().equals(config.name())
                            ? new LocalNode(store, pulls)
                            : new RemoteNode(member, http, config.key()));
        }
    }

    int replicas() {
        return config.replicas();
    }

    ReplicaMode mode() {
        return config.mode();
    }

    /** Returns all nodes of a role, by name. */
    List<String> all(NodeRole role) {
        return list.names(role);
    }

    /** Returns the nodes of a role that are not silent. */
    List<String> living(NodeRole role) {
        return list.names(role).stream().filter(this::lives).toList();
    }

    boolean lives(String name) {
        Long until = silentUntil.get(name);
        return until == null || until - nanoClock.getAsLong() <= 0;
    }

    /** Returns whether a node is silent, and not for so long that it is lost. */
    boolean mayComeBack(String name) {
        Long since = silentSince.get(name);
        return since != null && nanoClock.getAsLong() - since < LOST_NANOS;
    }

    /** P-servers by the places of their names; those of a key come first. */
    List<String> primaries(String key) {
        List<String> all = list.names(NodeRole.PRIMARY);
        return new HashRing(all).owners(key, all.size());
    }

    /** Something that a node is asked. */
    interface Question<T> {
        T ask(PeerNode node) throws IOException;
    }

    /** Asks a node. One that does not answer is left alone for a while. */
    <T> T ask(String name, Question<T> question) throws IOException {
        try {
            T answer = question.ask(Objects.requireNonNull(nodes.get(name), name));
            silentUntil.remove(name);
            silentSince.remove(name);
            return answer;
        } catch (FileNotFoundException | NodeRefusedException e) {
            throw e;
        } catch (IOException e) {
            long now = nanoClock.getAsLong();
            if (silentSince.putIfAbsent(name, now) == null) {
                LOG.warn("node {} does not answer, and is left alone for a while: {}", name, e.toString());
            }
            silentUntil.put(name, now + SILENT_NANOS);
            throw new IOException("node %s: %s".formatted(name, e.getMessage()), e);
        }
    }

    /** Something that a node does. */
    interface Order {
        void give(PeerNode node) throws IOException;
    }

    void order(String name, Order order) throws IOException {
        boolean unused = ask(name, node -> {
            order.give(node);
            return true;
        });
    }
}
