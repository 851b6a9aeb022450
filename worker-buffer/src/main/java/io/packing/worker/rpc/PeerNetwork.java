// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.rpc;

import io.packing.transport.AccessControl;
import io.packing.transport.Security;
import io.packing.worker.read.Peers;
import java.io.IOException;
import java.time.Duration;

/** The network between workers: the server of a worker's files, and the clients of other workers. */
public interface PeerNetwork {
    /** A server of a worker's files. */
    interface Server extends AutoCloseable {
        /** Returns the port at which it listens. */
        int port();

        @Override
        void close();
    }

    /** A client of other workers. */
    interface Client extends AutoCloseable {
        /**
         * Returns the workers for readers of a mount.
         *
         * @param timeout the longest wait of a read for its worker, and of a flush for a sign of life
         */
        Peers reading(Duration timeout);

        @Override
        void close();
    }

    /** Starts to serve; port 0 takes a free one. */
    Server serve(String host, int port, PeerServer.Served served, AccessControl access) throws IOException;

    /** Returns a client of all workers. */
    Client client(Security security);

    /** Returns the network of real workers, gRPC. */
    static PeerNetwork grpc() {
        return new PeerNetwork() {
            @Override
            public Server serve(String host, int port, PeerServer.Served served, AccessControl access)
                    throws IOException {
                return PeerServer.start(host, port, served, access);
            }

            @Override
            public Client client(Security security) {
                return new PeerClient(security);
            }
        };
    }
}
