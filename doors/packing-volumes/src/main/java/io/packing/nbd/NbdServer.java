// SPDX-License-Identifier: Apache-2.0
package io.packing.nbd;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server of block devices over NBD. */
public final class NbdServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NbdServer.class);
    private static final int MOST_CONNECTIONS = 64;
    private static final int HANDSHAKE_MILLIS = 30_000;
    private static final int BACKLOG = 128;
    private static final long END_SECONDS = 10;

    private final ServerSocket listening;
    private final NbdExports exports;
    private final Optional<SSLContext> tls;
    private final Semaphore free = new Semaphore(MOST_CONNECTIONS);
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong threads = new AtomicLong();
    private final ExecutorService executor = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "nbd-" + threads.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    });

    private NbdServer(ServerSocket listening, NbdExports exports, Optional<SSLContext> tls) {
        this.listening = listening;
        this.exports = exports;
        this.tls = tls;
    }

    /**
     * Starts a server.
     *
     * @param tls with which every client must begin; empty: the server speaks plainly
     */
    public static NbdServer start(InetSocketAddress address, NbdExports exports, Optional<SSLContext> tls)
            throws IOException {
        ServerSocket listening = new ServerSocket();
        try {
            listening.setReuseAddress(true);
            listening.bind(address, BACKLOG);
        } catch (IOException e) {
            listening.close();
            throw new IOException("%s cannot be listened at: %s".formatted(address, e.getMessage()), e);
        }
        NbdServer server = new NbdServer(listening, exports, tls);
        server.executor.execute(server::accept);
        return server;
    }

    /** Returns the port at which it listens. */
    public int port() {
        return listening.getLocalPort();
    }

    private void accept() {
        while (true) {
            Socket socket;
            try {
                socket = listening.accept();
            } catch (IOException e) {
                if (listening.isClosed()) {
                    return;
                }
                LOG.warn("a client could not connect: {}", e.getMessage());
                continue;
            }
            if (free.tryAcquire()) {
                open.add(socket);
                executor.execute(() -> connected(socket));
            } else {
                LOG.warn("{} was refused: there are {} connections", socket.getRemoteSocketAddress(), MOST_CONNECTIONS);
                close(socket);
            }
        }
    }

    private void connected(Socket socket) {
        try {
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            socket.setSoTimeout(HANDSHAKE_MILLIS);
            Optional<NbdSession> session = new Handshake(ClientStreams.of(socket), exports, tls).negotiate();
            if (session.isPresent()) {
                // A device may be idle for days.
                socket.setSoTimeout(0);
                new NbdConnection(session.get(), executor).serve();
            }
        } catch (EOFException | SocketException e) {
            LOG.debug("{} is gone", socket.getRemoteSocketAddress());
        } catch (IOException e) {
            LOG.warn("the connection of {} ends: {}", socket.getRemoteSocketAddress(), e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(socket);
            close(socket);
            free.release();
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("a connection was not closed", e);
        }
    }

    /** Ends all connections. The devices stay open. */
    @Override
    public void close() throws IOException {
        listening.close();
        open.forEach(NbdServer::close);
        executor.shutdown();
        try {
            if (!executor.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("requests of clients have not ended in {} s", END_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
