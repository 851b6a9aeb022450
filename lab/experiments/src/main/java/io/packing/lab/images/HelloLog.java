// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** A CSV file of starts, to which each measured image adds its rows at once, so that a run that was stopped goes on behind them. */
final class HelloLog {
    private static final ObjectMapper JSON =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private final Path file;

    HelloLog(Path file) {
        this.file = file;
    }

    /**
     * Returns the rows so far.
     *
     * @throws IllegalArgumentException if the file is no such log
     */
    List<HelloStart> read() throws IOException {
        List<HelloStart> starts = new ArrayList<>();
        if (!Files.exists(file)) {
            return starts;
        }
        List<String> lines = Files.readAllLines(file);
        List<String> names = lines.isEmpty() ? List.of() : List.of(lines.get(0).split(",", -1));
        for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
            String[] values = line.split(",", -1);
            if (values.length != names.size()) {
                throw new IllegalArgumentException(
                        "%s: a row of %d values, not %d: remove it".formatted(file, values.length, names.size()));
            }
            ObjectNode node = JSON.createObjectNode();
            for (int i = 0; i < values.length; i++) {
                node.put(names.get(i), values[i]);
            }
            starts.add(start(node));
        }
        return starts;
    }

    private HelloStart start(ObjectNode node) {
        try {
            return new HelloStart(
                    JSON.convertValue(node, HelloStart.Facts.class),
                    JSON.convertValue(node, HelloStart.Peer.class),
                    JSON.convertValue(node, HelloStart.Own.class));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("%s is no log of starts: %s".formatted(file, e.getMessage()), e);
        }
    }

    /** Adds rows with one write, so that a kill leaves all of them or none. */
    void add(List<HelloStart> starts) throws IOException {
        StringBuilder text = new StringBuilder();
        boolean isNew = !Files.exists(file) || Files.size(file) == 0;
        for (HelloStart each : starts) {
            JsonNode node = JSON.valueToTree(each);
            List<String> names = new ArrayList<>();
            List<String> values = new ArrayList<>();
            for (Iterator<Map.Entry<String, JsonNode>> fields = node.fields(); fields.hasNext(); ) {
                Map.Entry<String, JsonNode> field = fields.next();
                names.add(field.getKey());
                values.add(field.getValue().asText());
            }
            if (isNew) {
                text.append(String.join(",", names)).append('\n');
                isNew = false;
            }
            text.append(String.join(",", values)).append('\n');
        }
        Files.write(
                file,
                text.toString().getBytes(StandardCharsets.UTF_8),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }
}
