// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.layers.ImageName;
import io.packing.layers.OpenRegistry;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.Json;
import io.packing.registry.oci.OciException;
import io.packing.registry.store.StoredManifest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An image of a registry.
 *
 * @param repository that has it
 * @param stored its manifest, never an index
 * @param json the parsed manifest
 * @param layers from the lowest to the highest
 */
record Image(String repository, StoredManifest stored, JsonNode json, List<Digest> layers) {
    private static final ObjectMapper JSON = Json.OF_OTHERS;

    Image {
        layers = List.copyOf(layers);
    }

    /** Finds an image; of an index, that of this machine's architecture. */
    static Image find(OpenRegistry registry, ImageName name) throws IOException {
        Optional<StoredManifest> stored = Digest.isMeant(name.reference())
                ? registry.manifests().byDigest(name.repository(), digest(name.reference()))
                : registry.manifests().byTag(name.repository(), name.reference());
        StoredManifest manifest = stored.orElseThrow(() -> new IOException(
                "the registry has no %s with the tag or digest %s".formatted(name.repository(), name.reference())));
        JsonNode json = JSON.readTree(manifest.bytes());
        return json.has("manifests") ? ofIndex(registry, name.repository(), json) : of(name.repository(), manifest);
    }

    private static Image ofIndex(OpenRegistry registry, String repository, JsonNode index) throws IOException {
        String architecture = System.getProperty("os.arch").equals("aarch64") ? "arm64" : System.getProperty("os.arch");
        for (JsonNode child : index.path("manifests")) {
            JsonNode platform = child.path("platform");
            if (platform.path("os").asText("linux").equals("linux")
                    && platform.path("architecture").asText(architecture).equals(architecture)) {
                Digest digest = digest(child.path("digest").asText(""));
                return of(
                        repository,
                        registry.manifests()
                                .byDigest(repository, digest)
                                .orElseThrow(() -> new IOException("the registry lacks the manifest " + digest)));
            }
        }
        throw new IOException("the index has no image for linux on %s".formatted(architecture));
    }

    /** Returns the image of a manifest. */
    static Image of(String repository, StoredManifest stored) throws IOException {
        JsonNode json = JSON.readTree(stored.bytes());
        List<Digest> layers = new ArrayList<>();
        for (JsonNode layer : json.path("layers")) {
            layers.add(digest(layer.path("digest").asText("")));
        }
        if (layers.isEmpty()) {
            throw new IOException("the manifest %s has no layers: it is no image".formatted(stored.digest()));
        }
        return new Image(repository, stored, json, layers);
    }

    /** Returns an image that has the lowest layers of this one only. */
    Image lowest(int count) throws IOException {
        if (count < 1 || count > layers.size()) {
            throw new IOException(
                    "the image %s has %d layers, and not %d".formatted(stored.digest(), layers.size(), count));
        }
        return new Image(repository, stored, json, layers.subList(0, count));
    }

    static Digest digest(String text) throws IOException {
        try {
            return Digest.parse(text);
        } catch (OciException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
