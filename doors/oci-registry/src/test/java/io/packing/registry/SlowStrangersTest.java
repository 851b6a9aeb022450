// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.registry.access.BasicAccess;
import io.packing.registry.access.Passwords;
import io.packing.registry.access.Rights;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients without the right to push cannot keep others from a registry by pushing a byte now and then. */
@Timeout(60)
class SlowStrangersTest {
    /** More than the threads of a registry. */
    private static final int STRANGERS = 100;

    @TempDir
    private Path home;

    private final List<Socket> strangers = new ArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);

    /** Returns the head of a push that is to have a megabyte. */
    private static byte[] head(String further) {
        return "POST /v2/a/blobs/uploads/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n%s\r\n"
                .formatted(further)
                .getBytes(StandardCharsets.US_ASCII);
    }

    private void push(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        strangers.add(socket);
        socket.getOutputStream().write(head(""));
        socket.getOutputStream().write('x');
    }

    /** Sends a byte of each, again and again; the registry may hang up on them. */
    private void drip() {
        try {
            while (!over.await(1, TimeUnit.SECONDS)) {
                for (Socket each : strangers) {
                    dripOne(each);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void dripOne(Socket socket) {
        try {
            socket.getOutputStream().write('x');
        } catch (IOException hungUp) {
            // As it should.
        }
    }

    @Test
    void aRegistryStopsWhileStrangersStillPush() throws Exception {
        try (TestMount mount = TestMount.start(home)) {
            int port;
            try (RegistryServer server = start(mount)) {
                port = server.uri().getPort();
                push(port);
                assertThat(strangers.get(0).getInputStream().readNBytes(12)).isNotEmpty();
            } finally {
                for (Socket each : strangers) {
                    each.close();
                }
            }
            assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port))
                    .isInstanceOf(IOException.class);
        }
    }

    /** As curl does with a large body: it has sent nothing of it, and is not asked for it. */
    @Test
    void aStrangerWhoAsksBeforeHePushesIsToldOnce() throws Exception {
        try (TestMount mount = TestMount.start(home);
                RegistryServer server = start(mount);
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), server.uri().getPort())) {
            socket.getOutputStream().write(head("Expect: 100-continue\r\n"));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 401").doesNotContain("100");
        }
    }

    private static RegistryServer start(TestMount mount) throws IOException {
        return RegistryServer.start(
                TestRegistries.config("/registry", false),
                mount.files(),
                new BasicAccess(Passwords.parse(List.of()), Rights.parse(List.of())),
                new SimpleMeterRegistry());
    }

    @Test
    void strangersWhoPushSlowlyHoldNoThread() throws Exception {
        try (TestMount mount = TestMount.start(home);
                RegistryServer server = start(mount)) {
            for (int i = 0; i < STRANGERS; i++) {
                push(server.uri().getPort());
            }
            Thread dripping = new Thread(this::drip, "dripping");
            dripping.start();
            try {
                HttpResponse<String> answer = HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(server.uri().resolve("/v2/"))
                                        .build(),
                                HttpResponse.BodyHandlers.ofString());
                assertThat(answer.statusCode()).isEqualTo(401);
                for (Socket each : strangers) {
                    byte[] start = each.getInputStream().readNBytes(12);
                    assertThat(new String(start, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 401");
                }
            } finally {
                over.countDown();
                dripping.join();
                for (Socket each : strangers) {
                    each.close();
                }
            }
        }
    }
}
