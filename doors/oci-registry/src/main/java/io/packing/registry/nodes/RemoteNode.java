// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.registry.dedup.ContentSource;
import io.packing.registry.oci.Digest;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Another node, over HTTP. */
record RemoteNode(NodeList.Member member, HttpClient http, String key) implements PeerNode {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Until an answer begins. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final long LARGE = 2 << 20;
    /** Until a node has hashed all that it has. */
    private static final Duration LONG_PATIENCE = Duration.ofHours(2);

    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int NO_CONTENT = 204;
    private static final int NOT_FOUND = 404;
    private static final int NO_ROOM = 507;

    private HttpResponse<InputStream> ask(String method, String path, BodyPublisher body) throws IOException {
        return ask(method, path, body, PATIENCE);
    }

    private HttpResponse<InputStream> ask(String method, String path, BodyPublisher body, Duration patience)
            throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(member.uri().resolve(NodeMessages.PREFIX + path))
                .timeout(patience)
                .method(method, body);
        if (!key.isEmpty()) {
            request.header(NodeMessages.KEY, key);
        }
        try {
            return http.send(request.build(), BodyHandlers.ofInputStream());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException failure = new InterruptedIOException("node %s is not waited for".formatted(name()));
            failure.initCause(e);
            throw failure;
        }
    }

    private String name() {
        return member.name();
    }

    private IOException unexpected(HttpResponse<InputStream> answer) throws IOException {
        try (InputStream body = answer.body()) {
            // The text says what is full.
            String message = "node %s answered with status %d: %s"
                    .formatted(name(), answer.statusCode(), new String(body.readNBytes(1_000), StandardCharsets.UTF_8));
            return answer.statusCode() == NO_ROOM ? new NodeRefusedException(message) : new IOException(message);
        }
    }

    private void expect(HttpResponse<InputStream> answer, int status) throws IOException {
        if (answer.statusCode() != status) {
            throw unexpected(answer);
        }
        answer.body().close();
    }

    @Override
    public boolean hasLayer(Digest digest) throws IOException {
        HttpResponse<InputStream> answer = ask("HEAD", "layers/" + digest, BodyPublishers.noBody());
        answer.body().close();
        if (answer.statusCode() != OK && answer.statusCode() != NOT_FOUND) {
            throw new IOException("node %s answered with status %d".formatted(name(), answer.statusCode()));
        }
        return answer.statusCode() == OK;
    }

    @Override
    public InputStream layer(Digest digest, long position) throws IOException {
        HttpResponse<InputStream> answer =
                ask("GET", "layers/%s?from=%d".formatted(digest, position), BodyPublishers.noBody());
        if (answer.statusCode() == NOT_FOUND) {
            answer.body().close();
            throw new FileNotFoundException("node %s does not have layer %s".formatted(name(), digest));
        }
        if (answer.statusCode() != OK) {
            throw unexpected(answer);
        }
        return answer.body();
    }

    private static BodyPublisher publisher(long length, Bytes bytes) {
        BodyPublisher stream = BodyPublishers.ofInputStream(() -> {
            try {
                return bytes.open();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return length == 0 ? BodyPublishers.noBody() : BodyPublishers.fromPublisher(stream, length);
    }

    /**
     * Asks for room: a node without room answers before the bytes are on their way; later it could only cut the
     * connection.
     */
    private void checkRoom(long length) throws IOException {
        if (length > LARGE) {
            expect(ask("GET", "room/" + length, BodyPublishers.noBody()), NO_CONTENT);
        }
    }

    @Override
    public void putLayer(Digest digest, long length, Bytes bytes) throws IOException {
        checkRoom(length);
        expect(ask("PUT", "layers/" + digest, publisher(length, bytes)), CREATED);
    }

    @Override
    public void deleteLayer(Digest digest) throws IOException {
        expect(ask("DELETE", "layers/" + digest, BodyPublishers.noBody()), NO_CONTENT);
    }

    @Override
    public void checkLayer(Digest digest) throws IOException {
        expect(ask("POST", "check/" + digest, BodyPublishers.noBody()), NO_CONTENT);
    }

    @Override
    public void checkFile(String hex) throws IOException {
        expect(ask("POST", "check-file/" + hex, BodyPublishers.noBody()), NO_CONTENT);
    }

    @Override
    public long scrub() throws IOException {
        HttpResponse<InputStream> answer = ask("POST", "scrub", BodyPublishers.noBody(), LONG_PATIENCE);
        if (answer.statusCode() != OK) {
            throw unexpected(answer);
        }
        try (InputStream body = answer.body()) {
            return JSON.readTree(body).path("deleted").asLong();
        }
    }

    @Override
    public List<String> oldLayers(Duration age) throws IOException {
        return lines("old-layers/" + age.toMillis());
    }

    @Override
    public List<String> oldFiles(Duration age) throws IOException {
        return lines("old-files/" + age.toMillis());
    }

    private List<String> lines(String path) throws IOException {
        HttpResponse<InputStream> answer = ask("GET", path, BodyPublishers.noBody(), LONG_PATIENCE);
        if (answer.statusCode() != OK) {
            throw unexpected(answer);
        }
        try (BufferedReader body =
                new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.US_ASCII))) {
            return body.lines().toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public Map<String, Integer> levels(List<String> hexes) throws IOException {
        Map<String, Integer> levels = new LinkedHashMap<>();
        for (int from = 0; from < hexes.size(); from += NodeMessages.MOST_ASKED) {
            List<String> some = hexes.subList(from, Math.min(hexes.size(), from + NodeMessages.MOST_ASKED));
            HttpResponse<InputStream> answer =
                    ask("POST", "levels", BodyPublishers.ofByteArray(NodeMessages.hashes(some)));
            if (answer.statusCode() != OK) {
                throw unexpected(answer);
            }
            try (DataInputStream body = new DataInputStream(answer.body())) {
                for (String hex : some) {
                    int level = body.readByte();
                    if (level >= 0) {
                        levels.put(hex, level);
                    }
                }
            }
        }
        return levels;
    }

    @Override
    public Set<ContentSource.Wanted> slice(List<ContentSource.Wanted> wanted, byte[] into) throws IOException {
        HttpResponse<InputStream> answer =
                ask("POST", "slice", BodyPublishers.ofByteArray(NodeMessages.wanted(wanted)));
        if (answer.statusCode() != OK) {
            throw unexpected(answer);
        }
        Set<ContentSource.Wanted> absent = new LinkedHashSet<>();
        try (DataInputStream body = new DataInputStream(answer.body())) {
            for (ContentSource.Wanted each : wanted) {
                if (body.readByte() == NodeMessages.PRESENT) {
                    body.readFully(into, each.at(), each.count());
                } else {
                    absent.add(each);
                }
            }
        }
        return absent;
    }

    @Override
    public void putFiles(long length, Bytes records) throws IOException {
        checkRoom(length);
        expect(ask("PUT", "files", publisher(length, records)), CREATED);
    }

    @Override
    public void deleteFile(String hex) throws IOException {
        expect(ask("DELETE", "files/" + hex, BodyPublishers.noBody()), NO_CONTENT);
    }

    @Override
    public Status status() throws IOException {
        HttpResponse<InputStream> answer = ask("GET", "status", BodyPublishers.noBody());
        if (answer.statusCode() != OK) {
            throw unexpected(answer);
        }
        try (InputStream body = answer.body()) {
            JsonNode root = JSON.readTree(body);
            Map<String, Long> pulls = new HashMap<>();
            List<String> names = new ArrayList<>();
            root.path("pulls").fieldNames().forEachRemaining(names::add);
            names.forEach(name -> pulls.put(name, root.path("pulls").path(name).asLong()));
            return new Status(root.path("bytes").asLong(), pulls);
        }
    }
}
