// SPDX-License-Identifier: Apache-2.0
package io.packing.storeservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.seed.Seed;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DistantWireTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ServerSocket echo;

    DistantWireTest() throws IOException {
        echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(() -> {
            while (!echo.isClosed()) {
                try {
                    Socket client = echo.accept();
                    threads.execute(() -> answer(client));
                } catch (IOException e) {
                    return;
                }
            }
        });
    }

    private static void answer(Socket client) {
        try (client) {
            long unused = client.getInputStream().transferTo(client.getOutputStream());
        } catch (IOException e) {
            // The client left.
        }
    }

    private URI server() {
        return URI.create("http://127.0.0.1:%d/v2/".formatted(echo.getLocalPort()));
    }

    @AfterEach
    void stop() throws IOException {
        echo.close();
        threads.shutdownNow();
    }

    private byte[] asked(URI server, byte[] question) throws Exception {
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            Future<byte[]> answer = threads.submit(() -> socket.getInputStream().readAllBytes());
            OutputStream out = socket.getOutputStream();
            out.write(question);
            socket.shutdownOutput();
            return answer.get();
        }
    }

    @Test
    void everyByteArrivesInItsOrder() throws Exception {
        byte[] question = new byte[3_000_000];
        Seed.random().nextBytes(question);
        try (DistantWire wire = new DistantWire(NetworkLink.of(1, 200))) {
            URI far = wire.to(server());
            assertThat(far.getPath()).isEqualTo("/v2/");
            assertThat(far.getPort()).isNotEqualTo(echo.getLocalPort());
            assertThat(asked(far, question)).isEqualTo(question);
            assertThat(asked(far, new byte[0])).isEmpty();
        }
    }

    @Test
    void nothingArrivesEarlierThanTheLinkHasIt() throws Exception {
        byte[] question = new byte[100_000];
        try (DistantWire wire = new DistantWire(new NetworkLink(Duration.ofMillis(40), 2_000_000))) {
            URI far = wire.to(server());
            long start = System.nanoTime();
            byte[] unused = asked(far, question);
            // The connection takes a round trip, and the bytes another. They take 50 ms each way, but may travel
            // together.
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(130_000_000L);
        }
    }

    @Test
    void wiresOfALinkShareItsRate() {
        NetworkLink.Direction way = new NetworkLink.Direction(new NetworkLink(Duration.ofNanos(20), 1_000_000_000));
        assertThat(way.arrival(1_000, 100)).isEqualTo(1_110);
        assertThat(way.arrival(1_000, 100)).as("behind the first").isEqualTo(1_210);
        assertThat(way.arrival(5_000, 100)).as("nothing is before it").isEqualTo(5_110);
        NetworkLink.Direction wide = new NetworkLink.Direction(new NetworkLink(Duration.ofNanos(20), 0));
        assertThat(wide.arrival(7, 1 << 30)).isEqualTo(17);
    }

    @Test
    void withoutALinkThereIsNoWire() throws Exception {
        try (DistantWire wire = new DistantWire(NetworkLink.of(0, 0))) {
            assertThat(wire.to(server())).isEqualTo(server());
            assertThat(wire.to("127.0.0.1:5")).isEqualTo("127.0.0.1:5");
        }
    }

    @Test
    void anEndOfTheWireIsOneOfItsConnections() throws Exception {
        DistantWire wire = new DistantWire(NetworkLink.of(1, 0));
        String far = wire.to("127.0.0.1:" + echo.getLocalPort());
        int port = Integer.parseInt(far.substring(far.indexOf(':') + 1));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(7);
            assertThat(socket.getInputStream().read()).isEqualTo(7);
            wire.close();
            assertThat(ended(socket)).isTrue();
        }
    }

    @Test
    void whereNoServerIsConnectionsEnd() throws Exception {
        try (DistantWire wire = new DistantWire(NetworkLink.of(1, 0))) {
            URI far = wire.to(nobody());
            try (Socket socket = new Socket(far.getHost(), far.getPort())) {
                assertThat(ended(socket)).isTrue();
            }
        }
    }

    private static URI nobody() throws IOException {
        try (ServerSocket closing = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return URI.create("http://127.0.0.1:" + closing.getLocalPort());
        }
    }

    private static boolean ended(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void senselessLinksAreRefused() {
        assertThatThrownBy(() -> NetworkLink.of(-1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> NetworkLink.of(0, -1)).isInstanceOf(IllegalArgumentException.class);
    }
}
