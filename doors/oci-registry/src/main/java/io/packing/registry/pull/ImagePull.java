// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.pull;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.luben.zstd.ZstdInputStream;
import io.packing.registry.dedup.ClientFileList;
import io.packing.registry.dedup.LeanLayerReader;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.Json;
import io.packing.registry.oci.OciException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pulls images into an OCI layout, without the files that were pulled before. A layer whose lean form cannot be had, or makes other bytes
 * than its digest says, is pulled whole. Confined to one thread.
 */
public final class ImagePull {
    private static final Logger LOG = LoggerFactory.getLogger(ImagePull.class);
    private static final ObjectMapper JSON = Json.OF_OTHERS;
    private static final int BUFFER = 256 << 10;

    private final RegistrySource source;
    private final PulledFiles files;
    private final ImageLayout layout;
    private final boolean lean;

    private final List<Layer> layers = new ArrayList<>();
    private long bytes;
    private int leanLayers;
    private int wholeLayers;
    private int heldLayers;

    private ImagePull(RegistrySource source, PulledFiles files, ImageLayout layout, boolean lean) {
        this.source = source;
        this.files = files;
        this.layout = layout;
        this.lean = lean;
    }

    /**
     * The result of a pull.
     *
     * @param digest of the manifest
     * @param bytes of the blobs that were not in the layout: those that a stock client receives
     * @param received bytes of answers
     * @param sent bytes of requests
     * @param stored bytes of files that the client did not have
     * @param leanLayers layers that came lean
     * @param wholeLayers layers that came whole
     * @param heldLayers layers that were made without asking the registry, or were in the layout
     * @param layers those that were not in the layout
     */
    public record Result(
            String digest,
            long bytes,
            @JsonProperty("received_bytes") long received,
            @JsonProperty("sent_bytes") long sent,
            @JsonProperty("new_file_bytes") long stored,
            @JsonProperty("lean_layers") int leanLayers,
            @JsonProperty("whole_layers") int wholeLayers,
            @JsonProperty("held_layers") int heldLayers,
            List<Layer> layers) {
        public Result {
            layers = List.copyOf(layers);
        }
    }

    /**
     * A layer that was not in the layout.
     *
     * @param bytes of the blob
     * @param received bytes of answers
     */
    public record Layer(
            String digest,
            long bytes,
            @JsonProperty("received_bytes") long received) {}

    /** The wanted platform of an image that has several. */
    public record Platform(String os, String architecture) {}

    /**
     * Pulls an image.
     *
     * @param authorization the header of requests; may be empty
     * @param to a directory for the OCI layout
     * @param lean whether lean layers are asked for; else every blob is pulled whole
     */
    public static Result pull(
            URI registry,
            ImageReference image,
            Optional<String> authorization,
            Platform platform,
            PulledFiles files,
            Path to,
            boolean lean)
            throws IOException {
        RegistrySource source = new RegistrySource(registry, authorization);
        return new ImagePull(source, files, ImageLayout.open(to), lean).pull(image, platform);
    }

    private Result pull(ImageReference image, Platform platform) throws IOException {
        RegistrySource.ReceivedManifest manifest = source.manifest(image.repository(), image.reference());
        if (Digest.isMeant(image.reference())) {
            check(digest(image.reference()), manifest);
        }
        JsonNode root = json(manifest);
        if (root.path("manifests").isArray()) {
            Digest chosen = choose(root.path("manifests"), platform);
            manifest = source.manifest(image.repository(), chosen.toString());
            check(chosen, manifest);
            root = json(manifest);
        }
        Digest digest = Digest.Algorithm.SHA256.of(manifest.bytes());
        long before = files.stored();
        whole(image.repository(), root.path("config"));
        for (JsonNode layer : root.path("layers")) {
            layer(image.repository(), layer);
        }
        byte[] body = manifest.bytes();
        if (!layout.has(digest)) {
            boolean unused = layout.add(digest, out -> out.write(body));
        }
        layout.name(image.reference(), digest, manifest.mediaType(), body.length);
        return new Result(
                digest.toString(),
                bytes,
                source.received(),
                source.sent(),
                files.stored() - before,
                leanLayers,
                wholeLayers,
                heldLayers,
                layers);
    }

    private static void check(Digest digest, RegistrySource.ReceivedManifest manifest) throws IOException {
        Digest is = digest.algorithm().of(manifest.bytes());
        if (!is.equals(digest)) {
            throw new IOException("the registry gave manifest %s for %s".formatted(is, digest));
        }
    }

    private static JsonNode json(RegistrySource.ReceivedManifest manifest) throws IOException {
        JsonNode root = JSON.readTree(manifest.bytes());
        if (root == null || !root.isObject()) {
            throw new IOException("the registry gave a manifest that is no JSON object");
        }
        return root;
    }

    private static Digest digest(String text) throws IOException {
        try {
            return Digest.parse(text);
        } catch (OciException e) {
            throw new IOException("the manifest has a digest that cannot be read: " + e.getMessage(), e);
        }
    }

    private static Digest choose(JsonNode manifests, Platform wanted) throws IOException {
        List<String> others = new ArrayList<>();
        for (JsonNode each : manifests) {
            String os = each.path("platform").path("os").asText();
            String architecture = each.path("platform").path("architecture").asText();
            if (os.equals(wanted.os()) && architecture.equals(wanted.architecture())) {
                return digest(each.path("digest").asText());
            }
            others.add(os + "/" + architecture);
        }
        throw new IOException("there is no image for %s/%s, but for %s"
                .formatted(wanted.os(), wanted.architecture(), String.join(", ", others)));
    }

    /** Pulls a blob as it is. */
    private void whole(String repository, JsonNode descriptor) throws IOException {
        Digest digest = digest(descriptor.path("digest").asText());
        if (layout.has(digest)) {
            return;
        }
        bytes += descriptor.path("size").asLong();
        whole(repository, digest);
    }

    private void whole(String repository, Digest digest) throws IOException {
        boolean added = layout.add(
                digest,
                out -> source.blob(repository, digest, body -> {
                    byte[] buffer = new byte[BUFFER];
                    for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
                        out.write(buffer, 0, n);
                    }
                }));
        if (!added) {
            throw new IOException("the registry gave other bytes than those of blob " + digest);
        }
    }

    private void layer(String repository, JsonNode descriptor) throws IOException {
        Digest digest = digest(descriptor.path("digest").asText());
        if (layout.has(digest)) {
            heldLayers++;
            return;
        }
        long size = descriptor.path("size").asLong();
        bytes += size;
        long before = source.received();
        if (lean && isMade(digest)) {
            heldLayers++;
        } else if (lean && isHadLean(repository, digest, size)) {
            leanLayers++;
        } else {
            whole(repository, digest);
            wholeLayers++;
        }
        layers.add(new Layer(digest.toString(), size, source.received() - before));
    }

    /** Makes a layer of a recipe that is here, if all its files are. */
    private boolean isMade(Digest digest) throws IOException {
        Optional<Path> recipe = files.recipe(digest);
        return recipe.isPresent()
                && LeanLayerReader.missing(recipe.get(), files).isEmpty()
                && isMade(digest, recipe.get());
    }

    private boolean isMade(Digest digest, Path recipe) throws IOException {
        try {
            return layout.add(digest, out -> LeanLayerReader.write(recipe, files, out));
        } catch (IOException e) {
            // A file is shorter than it was, or the recipe is damaged: the layer is pulled.
            return false;
        }
    }

    private boolean isHadLean(String repository, Digest digest, long size) {
        try {
            return isPulledLean(repository, digest, size);
        } catch (IOException e) {
            // Whatever the registry answered with, the whole layer has a digest; if it is gone, that fails as well.
            LOG.warn("the lean form of {} cannot be had, so it is pulled whole: {}", digest, e.toString());
            return false;
        }
    }

    private boolean isPulledLean(String repository, Digest digest, long size) throws IOException {
        Path recipe = files.recipeScratch();
        ClientFileList held = files.held();
        // The second request names only files that are really here: some file was lost, though its layer is on the
        // list.
        for (ClientFileList told : List.of(held, ClientFileList.NONE)) {
            boolean given = source.lean(repository, digest, told.body(), body -> {
                try (InputStream layer = new BufferedInputStream(new ZstdInputStream(body), BUFFER)) {
                    LeanLayerReader.receive(layer, size, recipe, files);
                }
            });
            if (!given) {
                return false;
            }
            Set<String> missing = LeanLayerReader.missing(recipe, files);
            if (missing.isEmpty()) {
                break;
            }
        }
        if (isMade(digest, recipe)) {
            files.keep(digest, repository, recipe);
            return true;
        }
        files.dropDamaged(LeanLayerReader.named(recipe));
        return false;
    }
}
