// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.pull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;

/** A directory of images in the OCI image layout 1.0, as skopeo, podman and crane read it. Confined to one thread. */
final class ImageLayout {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NAME = "org.opencontainers.image.ref.name";

    private final Path directory;

    private ImageLayout(Path directory) {
        this.directory = directory;
    }

    /** Opens a layout, which is made if it is not there. */
    static ImageLayout open(Path directory) throws IOException {
        Files.createDirectories(directory.resolve("blobs"));
        Path marker = directory.resolve("oci-layout");
        if (!Files.exists(marker)) {
            Files.writeString(marker, "{\"imageLayoutVersion\":\"1.0.0\"}");
        }
        return new ImageLayout(directory);
    }

    private Path blobs(Digest digest) {
        return directory.resolve("blobs").resolve(digest.algorithm().text());
    }

    boolean has(Digest digest) {
        return Files.exists(blobs(digest).resolve(digest.hex()));
    }

    /** Writes bytes. */
    interface Writer {
        void write(OutputStream out) throws IOException;
    }

    /** Adds a blob; returns false, and adds nothing, when the written bytes do not have the digest. */
    boolean add(Digest digest, Writer writer) throws IOException {
        Files.createDirectories(blobs(digest));
        Path part = directory.resolve("incoming");
        MessageDigest hasher = digest.algorithm().hasher();
        try {
            try (OutputStream out = new DigestOutputStream(Files.newOutputStream(part), hasher)) {
                writer.write(out);
            }
            if (!digest.algorithm().of(hasher).equals(digest)) {
                return false;
            }
            Files.move(part, blobs(digest).resolve(digest.hex()), StandardCopyOption.ATOMIC_MOVE);
            return true;
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** Names a manifest, which is a blob here; the manifest that had the name before loses it. */
    void name(String name, Digest manifest, String mediaType, long size) throws IOException {
        Path index = directory.resolve("index.json");
        ArrayNode manifests = JSON.createArrayNode();
        if (Files.exists(index)) {
            for (JsonNode each : JSON.readTree(Files.readAllBytes(index)).path("manifests")) {
                if (!each.path("annotations").path(NAME).asText().equals(name)) {
                    manifests.add(each);
                }
            }
        }
        ObjectNode descriptor = manifests.addObject();
        descriptor
                .put("mediaType", mediaType)
                .put("digest", manifest.toString())
                .put("size", size);
        descriptor.putObject("annotations").put(NAME, name);
        ObjectNode all = JSON.createObjectNode()
                .put("schemaVersion", 2)
                .put("mediaType", "application/vnd.oci.image.index.v1+json");
        all.set("manifests", manifests);
        Path part = directory.resolve("index.json.new");
        Files.write(part, JSON.writeValueAsBytes(all));
        Files.move(part, index, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
