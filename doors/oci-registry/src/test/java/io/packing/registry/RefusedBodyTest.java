// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.registry.access.Access;
import io.packing.registry.access.BasicAccess;
import io.packing.registry.access.Passwords;
import io.packing.registry.access.Rights;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that send a whole body before they read, as those of Python do: they read why the body is refused. */
@Timeout(120)
class RefusedBodyTest {
    /** More than the server reads before it answers, and than the network's buffers hold. */
    private static final int LENGTH = 50 << 20;

    @TempDir
    private Path home;

    /** Sends a request and its whole body, and returns the answer up to the end of the connection. */
    private static String answer(URI registry, String request, String further) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), registry.getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write("%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n%s\r\n"
                    .formatted(request, LENGTH, further)
                    .getBytes(StandardCharsets.US_ASCII));
            byte[] part = new byte[1 << 20];
            for (int sent = 0; sent < LENGTH; sent += part.length) {
                out.write(part);
            }
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static RegistryServer start(TestMount mount, Access access) throws IOException {
        return RegistryServer.start(
                TestRegistries.config("/registry", false), mount.files(), access, new SimpleMeterRegistry());
    }

    @Test
    void aManifestThatIsTooLong() throws Exception {
        try (TestMount mount = TestMount.start(home);
                RegistryServer server = start(mount, Access.OPEN)) {
            assertThat(answer(
                            server.uri(),
                            "PUT /v2/a/manifests/v1",
                            "Content-Type: " + RegistryClient.MANIFEST + "\r\n"))
                    .startsWith("HTTP/1.1 413 ")
                    .contains("SIZE_INVALID");
        }
    }

    @Test
    void thePushOfAStranger() throws Exception {
        Access strict = new BasicAccess(Passwords.parse(List.of()), Rights.parse(List.of()));
        try (TestMount mount = TestMount.start(home);
                RegistryServer server = start(mount, strict)) {
            assertThat(answer(server.uri(), "POST /v2/a/blobs/uploads/", ""))
                    .startsWith("HTTP/1.1 401 ")
                    .contains("UNAUTHORIZED");
        }
    }
}
