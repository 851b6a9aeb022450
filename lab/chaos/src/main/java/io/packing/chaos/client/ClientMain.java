// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.client;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * The client process: prints {@code client at PORT}, and answers each line of JSON with one line. It does not know the
 * model, so that rounds can kill it.
 */
public final class ClientMain {
    private static final ObjectMapper JSON =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private final Session session = new Session();

    private ClientMain() {}

    public static void main(String[] arguments) throws IOException {
        ClientMain client = new ClientMain();
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            System.out.println("client at " + server.getLocalPort());
            System.out.flush();
            while (true) {
                Socket socket = server.accept();
                Thread thread = new Thread(() -> client.serve(socket), "serve");
                thread.setDaemon(true);
                thread.start();
            }
        }
    }

    private void serve(Socket socket) {
        try (socket;
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
                PrintWriter out = new PrintWriter(socket.getOutputStream(), false, StandardCharsets.UTF_8)) {
            socket.setTcpNoDelay(true);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.print(JSON.writeValueAsString(session.answer(JSON.readValue(line, ClientRequest.class))));
                out.print('\n');
                out.flush();
            }
        } catch (IOException e) {
            System.out.println("a connection ended: " + e);
        }
    }
}
