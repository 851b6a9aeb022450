// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A TCP connection to a server whose answers a test can damage: it changes a letter of a word in them. */
final class FlippingWire implements AutoCloseable {
    private final ServerSocket listener;
    private final String host;
    private final int port;
    private final byte[] word;
    private final AtomicInteger flips = new AtomicInteger();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** @param server {@code host:port} */
    FlippingWire(String server, String word) throws IOException {
        int colon = server.lastIndexOf(':');
        this.host = server.substring(0, colon);
        this.port = Integer.parseInt(server.substring(colon + 1));
        this.word = word.getBytes(StandardCharsets.US_ASCII);
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    String address() {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    /** Damages the next occurrences of the word, so many. */
    void flipNext(int times) {
        flips.set(times);
    }

    int flipsLeft() {
        return flips.get();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Socket server = new Socket(host, port);
                sockets.add(client);
                sockets.add(server);
                threads.execute(() -> pump(client, server, false));
                threads.execute(() -> pump(server, client, true));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void pump(Socket from, Socket to, boolean answers) {
        byte[] buffer = new byte[64 << 10];
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                if (answers) {
                    damage(buffer, count);
                }
                out.write(buffer, 0, count);
            }
        } catch (IOException e) {
            // One side went away, so close both.
        }
    }

    private void damage(byte[] bytes, int count) {
        for (int at = 0; at + word.length <= count; at++) {
            if (Arrays.equals(bytes, at, at + word.length, word, 0, word.length)
                    && flips.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                bytes[at] ^= 1;
            }
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
