// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.layers.OpenRegistry;
import io.packing.layers.tree.LayerException;
import io.packing.registry.ImageTrees;
import io.packing.registry.files.VectorBuilder;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.Json;
import io.packing.registry.store.StoredManifest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The trees of images, made when they are pushed: those of their layers, the merged one, and its metadata image. Then the image is noted under
 * its chain ids. Thread-safe.
 */
public final class PushedTrees implements ImageTrees {
    private static final Logger LOG = LoggerFactory.getLogger(PushedTrees.class);
    private static final ObjectMapper JSON = Json.OF_OTHERS;
    /** A manifest with another configuration is an artifact, such as a signature or a chart. */
    private static final Set<String> CONFIGURATIONS =
            Set.of("application/vnd.oci.image.config.v1+json", "application/vnd.docker.container.image.v1+json");

    private final OpenRegistry registry;
    private final ImageRoots roots;
    private final MetadataImages metadata;

    /** @param registry the caller closes it after this */
    public PushedTrees(OpenRegistry registry) {
        this.registry = registry;
        this.roots = new ImageRoots(registry);
        this.metadata = new MetadataImages(registry);
    }

    @Override
    public boolean isSettled(String repository, Digest manifest) throws IOException {
        boolean isNoted = isThere(registry.layout().chained(repository, manifest));
        return (isNoted
                        && isThere(registry.layout().root(repository, manifest))
                        && metadata.isSettled(repository, manifest))
                || isThere(registry.layout().treeless(repository, manifest));
    }

    private boolean isThere(FilePath path) throws IOException {
        return registry.files().stat(path).isPresent();
    }

    @Override
    public Result make(String repository, Digest manifest) throws IOException {
        Optional<StoredManifest> stored = registry.manifests().byDigest(repository, manifest);
        if (stored.isEmpty()) {
            return Result.NONE;
        }
        JsonNode json = JSON.readTree(stored.get().bytes());
        boolean isImage =
                CONFIGURATIONS.contains(json.path("config").path("mediaType").asText(""))
                        && !json.path("layers").isEmpty();
        if (!isImage) {
            settle(repository, manifest);
            return Result.NONE;
        }
        try {
            Image image = Image.of(repository, stored.get());
            FilePath unused = roots.root(image);
            // Before the note: a machine that finds the image by a chain id finds this, too.
            metadata.make(repository, manifest);
            note(image);
            return Result.MADE;
        } catch (LayerException e) {
            LOG.info("manifest {} of {} has no tree: {}", manifest, repository, e.getMessage());
            settle(repository, manifest);
            return e.isOverLimit() ? Result.TOO_LARGE : Result.NONE;
        }
    }

    private void note(Image image) throws IOException {
        List<Digest> diffs = new ArrayList<>();
        for (Digest layer : image.layers()) {
            // A published snapshot has the merged tree already, and its layer has none yet.
            FilePath unused = registry.trees().directory(layer);
            diffs.add(registry.trees().diff(layer));
        }
        registry.chains().note(image.repository(), image.stored().digest(), diffs);
    }

    private void settle(String repository, Digest manifest) throws IOException {
        // Refused when the manifest is gone: nothing is left to be said of it then.
        VectorResult unused = registry.files()
                .apply(new VectorBuilder()
                        .present(registry.layout().content(repository, manifest))
                        .directory(registry.layout().treeless(repository, manifest))
                        .build());
    }
}
