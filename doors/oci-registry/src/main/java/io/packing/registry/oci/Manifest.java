// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.oci;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The fields of a manifest that the registry understands.
 *
 * @param mediaType as the manifest says; empty: it does not
 * @param artifactType of the manifest, or else of its configuration; may be empty
 * @param blobs configuration and layers that the registry must have
 * @param children manifests that the registry must have
 * @param subject the manifest to which it refers
 * @param annotations as they are; an empty object: none
 */
public record Manifest(
        String mediaType,
        String artifactType,
        List<Digest> blobs,
        List<Digest> children,
        Optional<Digest> subject,
        ObjectNode annotations) {
    /** Larger ones are refused. */
    public static final int MAX_BYTES = 4 << 20;

    /** Configuration, layers and manifests that one may name: each is looked for in the mount. */
    public static final int MOST_DESCRIPTORS = 20_000;

    private static final ObjectMapper JSON = Json.OF_OTHERS;

    public Manifest {
        blobs = List.copyOf(blobs);
        children = List.copyOf(children);
    }

    /**
     * Reads a manifest.
     *
     * @param contentType the type that the pushing client names; may be empty
     * @throws OciException {@link OciCode#MANIFEST_INVALID} when it is none, or something else than it was said to be
     */
    public static Manifest parse(byte[] bytes, String contentType) throws OciException {
        JsonNode root;
        try {
            root = JSON.readTree(bytes);
        } catch (JsonProcessingException e) {
            throw invalid("it is no JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw invalid("it is no JSON: " + e.getMessage());
        }
        if (root == null || !root.isObject()) {
            throw invalid("it is no JSON object");
        }
        String mediaType = root.path("mediaType").asText("");
        if (!mediaType.isEmpty() && !contentType.isEmpty() && !mediaType.equals(contentType)) {
            throw invalid("its mediaType is '%.100s', and its Content-Type '%.100s'".formatted(mediaType, contentType));
        }
        JsonNode config = root.path("config");
        List<Digest> blobs = new ArrayList<>();
        if (config.isObject()) {
            blobs.add(digest(config));
        }
        for (JsonNode layer : array(root, "layers")) {
            if (!MediaTypes.isForeign(layer.path("mediaType").asText(""))) {
                blobs.add(digest(layer));
            }
        }
        List<Digest> children = new ArrayList<>();
        for (JsonNode child : array(root, "manifests")) {
            children.add(digest(child));
        }
        if (blobs.size() + children.size() > MOST_DESCRIPTORS) {
            throw invalid("it names %,d blobs and manifests, at most %,d"
                    .formatted(blobs.size() + children.size(), MOST_DESCRIPTORS));
        }
        Optional<Digest> subject =
                root.path("subject").isObject() ? Optional.of(digest(root.path("subject"))) : Optional.empty();
        String artifactType = root.path("artifactType").asText("");
        JsonNode annotations = root.path("annotations");
        return new Manifest(
                mediaType,
                artifactType.isEmpty() ? config.path("mediaType").asText("") : artifactType,
                blobs,
                children,
                subject,
                annotations instanceof ObjectNode object ? object : JSON.createObjectNode());
    }

    private static JsonNode array(JsonNode root, String name) throws OciException {
        JsonNode found = root.path(name);
        if (!found.isMissingNode() && !found.isNull() && !found.isArray()) {
            throw invalid("its '%s' is no array".formatted(name));
        }
        return found;
    }

    private static Digest digest(JsonNode descriptor) throws OciException {
        try {
            return Digest.parse(descriptor.path("digest").asText(""));
        } catch (OciException e) {
            throw invalid("a descriptor has no digest that can be read: " + e.getMessage());
        }
    }

    private static OciException invalid(String why) {
        return new OciException(OciCode.MANIFEST_INVALID, "the manifest is refused: " + why);
    }
}
