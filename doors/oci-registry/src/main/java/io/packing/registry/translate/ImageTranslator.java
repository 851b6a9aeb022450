// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.translate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.packing.registry.dedup.LayerForm;
import io.packing.registry.dedup.LayerTranslator;
import io.packing.registry.dedup.LayerTranslator.Translated;
import io.packing.registry.dedup.ProvedBytes;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.Json;
import io.packing.registry.oci.Manifest;
import io.packing.registry.oci.MediaTypes;
import io.packing.registry.oci.OciException;
import io.packing.registry.store.BlobContent;
import io.packing.registry.store.Blobs;
import io.packing.registry.store.Manifests;
import io.packing.registry.store.StoredManifest;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Makes manifests of images whose layers are in another form, beside the pushed ones. An image runs the same in both
 * forms: its configuration, which has the digests of the tars, stays. Thread-safe; two that translate one image make
 * one result.
 */
public final class ImageTranslator {
    /** The registry's finding on an image. */
    public enum Result {
        /** The image has a manifest in the other form. */
        TRANSLATED,
        /** Nothing in it can be translated. */
        KEPT,
        /** The image could not be read or written now; another try may do it. */
        FAILED
    }

    /** Indexes in indexes. */
    private static final int MOST_DEPTH = 4;
    /** The most bytes of a configuration. */
    private static final int MOST_CONFIG = 8 << 20;

    private static final ObjectMapper JSON = Json.OF_OTHERS;

    private final Manifests manifests;
    private final Blobs blobs;
    private final LayerTranslator layers;
    private final LayerForm form;

    /** @param form in which images are, too */
    public ImageTranslator(Manifests manifests, Blobs blobs, LayerTranslator layers, LayerForm form) {
        this.manifests = manifests;
        this.blobs = blobs;
        this.layers = layers;
        this.form = form;
    }

    /** Translates an image, or an index with its images. */
    public Result translate(String repository, Digest manifest) throws IOException {
        if (translate(repository, manifest, 0, new HashMap<>()).isPresent()) {
            return Result.TRANSLATED;
        }
        manifests.keep(repository, manifest, form);
        return Result.KEPT;
    }

    /** Returns whether the work on a manifest is done. */
    public boolean isSettled(String repository, Digest manifest) throws IOException {
        return manifests.isTranslationKnown(repository, manifest, form);
    }

    /** Returns whether a manifest only stands beside the pushed one. */
    public boolean isUntaggedTranslation(String repository, Digest manifest) throws IOException {
        Optional<StoredManifest> stored = manifests.byDigest(repository, manifest);
        return stored.isPresent()
                && stored.get().translationOf().isPresent()
                && !manifests.isTagged(repository, manifest);
    }

    /**
     * Translates one manifest.
     *
     * @param done the results so far: indexes can name an index many times, and that one others
     */
    private Optional<StoredManifest> translate(
            String repository, Digest digest, int depth, Map<Digest, Optional<StoredManifest>> done)
            throws IOException {
        Optional<StoredManifest> before = done.get(digest);
        if (before != null) {
            return before;
        }
        Optional<StoredManifest> made = translateNew(repository, digest, depth, done);
        done.put(digest, made);
        return made;
    }

    private Optional<StoredManifest> translateNew(
            String repository, Digest digest, int depth, Map<Digest, Optional<StoredManifest>> done)
            throws IOException {
        Optional<StoredManifest> known = manifests.translated(repository, digest, form);
        Optional<StoredManifest> stored = manifests.byDigest(repository, digest);
        if (known.isPresent() || stored.isEmpty() || depth == MOST_DEPTH) {
            return known;
        }
        ObjectNode json = json(stored.get().bytes());
        // A signature is for the bytes of its subject: a translation of one would be another subject.
        if (json.has("subject") || stored.get().translationOf().isPresent()) {
            return Optional.empty();
        }
        boolean any = false;
        String mediaType = "";
        if (MediaTypes.isImage(stored.get().mediaType())) {
            mediaType = MediaTypes.OCI_MANIFEST;
            any = translateLayers(repository, json);
        } else if (MediaTypes.isIndex(stored.get().mediaType())) {
            mediaType = MediaTypes.OCI_INDEX;
            any = translateChildren(repository, json, depth, done);
        }
        return any ? put(repository, digest, mediaType, json) : Optional.empty();
    }

    /** Puts translations in the place of layers; returns false if no layer has one. */
    private boolean translateLayers(String repository, ObjectNode image) throws IOException {
        JsonNode config = image.path("config");
        if (!(config instanceof ObjectNode configNode)
                || !(image.path("layers") instanceof ArrayNode layerNodes)
                || !isImageConfig(config.path("mediaType").asText())) {
            return false;
        }
        JsonNode tars = configuration(repository, config).path("rootfs").path("diff_ids");
        if (tars.size() != layerNodes.size()) {
            return false;
        }
        boolean any = false;
        for (int i = 0; i < layerNodes.size(); i++) {
            if (layerNodes.get(i) instanceof ObjectNode layer) {
                any |= translateLayer(repository, layer, tars.get(i).asText());
            }
        }
        configNode.put("mediaType", MediaTypes.OCI_CONFIG);
        return any;
    }

    private static boolean isImageConfig(String mediaType) {
        return mediaType.equals(MediaTypes.OCI_CONFIG) || mediaType.equals(MediaTypes.DOCKER_CONFIG);
    }

    private JsonNode configuration(String repository, JsonNode config) throws IOException {
        Digest digest = digest(config);
        Optional<BlobContent> blob = blobs.find(repository, digest);
        if (blob.isEmpty() || blob.get().length() > MOST_CONFIG) {
            return JSON.createObjectNode();
        }
        try (InputStream in = blob.get().open(0)) {
            ProvedBytes bytes = new ProvedBytes(in, digest);
            byte[] all = bytes.readNBytes(MOST_CONFIG);
            bytes.check();
            return json(all);
        }
    }

    /** @param tar the digest of the layer's tar, as the configuration has it */
    private boolean translateLayer(String repository, ObjectNode layer, String tar) throws IOException {
        String mediaType = layer.path("mediaType").asText();
        Digest digest = digest(layer);
        Optional<Translated> translated = MediaTypes.isCompressedLayer(mediaType) && blobs.has(repository, digest)
                ? layers.translate(digest, form)
                : Optional.empty();
        boolean usable = translated.isPresent()
                // Programs that run the image check that.
                && translated.get().tar().toString().equals(tar)
                && !translated.get().blob().equals(digest)
                && blobs.mount(repository, translated.get().blob());
        Optional<BlobContent> blob = usable ? blobs.find(translated.get().blob()) : Optional.empty();
        if (blob.isEmpty()) {
            layer.put("mediaType", MediaTypes.ociLayer(mediaType));
            return false;
        }
        layer.put("mediaType", form.mediaType())
                .put("digest", translated.orElseThrow().blob().toString())
                .put("size", blob.get().length());
        // Tables of contents of the bytes that were pushed say nothing about these.
        layer.remove("annotations");
        layer.remove("urls");
        layer.remove("data");
        return true;
    }

    /** Puts translations in the place of images; returns false if no image has one. */
    private boolean translateChildren(
            String repository, ObjectNode index, int depth, Map<Digest, Optional<StoredManifest>> done)
            throws IOException {
        boolean any = false;
        for (JsonNode child : index.path("manifests")) {
            if (child instanceof ObjectNode descriptor) {
                Optional<StoredManifest> translated = translate(repository, digest(descriptor), depth + 1, done);
                if (translated.isPresent()) {
                    any = true;
                    descriptor
                            .put("mediaType", translated.get().mediaType())
                            .put("digest", translated.get().digest().toString())
                            .put("size", translated.get().bytes().length);
                    descriptor.remove("data");
                }
            }
        }
        return any;
    }

    private Optional<StoredManifest> put(String repository, Digest source, String mediaType, ObjectNode json)
            throws IOException {
        json.put("mediaType", mediaType);
        json.withObjectProperty("annotations").put(StoredManifest.TRANSLATION_OF, source.toString());
        byte[] bytes = JSON.writeValueAsBytes(json);
        if (bytes.length > Manifest.MAX_BYTES) {
            return Optional.empty();
        }
        StoredManifest translated = new StoredManifest(Digest.Algorithm.SHA256.of(bytes), mediaType, bytes);
        try {
            manifests.put(repository, translated, translated.parsed(), Optional.empty());
        } catch (OciException e) {
            throw new IOException("a blob or manifest of %s changed while it was translated".formatted(source), e);
        }
        return manifests.translate(repository, source, form, translated.digest())
                ? Optional.of(translated)
                : Optional.empty();
    }

    private static ObjectNode json(byte[] bytes) throws IOException {
        try {
            return JSON.readTree(bytes) instanceof ObjectNode object ? object : JSON.createObjectNode();
        } catch (JsonProcessingException e) {
            // A configuration can be any bytes.
            return JSON.createObjectNode();
        }
    }

    private static Digest digest(JsonNode descriptor) throws IOException {
        try {
            return Digest.parse(descriptor.path("digest").asText(""));
        } catch (OciException e) {
            throw new IOException("a manifest that was accepted has a descriptor without a digest", e);
        }
    }
}
