// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.cluster;

import io.packing.process.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The store and the clients, which stay from round to round. */
public final class SharedProcesses implements AutoCloseable {
    private final Path home;
    private final Launch launch;
    private final StoreSide store;
    private final List<ClientSide> clients;
    private final int masterPort;

    private SharedProcesses(Path home, Launch launch, StoreSide store, List<ClientSide> clients, int masterPort) {
        this.home = home;
        this.launch = launch;
        this.store = store;
        this.clients = List.copyOf(clients);
        this.masterPort = masterPort;
    }

    /** Starts a store and some clients below a directory. */
    public static SharedProcesses start(Path home, int clients, StoreKind kind)
            throws IOException, InterruptedException {
        Launch untrained = Launch.below(Files.createDirectories(home).resolve("logs"));
        StoreSide store = StoreSide.start(untrained, home, kind);
        Launch launch = untrained.trained(home, store.options("training"), store.keys());
        List<ClientSide> sides = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            sides.add(ClientSide.start("client-" + i, launch, home));
        }
        return new SharedProcesses(home, launch, store, sides, Ports.free(1).get(0));
    }

    /** Starts the master and the workers of a round on a mount of its own, and makes the clients open it. */
    public RoundCluster round(String name, RoundProcessOptions site) throws IOException, InterruptedException {
        Path directory = home.resolve(name);
        Trees.delete(directory);
        RoundCluster cluster = new RoundCluster(
                name,
                Files.createDirectories(directory),
                launch.withLogs(directory.resolve("logs")),
                store,
                clients,
                site,
                masterPort);
        try {
            cluster.start();
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** Deletes a round's files and objects. */
    public void drop(String name) throws IOException {
        Trees.delete(home.resolve(name));
        store.drop(name);
    }

    public StoreSide store() {
        return store;
    }

    @Override
    public void close() {
        clients.forEach(ClientSide::close);
        store.close();
    }
}
