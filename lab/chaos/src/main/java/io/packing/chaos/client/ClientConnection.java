// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.client;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A connection to a client process, with one request at a time. Confined to one thread. */
public final class ClientConnection implements AutoCloseable {
    private static final ObjectMapper JSON =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    private static final int CONNECT_MILLIS = 5_000;

    private final Socket socket;
    private final BufferedReader in;
    private final OutputStream out;

    private ClientConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        this.out = socket.getOutputStream();
    }

    /** Connects to a client process on a loopback port. */
    public static ClientConnection to(int port, Duration patience) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(Math.toIntExact(patience.toMillis()));
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            return new ClientConnection(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Sends a request and waits for its answer.
     *
     * @throws IOException when the client is gone or does not answer; the connection is unusable then
     */
    public ClientReply ask(ClientRequest request) throws IOException {
        out.write((JSON.writeValueAsString(request) + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
        String line = in.readLine();
        if (line == null) {
            throw new IOException("the client is gone");
        }
        return JSON.readValue(line, ClientReply.class);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
