// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.cluster;

import io.packing.storeservers.ToxicWire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The ways between processes, each of which can be cut. Processes call a member by the names {@code raft-ID} and
 * {@code master-ID}. Each process has a hosts file with wires of its own for these names. A wire is a loopback address
 * for each pair, with the port of the server behind it. It needs no rights, but all of 127.0.0.0/8 as loopback, as on
 * Linux.
 */
final class Network implements AutoCloseable {
    private static final String RAFT = "raft-";
    private static final String MASTER = "master-";

    private final Path directory;
    private final Map<String, Integer> raftPorts;
    private final Map<String, Integer> ports;
    /** The wires of each process to each member. */
    private final Map<String, Map<String, List<ToxicWire>>> wires = new HashMap<>();

    /** @param ports where each member listens for clients */
    Network(Path directory, Map<String, Integer> raftPorts, Map<String, Integer> ports) {
        this.directory = directory;
        this.raftPorts = new TreeMap<>(raftPorts);
        this.ports = new TreeMap<>(ports);
    }

    static String master(String member, int port) {
        return MASTER + member + ":" + port;
    }

    static String raft(String member, int port) {
        return RAFT + member + ":" + port;
    }

    /** Makes the wires of a process to all members, and returns its hosts file. */
    Path join(String process) throws IOException {
        int number = wires.size() + 1;
        List<String> hosts = new ArrayList<>(List.of("127.0.0.1 localhost " + own()));
        Map<String, List<ToxicWire>> ways = new HashMap<>();
        int member = 0;
        for (String id : ports.keySet()) {
            member++;
            if (id.equals(process)) {
                hosts.add("127.0.0.1 %s%s %s%s".formatted(RAFT, id, MASTER, id));
                continue;
            }
            List<ToxicWire> both = new ArrayList<>();
            ways.put(id, both);
            String address = "127.0.%d.%d".formatted(number, member);
            hosts.add("%s %s%s %s%s".formatted(address, RAFT, id, MASTER, id));
            for (Map<String, Integer> each : List.of(raftPorts, ports)) {
                int port = each.getOrDefault(id, 0);
                both.add(new ToxicWire(
                        new InetSocketAddress(InetAddress.getByName(address), port),
                        URI.create("http://127.0.0.1:" + port),
                        0,
                        number));
            }
        }
        wires.put(process, ways);
        return Files.write(directory.resolve("hosts-" + process), hosts);
    }

    /** Returns the machine's name, which a process may look up. */
    private static String own() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unnamed";
        }
    }

    /**
     * Cuts the way from a process to a member.
     *
     * @param silent whether connections stay open but pass no bytes; otherwise both sides see them closed
     */
    void cut(String process, String member, boolean silent) {
        for (ToxicWire wire : wires.getOrDefault(process, Map.of()).getOrDefault(member, List.of())) {
            if (silent) {
                wire.silence();
            } else {
                wire.part();
            }
        }
    }

    /** Joins all wires again. */
    void heal() {
        wires.values().forEach(ways -> ways.values().forEach(all -> all.forEach(ToxicWire::join)));
    }

    @Override
    public void close() throws IOException {
        for (Map<String, List<ToxicWire>> ways : wires.values()) {
            for (List<ToxicWire> all : ways.values()) {
                for (ToxicWire wire : all) {
                    wire.close();
                }
            }
        }
    }
}
