// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.pull;

import com.google.common.io.CountingInputStream;
import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** A registry as a client that pulls sees it. Counts the bytes of bodies. Confined to one thread. */
final class RegistrySource {
    private static final int OK = 200;
    private static final int SEE_OTHER = 303;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int MOST_MANIFEST = 4 << 20;
    private static final String ACCEPTED = String.join(
            ", ",
            "application/vnd.oci.image.manifest.v1+json",
            "application/vnd.oci.image.index.v1+json",
            "application/vnd.docker.distribution.manifest.v2+json",
            "application/vnd.docker.distribution.manifest.list.v2+json");

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final URI registry;
    private final Optional<String> authorization;
    private long sent;
    private long received;

    /** @param authorization the header; may be empty */
    RegistrySource(URI registry, Optional<String> authorization) {
        this.registry = registry;
        this.authorization = authorization;
    }

    /** A manifest as it came. */
    static final class ReceivedManifest {
        private final byte[] bytes;
        private final String mediaType;

        /** @param bytes the caller changes them no more */
        ReceivedManifest(byte[] bytes, String mediaType) {
            this.bytes = bytes;
            this.mediaType = mediaType;
        }

        byte[] bytes() {
            return bytes;
        }

        String mediaType() {
            return mediaType;
        }
    }

    long sent() {
        return sent;
    }

    long received() {
        return received;
    }

    private HttpResponse<InputStream> ask(String method, String path, byte[] body) throws IOException {
        BodyPublisher sending = body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(registry.resolve(path)).method(method, sending);
        request.header("Accept", ACCEPTED);
        authorization.ifPresent(value -> request.header("Authorization", value));
        sent += body.length;
        try {
            return http.send(request.build(), BodyHandlers.ofInputStream());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the pull was interrupted", e);
        }
    }

    private static IOException unexpected(HttpResponse<InputStream> answer) throws IOException {
        try (InputStream body = answer.body()) {
            return new IOException("%s answered with status %d: %s"
                    .formatted(
                            answer.uri(),
                            answer.statusCode(),
                            new String(body.readNBytes(2_000), StandardCharsets.UTF_8)));
        }
    }

    /** Takes the body of an answer. */
    interface Taker {
        void take(InputStream body) throws IOException;
    }

    private void take(HttpResponse<InputStream> answer, Taker taker) throws IOException {
        CountingInputStream body = new CountingInputStream(answer.body());
        try (body) {
            taker.take(body);
        } finally {
            received += body.getCount();
        }
    }

    /** Asks for a manifest by tag or digest. */
    ReceivedManifest manifest(String repository, String reference) throws IOException {
        HttpResponse<InputStream> answer =
                ask("GET", "/v2/%s/manifests/%s".formatted(repository, reference), new byte[0]);
        if (answer.statusCode() != OK) {
            throw unexpected(answer);
        }
        byte[][] bytes = new byte[1][];
        take(answer, body -> bytes[0] = body.readNBytes(MOST_MANIFEST + 1));
        if (bytes[0].length > MOST_MANIFEST) {
            throw new IOException("a manifest of more than %,d bytes".formatted(MOST_MANIFEST));
        }
        return new ReceivedManifest(
                bytes[0], answer.headers().firstValue("Content-Type").orElse(""));
    }

    /** Pulls a whole blob. */
    void blob(String repository, Digest digest, Taker taker) throws IOException {
        HttpResponse<InputStream> answer = ask("GET", "/v2/%s/blobs/%s".formatted(repository, digest), new byte[0]);
        if (answer.statusCode() != OK) {
            throw unexpected(answer);
        }
        take(answer, taker);
    }

    /**
     * Pulls a lean layer.
     *
     * @param held the list of the client's files, for the registry
     * @return false: the registry gives none of this layer
     */
    boolean lean(String repository, Digest digest, byte[] held, Taker taker) throws IOException {
        HttpResponse<InputStream> answer = ask("POST", "/v2/%s/_packing/lean/%s".formatted(repository, digest), held);
        int status = answer.statusCode();
        if (status == SEE_OTHER || status == NOT_FOUND || status == NOT_ALLOWED) {
            answer.body().close();
            return false;
        }
        if (status != OK) {
            throw unexpected(answer);
        }
        take(answer, taker);
        return true;
    }
}
