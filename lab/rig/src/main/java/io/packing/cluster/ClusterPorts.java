// SPDX-License-Identifier: Apache-2.0
package io.packing.cluster;

import io.packing.process.Ports;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** The loopback ports of one cluster. A restarted process keeps its ports. */
record ClusterPorts(Server master, Server jobMaster, Server jobWorker, int jobWorkerData, List<Server> workers) {
    /** An RPC port and a web port. */
    record Server(int rpc, int web) {}

    ClusterPorts {
        workers = List.copyOf(workers);
    }

    static ClusterPorts free(int workers) throws IOException {
        Iterator<Integer> free = Ports.free(7 + 2 * workers).iterator();
        Server master = new Server(free.next(), free.next());
        Server jobMaster = new Server(free.next(), free.next());
        Server jobWorker = new Server(free.next(), free.next());
        int data = free.next();
        return new ClusterPorts(
                master,
                jobMaster,
                jobWorker,
                data,
                Stream.generate(() -> new Server(free.next(), free.next()))
                        .limit(workers)
                        .toList());
    }
}
