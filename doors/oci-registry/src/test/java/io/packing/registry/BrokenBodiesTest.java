// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.blob.FilePath;
import io.packing.registry.access.Access;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * A client whose body ends early, or is missing, learns that this is its own fault; the registry keeps nothing of it,
 * and does not alarm operators.
 */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrokenBodiesTest {
    private static final Logger LOG = (Logger) LoggerFactory.getLogger("io.packing.registry");
    private static final String DIGEST = RegistryClient.digest(new byte[100]).toString();

    private final TestMount mount;
    private final RegistryServer server;
    private final RegistryClient client;
    private final Alarms alarms = new Alarms();

    private static final class Alarms extends AppenderBase<ILoggingEvent> {
        private final List<String> all = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
                all.add(event.getFormattedMessage());
            }
        }
    }

    BrokenBodiesTest(@TempDir Path home) throws IOException {
        mount = TestMount.start(home);
        server = RegistryServer.start(
                TestRegistries.config("/registry", false), mount.files(), Access.OPEN, new SimpleMeterRegistry());
        client = new RegistryClient(server.uri());
        alarms.start();
        LOG.addAppender(alarms);
    }

    @AfterAll
    void stop() throws IOException {
        LOG.detachAppender(alarms);
        try (mount) {
            server.close();
        }
    }

    /** Sends a request, and, if it ends, the end of the stream; returns the answer. */
    private String ask(String method, String path, String header, String body, boolean ends) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.uri().getPort())) {
            String request = "%s %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n%s".formatted(method, path, header, body);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            if (ends) {
                socket.shutdownOutput();
            }
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void isRefused(String method, String path, String header, String body) throws IOException {
        assertThat(ask(method, path, header, body, true))
                .as("%s %s", method, path)
                .startsWith("HTTP/1.1 400")
                .contains("\"SIZE_INVALID\"")
                .contains("could not be read to its end after %d bytes".formatted(body.length()));
        assertThat(alarms.all).isEmpty();
    }

    @Test
    void aBlobThatEndsEarlyIsRefusedAndNothingIsKept() throws Exception {
        isRefused("POST", "/v2/early/blobs/uploads/?digest=" + DIGEST, "Content-Length: 100", "x".repeat(99));
        assertThat(mount.files()
                        .list(new FilePath("/registry/repositories/early/_uploads"), "", 10)
                        .orElseThrow())
                .isEmpty();
    }

    @Test
    void anUploadIsWhereItWasBeforeAChunkThatEndedEarly() throws Exception {
        String at = client.begin("chunk");
        isRefused("PATCH", at, "Content-Length: 1000000", "x".repeat(300_000));
        isRefused("PUT", at + "?digest=" + DIGEST, "Content-Length: 100", "");
        HttpResponse<byte[]> whole = client.ask("PUT", at + "?digest=" + DIGEST, new byte[100]);
        assertThat(whole.statusCode()).isEqualTo(201);
    }

    @Test
    void aManifestThatEndsEarlyIsRefused() throws Exception {
        isRefused("PUT", "/v2/early/manifests/v1", "Content-Length: 100", "{}");
    }

    @Test
    void chunksThatEndEarlyAreRefused() throws Exception {
        String answer = ask("PUT", "/v2/early/manifests/v1", "Transfer-Encoding: chunked", "64\r\n{}", true);
        assertThat(answer).startsWith("HTTP/1.1 400").contains("\"SIZE_INVALID\"");
        assertThat(alarms.all).isEmpty();
    }

    @Test
    void chunksThatAreNoneAreRefused() throws Exception {
        String answer =
                ask("PUT", "/v2/early/manifests/v1", "Transfer-Encoding: chunked", "2\r\n{}\r\nnone\r\n", false);
        assertThat(answer).startsWith("HTTP/1.1 400").contains("\"SIZE_INVALID\"");
        assertThat(alarms.all).isEmpty();
    }
}
