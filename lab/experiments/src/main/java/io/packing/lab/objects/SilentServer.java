// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.objects;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A server that takes each object and keeps none: its rate is the most that the clients of a measurement can see, since it shares the
 * processors with them as any other server does.
 */
final class SilentServer implements AutoCloseable {
    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final String LENGTH = "content-length:";

    private final ServerSocket socket;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private SilentServer(ServerSocket socket) {
        this.socket = socket;
    }

    static SilentServer start() throws IOException {
        SilentServer server = new SilentServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        server.threads.execute(server::accept);
        return server;
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    private void accept() {
        try {
            while (true) {
                Socket client = socket.accept();
                client.setTcpNoDelay(true);
                threads.execute(() -> serve(client));
            }
        } catch (IOException e) {
            // The measurement is over.
        }
    }

    private static void serve(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream(), 64 << 10);
            OutputStream out = client.getOutputStream();
            for (String line = line(in); !line.isEmpty(); line = line(in)) {
                long length = 0;
                for (; !line.isEmpty(); line = line(in)) {
                    if (line.startsWith(LENGTH)) {
                        length = Long.parseLong(line.substring(LENGTH.length()).strip());
                    }
                }
                in.skipNBytes(length);
                out.write(ANSWER);
            }
        } catch (IOException e) {
            // The client has gone, which sees it itself.
        }
    }

    /** Returns the next line in lower case; empty at the end. */
    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder(64);
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString().toLowerCase(Locale.ROOT);
    }

    @Override
    public void close() throws IOException {
        socket.close();
        threads.shutdownNow();
    }
}
