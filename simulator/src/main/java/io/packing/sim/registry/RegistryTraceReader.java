// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.registry;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A reader of the published traces of IBM's registries. They are JSON files, each an array of requests with
 * {@code timestamp}, {@code http.request.method}, {@code http.request.uri}, {@code http.request.remoteaddr},
 * {@code http.response.status} and {@code http.response.written}. Only successful requests count. The traces do not
 * have an image's layers. So the reader adds each pulled layer to the image whose manifest its user pulled last from
 * that repository.
 */
public final class RegistryTraceReader {
    private static final int OK = 200;
    private static final int MULTIPLE_CHOICES = 300;

    private record Line(
            Instant time, String user, RegistryRequest.Kind kind, String repository, String id, long bytes) {}

    private final List<Line> lines = new ArrayList<>();
    private long others;

    private RegistryTraceReader() {}

    /**
     * Reads files as one trace.
     *
     * @throws IOException naming the file and the malformed request
     */
    public static RegistryTrace read(List<Path> files) throws IOException {
        RegistryTraceReader reader = new RegistryTraceReader();
        for (Path file : files) {
            reader.readFile(file);
        }
        return reader.trace();
    }

    private void readFile(Path file) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        long number = 0;
        try (InputStream in = Files.newInputStream(file);
                JsonParser parser = new JsonFactory(mapper).createParser(in)) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw new IOException("%s: want an array of requests".formatted(file));
            }
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                number++;
                JsonNode request = mapper.readTree(parser);
                Optional<Line> line = line(request);
                line.ifPresentOrElse(lines::add, () -> others++);
            }
        } catch (JsonProcessingException | DateTimeException e) {
            throw new IOException("%s, request %d: %s".formatted(file, number, e.getMessage()), e);
        }
    }

    /** Parses a request; empty if its kind does not matter. */
    private static Optional<Line> line(JsonNode request) {
        int status = request.path("http.response.status").asInt();
        String method = request.path("http.request.method").asText();
        String[] path =
                request.path("http.request.uri").asText().replaceFirst("^/", "").split("[/?]", -1);
        // v2/NAMESPACE/REPOSITORY/manifests/TAG, v2/NAMESPACE/REPOSITORY/blobs/LAYER, …/blobs/uploads/LAYER
        int last = path.length - 1;
        boolean shaped = status >= OK && status < MULTIPLE_CHOICES && last >= 4 && path[0].equals("v2");
        if (!shaped) {
            return Optional.empty();
        }
        boolean manifest = path[last - 1].equals("manifests");
        boolean upload = path[last - 1].equals("uploads") && path[last - 2].equals("blobs");
        boolean blob = path[last - 1].equals("blobs") || upload;
        RegistryRequest.Kind kind;
        if (manifest && method.equals("GET")) {
            kind = RegistryRequest.Kind.GET_MANIFEST;
        } else if (blob && !upload && method.equals("GET")) {
            kind = RegistryRequest.Kind.GET_LAYER;
        } else if (blob && method.equals("PUT")) {
            kind = RegistryRequest.Kind.PUT_LAYER;
        } else {
            return Optional.empty();
        }
        return Optional.of(new Line(
                Instant.parse(request.path("timestamp").asText()),
                request.path("http.request.remoteaddr").asText(),
                kind,
                String.join("/", Arrays.copyOfRange(path, 1, last - (upload ? 2 : 1))),
                path[last],
                request.path("http.response.written").asLong()));
    }

    private static int number(Map<String, Integer> numbers, String name) {
        Integer known = numbers.get(name);
        if (known == null) {
            known = numbers.size();
            numbers.put(name, known);
        }
        return known;
    }

    private RegistryTrace trace() throws IOException {
        if (lines.isEmpty()) {
            throw new IOException(
                    "the traces have no pull or push that succeeded, and %d other requests".formatted(others));
        }
        lines.sort(Comparator.comparing(Line::time));
        Instant start = lines.get(0).time();
        Map<String, Integer> users = new HashMap<>();
        Map<String, Integer> layers = new HashMap<>();
        Map<String, Integer> images = new HashMap<>();
        Map<Integer, Long> bytes = new HashMap<>();
        List<Set<Integer>> layersOf = new ArrayList<>();
        Map<String, Integer> lastImage = new HashMap<>();
        List<RegistryRequest> requests = new ArrayList<>();
        for (Line line : lines) {
            int user = number(users, line.user());
            long micros = ChronoUnit.MICROS.between(start, line.time());
            String session = line.user() + " " + line.repository();
            if (line.kind() == RegistryRequest.Kind.GET_MANIFEST) {
                int image = number(images, line.repository() + ":" + line.id());
                if (image == layersOf.size()) {
                    layersOf.add(new LinkedHashSet<>());
                }
                lastImage.put(session, image);
                requests.add(new RegistryRequest(micros, user, line.kind(), image));
            } else {
                int layer = number(layers, line.id());
                bytes.merge(layer, Math.max(1, line.bytes()), Math::max);
                Integer image = lastImage.get(session);
                if (image != null && line.kind() == RegistryRequest.Kind.GET_LAYER) {
                    layersOf.get(image).add(layer);
                }
                requests.add(new RegistryRequest(micros, user, line.kind(), layer));
            }
        }
        long[] sizes = new long[layers.size()];
        bytes.forEach((layer, size) -> sizes[layer] = size);
        List<int[]> byImage = layersOf.stream()
                .map(set -> set.stream().mapToInt(Integer::intValue).toArray())
                .toList();
        return new RegistryTrace(requests, sizes, byImage);
    }
}
