// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.packing.bdt.BdtLookups;
import io.packing.bdt.tree.Difference;
import io.packing.blob.FilePath;
import io.packing.layers.ImageName;
import io.packing.layers.OpenRegistry;
import io.packing.registry.dedup.DedupCase;
import io.packing.registry.files.Tree;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.Manifest;
import io.packing.registry.oci.OciException;
import io.packing.registry.store.StoredManifest;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;

/** Pushes an image with one layer more. Confined to one thread. */
final class ImagePush {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MOST_CONFIG = 8 << 20;
    private static final String DOCKER = "application/vnd.docker.";
    private static final String DOCKER_LAYER = "application/vnd.docker.image.rootfs.diff.tar";
    private static final String OCI_LAYER = "application/vnd.oci.image.layer.v1.tar";

    private final OpenRegistry registry;
    private final BdtLookups bdt;
    private final Image base;

    /** @param base in the repository that is pushed to */
    ImagePush(OpenRegistry registry, BdtLookups bdt, Image base) {
        this.registry = registry;
        this.bdt = bdt;
        this.base = base;
    }

    PushedImage push(FilePath now, List<Difference> differences, ImageName to, Path scratch) throws IOException {
        Path file = Files.createTempFile(scratch, "layer-", ".tar");
        try {
            MessageDigest hasher = Digest.Algorithm.SHA256.hasher();
            long entries;
            try (OutputStream out =
                    new DigestOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 18), hasher)) {
                entries = new ChangeLayer(
                                bdt, registry.files(), new Tree(registry.files(), registry.layout()), now, out)
                        .write(differences);
            }
            Digest layer = Digest.Algorithm.SHA256.of(hasher);
            try (InputStream in = Files.newInputStream(file)) {
                upload(layer, in);
            }
            Optional<DedupCase> unused = registry.engine().examine(layer);
            Digest manifest = manifest(layer, Files.size(file), to);
            return new PushedImage(manifest.toString(), layer.toString(), entries, Files.size(file));
        } catch (OciException e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            Files.delete(file);
        }
    }

    private void upload(Digest digest, InputStream bytes) throws IOException, OciException {
        String id = registry.uploads().begin(base.repository());
        boolean unused = registry.uploads().finish(base.repository(), id, Optional.empty(), bytes, digest);
    }

    private Digest manifest(Digest layer, long size, ImageName to) throws IOException, OciException {
        ObjectNode manifest = (ObjectNode) base.json().deepCopy();
        ObjectNode config = config(manifest.path("config"));
        ((ArrayNode) config.withObject("/rootfs").withArray("diff_ids")).add(layer.toString());
        config.withArray("history").addObject().put("created_by", "packing layers push");
        byte[] configBytes = JSON.writeValueAsBytes(config);
        Digest configDigest = Digest.Algorithm.SHA256.of(configBytes);
        upload(configDigest, new ByteArrayInputStream(configBytes));
        // A repository must have the blobs that its manifests name.
        for (Digest each : base.layers()) {
            if (!registry.blobs().mount(base.repository(), each)) {
                throw new IOException("the registry lacks the layer %s of the image".formatted(each));
            }
        }
        ((ObjectNode) manifest.path("config"))
                .put("digest", configDigest.toString())
                .put("size", configBytes.length);
        boolean isDocker = base.stored().mediaType().startsWith(DOCKER);
        manifest.withArray("layers")
                .addObject()
                .put("mediaType", isDocker ? DOCKER_LAYER : OCI_LAYER)
                .put("digest", layer.toString())
                .put("size", size);
        byte[] bytes = JSON.writeValueAsBytes(manifest);
        StoredManifest stored = new StoredManifest(
                Digest.Algorithm.SHA256.of(bytes), base.stored().mediaType(), bytes);
        Optional<String> tag = Digest.isMeant(to.reference()) ? Optional.empty() : Optional.of(to.reference());
        registry.manifests().put(base.repository(), stored, Manifest.parse(bytes, stored.mediaType()), tag);
        return stored.digest();
    }

    private ObjectNode config(JsonNode descriptor) throws IOException {
        Digest digest = Image.digest(descriptor.path("digest").asText(""));
        try (InputStream in = registry.blobs()
                .find(digest)
                .orElseThrow(() -> new IOException("the registry lacks the configuration " + digest))
                .open(0)) {
            byte[] bytes = in.readNBytes(MOST_CONFIG);
            if (JSON.readTree(bytes) instanceof ObjectNode object) {
                return object;
            }
            throw new IOException("the configuration %s is no JSON object".formatted(digest));
        }
    }
}
