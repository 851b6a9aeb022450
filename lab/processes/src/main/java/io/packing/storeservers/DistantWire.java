// SPDX-License-Identifier: Apache-2.0
package io.packing.storeservers;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * A wire to servers of this machine that behaves as if they were on another one. Bytes arrive as late as over the
 * {@link NetworkLink}, and a new connection costs a round trip. Wires to several servers share the link's rate. Thread-safe.
 */
public final class DistantWire implements AutoCloseable {
    private static final int PIECE_BYTES = 16 << 10;
    /** The limit of pieces in transit on a connection: 4 MB, as much as a TCP window of this machine. */
    private static final int PIECES = 256;

    private final NetworkLink link;
    private final NetworkLink.Direction there;
    private final NetworkLink.Direction back;
    private final LongSupplier nanoTime;
    private final Set<Closeable> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "distant-wire");
        thread.setDaemon(true);
        return thread;
    });

    /** Bytes that arrive at a time. A piece without bytes is the end. */
    private record Piece(ByteBuffer bytes, long arrival) {}

    public DistantWire(NetworkLink link) {
        this(link, System::nanoTime);
    }

    DistantWire(NetworkLink link, LongSupplier nanoTime) {
        this.link = link;
        this.there = new NetworkLink.Direction(link);
        this.back = new NetworkLink.Direction(link);
        this.nanoTime = nanoTime;
    }

    /** Returns the address at which distant clients reach a server. Without a link it is the server's own address. */
    public URI to(URI server) throws IOException {
        if (link.isNone()) {
            return server;
        }
        ServerSocket listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        open.add(listener);
        threads.execute(() -> accept(listener, server));
        return URI.create(
                "%s://127.0.0.1:%d%s".formatted(server.getScheme(), listener.getLocalPort(), server.getRawPath()));
    }

    /** Returns the address, {@code host:port}, at which distant clients reach a server. */
    public String to(String server) throws IOException {
        return to(URI.create("tcp://" + server)).getAuthority();
    }

    private void accept(ServerSocket listener, URI server) {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                open.add(client);
                connect(client, server);
            } catch (IOException e) {
                // The client has disconnected, or the wire is closed.
            }
        }
    }

    private void connect(Socket client, URI server) {
        try {
            Socket upstream = new Socket(server.getHost(), server.getPort());
            open.add(upstream);
            // Small pieces must not wait for an acknowledgement here.
            upstream.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
            long greeted = nanoTime.getAsLong() + link.roundTrip().toNanos();
            AtomicInteger ends = new AtomicInteger();
            Runnable ended = () -> {
                if (ends.incrementAndGet() == 2) {
                    close(client);
                    close(upstream);
                }
            };
            pump(client, upstream, there, greeted, ended);
            pump(upstream, client, back, Long.MIN_VALUE, ended);
        } catch (IOException e) {
            close(client);
        }
    }

    /**
     * Carries bytes one way.
     *
     * @param earliest time of the first piece
     * @param ended runs once when all bytes have arrived, or cannot
     */
    private void pump(Socket from, Socket to, NetworkLink.Direction way, long earliest, Runnable ended) {
        BlockingQueue<Piece> travelling = new ArrayBlockingQueue<>(PIECES);
        threads.execute(() -> send(from, way, earliest, travelling));
        threads.execute(() -> {
            deliver(travelling, from, to);
            ended.run();
        });
    }

    private void send(Socket from, NetworkLink.Direction way, long earliest, BlockingQueue<Piece> travelling) {
        try {
            try {
                InputStream in = from.getInputStream();
                byte[] buffer = new byte[PIECE_BYTES];
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    ByteBuffer bytes =
                            ByteBuffer.allocate(count).put(buffer, 0, count).flip();
                    long now = nanoTime.getAsLong();
                    long sent = earliest == Long.MIN_VALUE ? now : Math.max(now, earliest);
                    travelling.put(new Piece(bytes, way.arrival(sent, count)));
                }
            } catch (IOException e) {
                // The sender has disconnected. The receiver learns it after the bytes in transit.
            }
            travelling.put(new Piece(ByteBuffer.allocate(0), nanoTime.getAsLong()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void deliver(BlockingQueue<Piece> travelling, Socket from, Socket to) {
        try {
            OutputStream out = to.getOutputStream();
            for (Piece piece = travelling.take(); piece.bytes().hasRemaining(); piece = travelling.take()) {
                for (long left = piece.arrival() - nanoTime.getAsLong();
                        left > 0;
                        left = piece.arrival() - nanoTime.getAsLong()) {
                    LockSupport.parkNanos(left);
                }
                out.write(piece.bytes().array());
            }
            to.shutdownOutput();
        } catch (IOException e) {
            // The receiver has disconnected, so the sender must not wait for ever.
            close(to);
            close(from);
            travelling.clear();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void close(Closeable each) {
        open.remove(each);
        try {
            each.close();
        } catch (IOException e) {
            // The socket is closed already.
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        open.forEach(this::close);
    }
}
