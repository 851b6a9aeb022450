// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** An honest user that pushes blobs to a registry and pulls them, and checks every byte. For one thread. */
final class HonestPulls {
    private static final String REPOSITORY = "/v2/honest/blobs/";
    private static final int MOST_BLOBS = 100;
    private static final int MOST_BYTES = 20_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
    private final URI registry;
    private final SplittableRandom random;
    private final List<String> digests = new ArrayList<>();
    private final AtomicLong done = new AtomicLong();

    HonestPulls(URI registry, long seed) {
        this.registry = registry;
        this.random = new SplittableRandom(seed);
    }

    /** Counts the pushes and pulls that succeeded. */
    long done() {
        return done.get();
    }

    /**
     * Pushes or pulls a blob.
     *
     * @throws IOException if it was refused, or the bytes differ
     */
    void step() throws IOException, InterruptedException {
        if (digests.isEmpty() || (digests.size() < MOST_BLOBS && random.nextInt(4) == 0)) {
            push();
        } else {
            pull(digests.get(random.nextInt(digests.size())));
        }
        done.incrementAndGet();
    }

    /** Pulls all pushed blobs. */
    void check() throws IOException, InterruptedException {
        for (String digest : digests) {
            pull(digest);
        }
    }

    private void push() throws IOException, InterruptedException {
        byte[] blob = new byte[random.nextInt(1, MOST_BYTES)];
        random.nextBytes(blob);
        String digest = digest(blob);
        HttpResponse<byte[]> answer = send(
                request(REPOSITORY + "uploads/?digest=" + digest).POST(HttpRequest.BodyPublishers.ofByteArray(blob)));
        if (answer.statusCode() != 201) {
            throw new IOException(
                    "a push of %d bytes was answered with %d".formatted(blob.length, answer.statusCode()));
        }
        digests.add(digest);
    }

    private void pull(String digest) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = send(request(REPOSITORY + digest).GET());
        if (answer.statusCode() != 200 || !digest(answer.body()).equals(digest)) {
            throw new IOException("a pull of %s was answered with %d and %d bytes"
                    .formatted(digest, answer.statusCode(), answer.body().length));
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(registry.resolve(path)).timeout(PATIENCE);
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private static String digest(byte[] bytes) {
        try {
            return "sha256:"
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
