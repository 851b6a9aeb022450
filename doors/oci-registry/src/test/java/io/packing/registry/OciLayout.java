// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory with one image, as the OCI image layout has it. */
final class OciLayout {
    private OciLayout() {}

    /** Writes an image of uncompressed layers. */
    static void write(Path directory, String tag, byte[]... layers) throws IOException {
        StringBuilder diffs = new StringBuilder();
        for (byte[] layer : layers) {
            diffs.append(diffs.isEmpty() ? "" : ",")
                    .append('"')
                    .append(blob(directory, layer))
                    .append('"');
        }
        byte[] config =
                "{\"architecture\":\"amd64\",\"os\":\"linux\",\"config\":{},\"rootfs\":{\"type\":\"layers\",\"diff_ids\":[%s]}}"
                        .formatted(diffs)
                        .getBytes(StandardCharsets.UTF_8);
        Digest unused = blob(directory, config);
        byte[] manifest = RegistryClient.manifest(config, layers);
        String index = ("{\"schemaVersion\":2,\"manifests\":[{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":%d,"
                        + "\"annotations\":{\"org.opencontainers.image.ref.name\":\"%s\"}}]}")
                .formatted(RegistryClient.MANIFEST, blob(directory, manifest), manifest.length, tag);
        Files.writeString(directory.resolve("index.json"), index);
        Files.writeString(directory.resolve("oci-layout"), "{\"imageLayoutVersion\":\"1.0.0\"}");
    }

    private static Digest blob(Path directory, byte[] bytes) throws IOException {
        Digest digest = RegistryClient.digest(bytes);
        Path blobs = Files.createDirectories(directory.resolve("blobs").resolve("sha256"));
        Files.write(blobs.resolve(digest.hex()), bytes);
        return digest;
    }
}
