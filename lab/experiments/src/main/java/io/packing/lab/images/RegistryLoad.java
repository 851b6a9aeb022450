// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A client that pushes and pulls images as stock clients do, and measures that. Confined to one thread. */
final class RegistryLoad {
    static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";

    /**
     * A pull of a layer.
     *
     * @param bytes of the layer
     * @param millis from the request to the last byte
     */
    record LayerPull(long bytes, double millis) {}

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI registry;
    private final Map<String, String> pushed = new HashMap<>();
    private final List<LayerPull> layerPulls = new ArrayList<>();
    private long wrong;

    RegistryLoad(URI registry) {
        this.registry = registry;
    }

    /** Returns the name of an image without its tag. */
    static String repository(ImageSet.Image image) {
        return "images/" + image.name();
    }

    private <T> HttpResponse<T> ask(
            String method, URI uri, BodyPublisher body, HttpResponse.BodyHandler<T> handler, int... wanted)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .method(method, body)
                .header("Content-Type", uri.getPath().contains("/manifests/") ? MANIFEST : "application/octet-stream")
                .header("Accept", MANIFEST)
                .build();
        HttpResponse<T> answer = http.send(request, handler);
        for (int each : wanted) {
            if (answer.statusCode() == each) {
                return answer;
            }
        }
        throw new IOException("%s %s: status %d".formatted(method, uri, answer.statusCode()));
    }

    /** Pushes all images, one after the other; returns seconds. */
    double push(ImageSet set) throws IOException, InterruptedException {
        long start = System.nanoTime();
        for (ImageSet.Image image : set.images()) {
            push(repository(image), image.config());
            for (ImageSet.Blob layer : image.layers()) {
                push(repository(image), layer);
            }
            HttpResponse<Void> unused = ask(
                    "PUT",
                    registry.resolve("/v2/%s/manifests/v1".formatted(repository(image))),
                    BodyPublishers.ofByteArray(image.manifest()),
                    BodyHandlers.discarding(),
                    201);
        }
        return (System.nanoTime() - start) / 1e9;
    }

    private void push(String repository, ImageSet.Blob blob) throws IOException, InterruptedException {
        String mount = pushed.containsKey(blob.digest())
                ? "?mount=%s&from=%s".formatted(blob.digest(), pushed.get(blob.digest()))
                : "";
        HttpResponse<Void> begun = ask(
                "POST",
                registry.resolve("/v2/%s/blobs/uploads/%s".formatted(repository, mount)),
                BodyPublishers.noBody(),
                BodyHandlers.discarding(),
                201,
                202);
        if (begun.statusCode() == 202) {
            URI at = registry.resolve(begun.headers().firstValue("Location").orElseThrow());
            URI end = URI.create(at + (at.getQuery() == null ? "?" : "&") + "digest=" + blob.digest());
            HttpResponse<Void> unused =
                    ask("PUT", end, BodyPublishers.ofFile(blob.file()), BodyHandlers.discarding(), 201);
        }
        pushed.put(blob.digest(), repository);
    }

    /** Pulls all images, each blob whole; returns seconds. */
    double pull(ImageSet set) throws IOException, InterruptedException {
        long start = System.nanoTime();
        for (ImageSet.Image image : set.images()) {
            HttpResponse<byte[]> answer = ask(
                    "GET",
                    registry.resolve("/v2/%s/manifests/v1".formatted(repository(image))),
                    BodyPublishers.noBody(),
                    BodyHandlers.ofByteArray(),
                    200);
            // It may name other layers than were pushed.
            JsonNode manifest = JSON.readTree(answer.body());
            pull(repository(image), digest(manifest.path("config")), OutputStream.nullOutputStream());
            for (JsonNode layer : manifest.path("layers")) {
                long begin = System.nanoTime();
                pull(repository(image), digest(layer), OutputStream.nullOutputStream());
                layerPulls.add(new LayerPull(layer.path("size").asLong(), (System.nanoTime() - begin) / 1e6));
            }
        }
        return (System.nanoTime() - start) / 1e9;
    }

    /** Pulls a blob of an image to a file. */
    void download(ImageSet.Image image, ImageSet.Blob blob, Path file) throws IOException, InterruptedException {
        try (OutputStream out = Files.newOutputStream(file)) {
            pull(repository(image), blob.digest(), out);
        }
    }

    private static String digest(JsonNode descriptor) {
        return descriptor.path("digest").asText();
    }

    private void pull(String repository, String digest, OutputStream out) throws IOException, InterruptedException {
        HttpResponse<InputStream> answer = ask(
                "GET",
                registry.resolve("/v2/%s/blobs/%s".formatted(repository, digest)),
                BodyPublishers.noBody(),
                BodyHandlers.ofInputStream(),
                200);
        Hasher hasher = Hashing.sha256().newHasher();
        byte[] buffer = new byte[1 << 16];
        try (InputStream in = answer.body()) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                hasher.putBytes(buffer, 0, n);
                out.write(buffer, 0, n);
            }
        }
        if (!digest.equals("sha256:" + hasher.hash())) {
            wrong++;
        }
    }

    /** The pulls of layers so far. */
    List<LayerPull> layerPulls() {
        return List.copyOf(layerPulls);
    }

    /** Blobs that came with other bytes than their digest says. */
    long wrongDigests() {
        return wrong;
    }
}
