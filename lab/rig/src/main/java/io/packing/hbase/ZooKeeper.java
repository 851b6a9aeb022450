// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase;

import io.packing.process.JavaProcess;
import io.packing.process.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A running ZooKeeper of one server. Closing it stops it. */
public final class ZooKeeper implements AutoCloseable {
    private static final int MEGABYTES = 64;

    private final JavaProcess process;
    private final int port;

    private ZooKeeper(JavaProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts ZooKeeper without data and returns when it accepts connections. */
    public static ZooKeeper start(Setup setup) throws IOException, InterruptedException {
        int port = Ports.free(1).get(0);
        Path data = Files.createDirectories(setup.home().resolve("zookeeper"));
        Path config = data.resolve("zoo.cfg");
        Files.writeString(config, """
                dataDir=%s
                clientPortAddress=%s
                clientPort=%d
                tickTime=2000
                maxClientCnxns=0
                """.formatted(data, HdfsCluster.HOST, port));
        String main = "org.apache.zookeeper.server.ZooKeeperServerMain";
        Child child = new Child("zookeeper", main, MEGABYTES, Map.of(), List.of(config.toString()));
        ZooKeeper zooKeeper = new ZooKeeper(JavaProcess.start(child.prepare(setup), setup.logs()), port);
        try {
            zooKeeper.process.awaitPort(port, setup.startTimeout());
            return zooKeeper;
        } catch (IOException | InterruptedException | RuntimeException e) {
            zooKeeper.close();
            throw e;
        }
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        process.close();
    }
}
