// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.raw;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.packing.seed.Seed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A test that planted bugs are found, and that the seed determines the sent bytes. */
@Timeout(120)
final class PortAttackTest {
    private static final int PATIENCE_MILLIS = 10_000;
    private static final long SEED = Seed.value();

    private static Port port(int port, Noise noise) {
        return new Port("planted", () -> connect(port), noise, answer -> answer.startsWith("HTTP/1.1 500"));
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
        return socket;
    }

    private static List<String> finds(Port port, int connections) {
        List<String> finds = new ArrayList<>();
        try (PortAttack attack = new PortAttack(List.of(port), (what, number, message) -> finds.add(what), SEED)) {
            for (int i = 0; i < connections; i++) {
                attack.step();
            }
            assertThat(attack.connections()).isEqualTo(connections);
        }
        return finds;
    }

    @Test
    void aServerThatFailsOnOnePathIsFound() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(exchange.getRequestURI().getPath().contains("bad") ? 500 : 404, -1);
            exchange.close();
        });
        // A request that does not end keeps a thread as long as its connection.
        ExecutorService threads = Executors.newCachedThreadPool();
        server.setExecutor(threads);
        server.start();
        try {
            int port = server.getAddress().getPort();
            assertThat(finds(port(port, new HttpNoise(List.of("/good", "/bad"))), 100))
                    .contains("planted answers HTTP/1.1 500 Internal Server Error");
            assertThat(finds(port(port, new HttpNoise(List.of("/good", "/better"))), 100))
                    .isEmpty();
        } finally {
            server.stop(0);
            threads.shutdownNow();
        }
    }

    @Test
    void aPortThatIsGoneIsFound() throws IOException {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        assertThat(finds(port(port, new TlsNoise()), 1))
                .singleElement()
                .asString()
                .startsWith("planted takes no connections");
    }

    @Test
    void noiseComesFromTheSeedAndIsMostlyNearlyRight() {
        Http2Noise calls = new Http2Noise(List.of("/packing.bdt.v1.Bdt/Stat"));
        HttpNoise requests = new HttpNoise(List.of("/v2/{name}/blobs/{digest}"));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < 200; i++) {
            for (Noise noise : List.of(calls, requests)) {
                byte[] bytes = noise.bytes(new SplittableRandom(SEED + i));
                assertThat(noise.bytes(new SplittableRandom(SEED + i))).isEqualTo(bytes);
                all.writeBytes(bytes);
            }
        }
        assertThat(all.toString(StandardCharsets.ISO_8859_1))
                .contains("PRI * HTTP/2.0", "/packing.bdt.v1.Bdt/Stat", "application/grpc")
                .contains("/v2/noise/blobs/sha256:", "Transfer-Encoding: chunked")
                .doesNotContain("{name}");
    }
}
