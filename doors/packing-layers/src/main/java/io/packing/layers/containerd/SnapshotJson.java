// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.containerd;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The text of {@code snapshot.json}. */
final class SnapshotJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private SnapshotJson() {}

    static String encode(KeptSnapshot snapshot) throws IOException {
        ObjectNode json = JSON.createObjectNode()
                .put("key", snapshot.key())
                .put("parent", snapshot.parent())
                .put("kind", snapshot.kind().name())
                .put("created", snapshot.createdMillis())
                .put("updated", snapshot.updatedMillis())
                .put("size", snapshot.usage().size())
                .put("inodes", snapshot.usage().inodes());
        snapshot.chain().ifPresent(chain -> json.put("chain", chain));
        ObjectNode labels = json.putObject("labels");
        snapshot.labels().forEach(labels::put);
        return JSON.writeValueAsString(json);
    }

    static KeptSnapshot decode(long id, String text) throws IOException {
        try {
            JsonNode json = JSON.readTree(text);
            Map<String, String> labels = new HashMap<>();
            json.path("labels")
                    .fields()
                    .forEachRemaining(
                            label -> labels.put(label.getKey(), label.getValue().asText()));
            return new KeptSnapshot(
                    id,
                    json.path("key").asText(""),
                    json.path("parent").asText(""),
                    SnapshotKind.valueOf(json.path("kind").asText("")),
                    labels,
                    json.path("created").asLong(),
                    json.path("updated").asLong(),
                    new UpperUsage(
                            json.path("size").asLong(), json.path("inodes").asLong()),
                    json.has("chain") ? Optional.of(json.path("chain").asText()) : Optional.empty());
        } catch (JacksonException | IllegalArgumentException e) {
            throw new IOException("the record of the snapshot %d is damaged: %s".formatted(id, e.getMessage()), e);
        }
    }
}
