// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import com.google.common.hash.Hashing;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** Asks registries that may die at any moment. Thread-safe. */
final class RegistryCaller {
    /** Not a bound on how fast a registry is: one that does not answer at all is a failure, not a fault. */
    private static final Duration HUNG = Duration.ofMinutes(2);

    private static final String REPOSITORY = "/v2/faults/r/";

    private final RegistryPair registries;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    RegistryCaller(RegistryPair registries) {
        this.registries = registries;
    }

    static String digest(byte[] bytes) {
        return "sha256:" + Hashing.sha256().hashBytes(bytes);
    }

    /**
     * Sends a request; empty when the connection broke, so that its result is unknown.
     *
     * @param path below the repository
     * @param headers as name, value, name, value
     */
    Optional<HttpResponse<byte[]>> ask(int registry, String method, String path, byte[] body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        registries.uri(registry).resolve(REPOSITORY + path))
                .timeout(HUNG)
                .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return Optional.of(http.send(request.build(), BodyHandlers.ofByteArray()));
        } catch (HttpTimeoutException e) {
            throw new IOException("registry %d hangs at %s %s".formatted(registry, method, path), e);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    Optional<HttpResponse<byte[]>> get(int registry, String path, String... headers)
            throws IOException, InterruptedException {
        return ask(registry, "GET", path, new byte[0], headers);
    }

    /** Sends the beginning of a request whose body should have more bytes; the caller cuts it by closing it. */
    Socket begin(int registry, String method, String path, byte[] bytes, int sent) throws IOException {
        URI at = registries.uri(registry);
        Socket socket = new Socket(at.getHost(), at.getPort());
        try {
            OutputStream out = socket.getOutputStream();
            out.write("%s %s%s HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
                    .formatted(method, REPOSITORY, path, at.getAuthority(), bytes.length)
                    .getBytes(StandardCharsets.US_ASCII));
            out.write(bytes, 0, sent);
            out.flush();
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Begins a request, and cuts the connection: with a reset, or with an end. */
    void cut(int registry, String method, String path, byte[] bytes, int sent, boolean reset) {
        try (Socket socket = begin(registry, method, path, bytes, sent)) {
            socket.setSoLinger(reset, 0);
        } catch (IOException e) {
            // The registry was dead, or went: that is a cut as well.
            return;
        }
    }

    /** Begins a pull, takes some bytes, and cuts the connection. */
    void cutPull(int registry, String digest, int taken) {
        try (Socket socket = begin(registry, "GET", "blobs/" + digest, new byte[0], 0)) {
            InputStream in = socket.getInputStream();
            byte[] unused = in.readNBytes(taken);
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            return;
        }
    }
}
