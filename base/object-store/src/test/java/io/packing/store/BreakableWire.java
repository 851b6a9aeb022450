// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Collection;
import java.util.Collections;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A TCP connection between client and server that a test can cut in the middle of an answer. */
final class BreakableWire implements AutoCloseable {
    private final URI server;
    private final ServerSocket listener;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    /** The bytes of its answers after which each connection breaks off, in turn. */
    private final Queue<Long> cuts = new ConcurrentLinkedQueue<>();

    BreakableWire(URI server) throws IOException {
        this.server = server;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    /** Breaks off the next answers, so many, after so many bytes from now on. */
    void cutNextAnswers(int times, long afterBytes) {
        cutConnections(Collections.nCopies(times, afterBytes));
    }

    /** Breaks off the next connections, or present ones, after so many bytes of their answers, one after the other. */
    void cutConnections(Collection<Long> afterBytes) {
        cuts.clear();
        cuts.addAll(afterBytes);
    }

    /** Returns the number of cuts to come. */
    int cutsLeft() {
        return cuts.size();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Socket upstream = new Socket(server.getHost(), server.getPort());
                client.setTcpNoDelay(true);
                upstream.setTcpNoDelay(true);
                sockets.add(client);
                sockets.add(upstream);
                threads.execute(() -> pump(client, upstream, false));
                threads.execute(() -> pump(upstream, client, true));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void pump(Socket from, Socket to, boolean answers) {
        byte[] buffer = new byte[16 << 10];
        long sinceCut = 0;
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                Long cut = answers ? cuts.peek() : null;
                if (cut != null) {
                    long allowed = Math.max(0, cut - sinceCut);
                    sinceCut += count;
                    if (count >= allowed && cuts.remove(cut)) {
                        out.write(buffer, 0, (int) Math.min(count, allowed));
                        return;
                    }
                }
                out.write(buffer, 0, count);
            }
        } catch (IOException e) {
            // One side went away, so close both.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
        threads.shutdownNow();
    }
}
