// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import io.grpc.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A gRPC server that listens. Thread-safe. */
public final class RpcServer implements AutoCloseable {
    /** The shortest time between two pings of a client. */
    public static final Duration PERMITTED_KEEP_ALIVE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(RpcServer.class);
    private static final long CALLS_END_SECONDS = 1;
    private static final long STREAMS_END_SECONDS = 5;

    private final Server server;

    private RpcServer(Server server) {
        this.server = server;
    }

    static RpcServer start(Server server, String address) throws IOException {
        try {
            return new RpcServer(server.start());
        } catch (IOException e) {
            throw new IOException(
                    ("cannot listen on %s: %s. Stop the process that has this port, or choose another one (--port of a worker,"
                                    + " --bind of a master)")
                            .formatted(address, String.valueOf(e.getMessage())),
                    e);
        }
    }

    public int port() {
        return server.getPort();
    }

    /** Waits until the server has ended. */
    public void awaitTermination() throws InterruptedException {
        server.awaitTermination();
    }

    /** Takes no more calls, lets calls end that do so soon, and cuts off the others. */
    public void stop() {
        server.shutdown();
        try {
            if (!server.awaitTermination(CALLS_END_SECONDS, TimeUnit.SECONDS)) {
                // Streams stay open for as long as their clients live.
                server.shutdownNow();
                boolean ended = server.awaitTermination(STREAMS_END_SECONDS, TimeUnit.SECONDS);
                LOG.debug("gRPC server ended: {}", ended);
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    /** Takes no more calls, and cuts off the current ones. */
    @Override
    public void close() {
        server.shutdownNow();
    }
}
