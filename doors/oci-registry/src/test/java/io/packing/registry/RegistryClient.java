// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** A client of a registry over HTTP, for tests. */
public final class RegistryClient {
    public static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI registry;

    public RegistryClient(URI registry) {
        this.registry = registry;
    }

    public static Digest digest(byte[] bytes) {
        return Digest.Algorithm.SHA256.of(bytes);
    }

    /** Asks, with headers as name, value, name, value. */
    public HttpResponse<byte[]> ask(String method, String path, BodyPublisher body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(registry.resolve(path)).method(method, body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.ofByteArray());
    }

    public HttpResponse<byte[]> ask(String method, String path, byte[] body, String... headers)
            throws IOException, InterruptedException {
        return ask(method, path, BodyPublishers.ofByteArray(body), headers);
    }

    public HttpResponse<byte[]> ask(String method, String path) throws IOException, InterruptedException {
        return ask(method, path, BodyPublishers.noBody());
    }

    public HttpResponse<byte[]> get(String path, String... headers) throws IOException, InterruptedException {
        return ask("GET", path, BodyPublishers.noBody(), headers);
    }

    /** Pushes a blob with one POST. */
    public HttpResponse<byte[]> push(String repository, byte[] blob) throws IOException, InterruptedException {
        return ask("POST", "/v2/%s/blobs/uploads/?digest=%s".formatted(repository, digest(blob)), blob);
    }

    public HttpResponse<byte[]> pull(String repository, Digest digest) throws IOException, InterruptedException {
        return get("/v2/%s/blobs/%s".formatted(repository, digest));
    }

    /** Begins an upload; where it goes on. */
    public String begin(String repository) throws IOException, InterruptedException {
        return location(ask("POST", "/v2/%s/blobs/uploads/".formatted(repository)));
    }

    public static String location(HttpResponse<?> response) {
        return response.headers().firstValue("Location").orElseThrow();
    }

    /** Pushes a manifest of a configuration and layers, which are there. */
    public HttpResponse<byte[]> tag(String repository, String tag, byte[] manifest)
            throws IOException, InterruptedException {
        return ask("PUT", "/v2/%s/manifests/%s".formatted(repository, tag), manifest, "Content-Type", MANIFEST);
    }

    /** Returns a manifest of a configuration and layers. */
    public static byte[] manifest(byte[] config, byte[]... layers) {
        StringBuilder json = new StringBuilder("{\"schemaVersion\":2,\"mediaType\":\"%s\",\"config\":%s,\"layers\":["
                .formatted(MANIFEST, descriptor("application/vnd.oci.image.config.v1+json", config)));
        for (int i = 0; i < layers.length; i++) {
            json.append(i == 0 ? "" : ",").append(descriptor("application/vnd.oci.image.layer.v1.tar", layers[i]));
        }
        return json.append("]}").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String descriptor(String mediaType, byte[] bytes) {
        return "{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":%d}".formatted(mediaType, digest(bytes), bytes.length);
    }

    /** Returns the code of an error. */
    public static String code(HttpResponse<byte[]> response) {
        String text = new String(response.body(), StandardCharsets.UTF_8);
        return text.replaceAll(".*\"code\":\"([A-Z_]+)\".*", "$1");
    }
}
