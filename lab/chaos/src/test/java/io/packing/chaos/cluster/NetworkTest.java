// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(value = OS.LINUX, disabledReason = "all of 127.0.0.0/8 has to be loopback")
@Timeout(60)
class NetworkTest {
    @TempDir
    private Path directory;

    private final ServerSocket master;
    private final ServerSocket raft;
    private Optional<Network> open = Optional.empty();

    NetworkTest() throws IOException {
        master = greeting("m");
        raft = greeting("r");
    }

    private Network network() {
        Network network = new Network(directory, Map.of("b", raft.getLocalPort()), Map.of("b", master.getLocalPort()));
        open = Optional.of(network);
        return network;
    }

    @AfterEach
    void end() throws IOException {
        if (open.isPresent()) {
            open.get().close();
        }
        master.close();
        raft.close();
    }

    /** Starts a server that sends a word to each connection. */
    private static ServerSocket greeting(String word) throws IOException {
        ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> {
            while (!server.isClosed()) {
                try (Socket client = server.accept()) {
                    client.getOutputStream().write(word.getBytes(StandardCharsets.UTF_8));
                } catch (IOException e) {
                    // The client is gone, or the test has closed the server.
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
        return server;
    }

    /** Returns the address of a name in a hosts file. */
    private static String address(Path hosts, String name) throws IOException {
        return Files.readAllLines(hosts).stream()
                .filter(line -> (line + " ").contains(" " + name + " "))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .findFirst()
                .orElseThrow();
    }

    private static String heard(String address, ServerSocket of) throws IOException {
        try (Socket socket = new Socket(address, of.getLocalPort())) {
            byte[] bytes = socket.getInputStream().readAllBytes();
            if (bytes.length == 0) {
                throw new IOException("nothing was heard");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    @Test
    void eachProcessHasWaysOfItsOwnThatAreCutAlone() throws Exception {
        Network network = network();
        String first = address(network.join("client-0"), "master-b");
        String second = address(network.join("client-1"), "master-b");
        assertThat(first).isNotEqualTo(second);
        network.cut("client-0", "b", false);
        assertThatIOException().isThrownBy(() -> heard(first, master));
        assertThatIOException().isThrownBy(() -> heard(first, raft));
        assertThat(heard(second, master)).isEqualTo("m");
        assertThat(heard(second, raft)).isEqualTo("r");
        network.heal();
        assertThat(heard(first, master)).isEqualTo("m");
    }

    @Test
    void aMemberReachesItselfWithoutAWire() throws Exception {
        assertThat(address(network().join("b"), "raft-b")).isEqualTo("127.0.0.1");
    }
}
