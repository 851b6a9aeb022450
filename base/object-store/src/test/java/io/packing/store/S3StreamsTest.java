// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.packing.s3server.Faults;
import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams to S3: the framing, the trailer, and stores that refuse or ignore it. */
class S3StreamsTest {
    private static final byte[] BYTES = "0123456789".repeat(50_000).getBytes(StandardCharsets.US_ASCII);

    private record Seen(String method, Headers headers, String body) {}

    private interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    private static StreamedBody body() {
        return new StreamedBody(BYTES.length, new ByteArrayInputStream(BYTES));
    }

    private static String checksum() {
        CRC32C crc = new CRC32C();
        crc.update(BYTES);
        return Checksums.base64((int) crc.getValue());
    }

    /** Puts a stream to a server that answers so; returns its requests. */
    private static List<Seen> put(Answer answer, boolean trusted) throws IOException {
        List<Seen> seen = new CopyOnWriteArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1);
            seen.add(new Seen(exchange.getRequestMethod(), exchange.getRequestHeaders(), body));
            if (exchange.getRequestMethod().equals("PUT")) {
                answer.to(exchange);
            } else {
                exchange.sendResponseHeaders(exchange.getRequestMethod().equals("DELETE") ? 204 : 200, -1);
            }
            exchange.close();
        });
        server.start();
        URI endpoint = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        try (ObjectStore store = ObjectStores.open(S3Fixtures.options(endpoint, "s3://bucket", Map.of()))) {
            if (trusted) {
                store.put("key", body(), PutCondition.IF_ABSENT);
            } else {
                assertThatExceptionOfType(UntrustedStreamException.class)
                        .isThrownBy(() -> store.put("key", body(), PutCondition.IF_ABSENT));
                assertThatExceptionOfType(UntrustedStreamException.class)
                        .isThrownBy(() -> store.put("other", body(), PutCondition.IF_ABSENT));
            }
            assertThat(store.takesStream(1)).isEqualTo(trusted);
        } finally {
            server.stop(0);
        }
        return seen;
    }

    @Test
    void aStreamSaysItsLengthFirstAndItsChecksumLast() throws IOException {
        List<Seen> seen = put(
                exchange -> {
                    exchange.getResponseHeaders().add("x-amz-checksum-crc32c", checksum());
                    exchange.sendResponseHeaders(200, -1);
                },
                true);
        Seen put = seen.get(seen.size() - 1);
        assertThat(put.headers.getFirst("x-amz-content-sha256")).isEqualTo("STREAMING-UNSIGNED-PAYLOAD-TRAILER");
        assertThat(put.headers.getFirst("x-amz-decoded-content-length")).isEqualTo(Integer.toString(BYTES.length));
        assertThat(put.headers.getFirst("x-amz-trailer")).isEqualTo("x-amz-checksum-crc32c");
        assertThat(put.headers.getFirst("If-None-Match")).isEqualTo("*");
        assertThat(put.headers.getFirst("Content-Length"))
                .isEqualTo(Integer.toString(put.body().length()));
        assertThat(put.body).contains("x-amz-checksum-crc32c:" + checksum());
    }

    @Test
    void anObjectWhoseStoreDidNotCheckItIsDeletedAndNoOtherStreamIsSent() throws IOException {
        List<Seen> seen = put(exchange -> exchange.sendResponseHeaders(200, -1), false);
        assertThat(seen.stream().map(Seen::method)).containsExactly("HEAD", "PUT", "DELETE");
    }

    @Test
    void aStoreThatKnowsNoTrailersGetsNoOtherStream() throws IOException {
        byte[] refusal = "<Error><Code>NotImplemented</Code></Error>".getBytes(StandardCharsets.UTF_8);
        List<Seen> seen = put(
                exchange -> {
                    exchange.sendResponseHeaders(400, refusal.length);
                    exchange.getResponseBody().write(refusal);
                },
                false);
        assertThat(seen.stream().map(Seen::method)).containsExactly("HEAD", "PUT");
    }

    @Test
    void aThrottledStreamIsOneAttemptAndTheNextOneSucceeds(@TempDir Path directory) throws Exception {
        RequestMeter meter = new RequestMeter();
        try (S3Server server = S3Server.start(S3ServerOptions.of(directory, "bucket"));
                ObjectStore store = ObjectStores.open(S3Fixtures.options(server, "s3://bucket"), meter)) {
            faults(server, new Faults(0, 1, 0, 0, 0, 0, Duration.ZERO, 1));
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> store.put("key", body(), PutCondition.IF_ABSENT));
            assertThat(meter.snapshot().throttled()).isEqualTo(1);
            faults(server, Faults.NONE);
            assertThat(store.head("key")).isEmpty();
            assertThat(store.takesStream(1)).isTrue();
            store.put("key", body(), PutCondition.IF_ABSENT);
            assertThat(store.getTail("key", BYTES.length)).isEqualTo(ByteBuffer.wrap(BYTES));
        }
    }

    @Test
    void aStoreThatClosesEarlyGetsOneAttemptAndKeepsNothing(@TempDir Path directory) throws Exception {
        try (S3Server server = S3Server.start(S3ServerOptions.of(directory, "bucket"));
                ObjectStore store = ObjectStores.open(S3Fixtures.options(server, "s3://bucket"))) {
            faults(server, new Faults(0, 0, 1, 0, 0, 0, Duration.ZERO, 1));
            assertThatIOException().isThrownBy(() -> store.put("key", body(), PutCondition.IF_ABSENT));
            faults(server, Faults.NONE);
            assertThat(store.list("", "", 10)).isEmpty();
            assertThat(store.takesStream(1)).isTrue();
        }
    }

    /** Puts a stream to a server that ends the connection before the bytes, and has this answer to questions about the object. */
    private static IOException putToAServerThatHangsUp(Answer object) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            if (exchange.getRequestMethod().equals("GET")) {
                object.to(exchange);
            } else if (exchange.getRequestMethod().equals("HEAD")) {
                exchange.sendResponseHeaders(200, -1);
            }
            exchange.close();
        });
        server.start();
        URI endpoint = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        try (ObjectStore store = ObjectStores.open(S3Fixtures.options(endpoint, "s3://bucket", Map.of()))) {
            return catchThrowableOfType(IOException.class, () -> store.put("key", body(), PutCondition.IF_ABSENT));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aStoreThatHangsUpOnAStreamSinceTheObjectIsThereIsUnderstood() throws IOException {
        assertThat(putToAServerThatHangsUp(exchange -> {
                    exchange.getResponseHeaders().add("Content-Range", "bytes 0-0/5");
                    exchange.getResponseHeaders().add("ETag", "\"t\"");
                    exchange.sendResponseHeaders(206, 1);
                    exchange.getResponseBody().write('f');
                }))
                .isInstanceOf(PreconditionFailedException.class)
                .hasMessageContaining("key")
                .hasMessageContaining("already exists");
    }

    @Test
    void aStoreThatHangsUpWithoutAnObjectIsUnavailable() throws IOException {
        assertThat(putToAServerThatHangsUp(exchange -> exchange.sendResponseHeaders(404, -1)))
                .isInstanceOf(StoreUnavailableException.class);
    }

    private static void faults(S3Server server, Faults faults) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(server.endpoint() + S3Server.FAULTS_PATH + "?" + faults.toQuery()))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(request, HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
    }
}
