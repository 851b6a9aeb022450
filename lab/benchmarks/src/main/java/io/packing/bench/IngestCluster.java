// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.packing.bdt.client.GrpcBdts;
import io.packing.store.ObjectStores;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A cluster of one master or a group of masters, and a worker, in processes of their own, with clients in this process.
 */
final class IngestCluster implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<ChildProcess> processes = new ArrayList<>();
    private final String mount;
    private final String masters;
    private final String worker;
    private long turns;

    /**
     * Starts a cluster below a directory.
     *
     * @param ofMaster options such as {@code bdt.KEY=VALUE}
     * @param ofWorker options such as {@code packing.KEY=VALUE}
     */
    IngestCluster(Path home, List<String> ofMaster, List<String> ofWorker) throws IOException {
        this(home, Map.of("master", ofMaster), ofWorker);
    }

    /** @param ofMasters options of each, by the names of their directories */
    private IngestCluster(Path home, Map<String, List<String>> ofMasters, List<String> ofWorker) throws IOException {
        Path store = Files.createDirectories(home.resolve("store"));
        mount = "packing.store=" + store.toUri();
        List<String> addresses = new ArrayList<>();
        for (Map.Entry<String, List<String>> each : ofMasters.entrySet()) {
            addresses.add(start(
                    List.of("master", home.resolve(each.getKey()).toString(), store.toString()), each.getValue()));
        }
        masters = String.join(",", addresses);
        worker = start(List.of("worker", masters, home.resolve("worker").toString(), mount), ofWorker);
    }

    /** Starts a cluster whose masters agree by Raft. */
    static IngestCluster ofGroup(Path home, int masters, List<String> ofWorker) throws IOException {
        List<String> peers = new ArrayList<>();
        for (int master = 0; master < masters; master++) {
            peers.add("m%d=127.0.0.1:%d".formatted(master, freePort()));
        }
        Map<String, List<String>> options = new LinkedHashMap<>();
        for (String peer : peers) {
            String id = peer.substring(0, peer.indexOf('='));
            options.put(id, List.of("bdt.raft.peers=" + String.join(",", peers), "bdt.raft.id=" + id));
        }
        return new IngestCluster(home, options, ofWorker);
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Starts a server; returns its address. */
    private String start(List<String> arguments, List<String> options) throws IOException {
        ChildProcess process = keep(ChildProcess.start(
                IngestServer.class,
                Stream.concat(arguments.stream(), options.stream()).toList()));
        processes.add(process);
        return process.ready();
    }

    private MountOptions options(List<String> options) {
        Map<String, String> raw = new LinkedHashMap<>();
        List<String> all = new ArrayList<>(options);
        all.add(mount);
        all.forEach(
                option -> raw.put(option.substring(0, option.indexOf('=')), option.substring(option.indexOf('=') + 1)));
        return MountOptions.from(raw);
    }

    /** Connects to the masters; the caller closes the connection. */
    GrpcBdts connect(List<String> options) {
        return GrpcBdts.connect(masters, TIMEOUT, options(options).security());
    }

    /** Opens a client that is closed with the cluster. */
    RemotePackingFileSystem client(List<String> options) throws IOException {
        return keep(client(keep(connect(options)), options));
    }

    /** Opens a client over a connection; the caller closes it. */
    RemotePackingFileSystem client(GrpcBdts master, List<String> options) throws IOException {
        return RemotePackingFileSystem.open(master, options(options), ObjectStores::open, Writers.at(worker));
    }

    /** Returns the processor time of all servers and this process since they started. */
    double cpuSeconds() throws IOException {
        double seconds = ChildProcess.cpuSeconds(ProcessHandle.current().pid());
        for (ChildProcess each : processes) {
            seconds += each.cpuSeconds();
        }
        return seconds;
    }

    /** Returns a new number for each turn. */
    long nextTurn() {
        return turns++;
    }

    private <T extends AutoCloseable> T keep(T opened) {
        open.add(0, opened);
        return opened;
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }
}
