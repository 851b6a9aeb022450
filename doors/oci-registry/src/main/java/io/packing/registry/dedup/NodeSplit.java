// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import io.packing.blob.FilePath;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.Layout;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.oci.Digest;
import io.packing.worker.api.PackingOutput;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/** Recipes of blobs whose contents are at nodes. A blob that cannot be split is one content. Thread-safe. */
public final class NodeSplit {
    private static final int BUFFER = 256 << 10;

    private final RegistryFiles files;
    private final Layout layout;
    private final Rebuilder rebuilder;

    /** @param rebuilder reads recipes */
    public NodeSplit(RegistryFiles files, Layout layout, Rebuilder rebuilder) {
        this.files = files;
        this.layout = layout;
        this.rebuilder = rebuilder;
    }

    /** Writes the recipe of a blob that is one content. */
    void writeWhole(Digest digest, long length, LayerNodes.Bytes blob, FilePath recipe) throws IOException {
        String hex = digest.algorithm() == Digest.Algorithm.SHA256 ? digest.hex() : sha256(blob);
        PackingOutput out = files.create(recipe);
        RecipeWriter writer = new RecipeWriter(out);
        try {
            writer.begin(new RecipeHeader(length, length, new BlobForm.Plain()));
            if (length > 0) {
                writer.content(new Step.Content(hex, length));
            }
            writer.finish();
            out.close();
        } catch (IOException | RuntimeException e) {
            out.abort();
            throw e;
        } finally {
            writer.release();
        }
    }

    private static String sha256(LayerNodes.Bytes blob) throws IOException {
        MessageDigest hasher = Digest.Algorithm.SHA256.hasher();
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = blob.open()) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                hasher.update(buffer, 0, n);
            }
        }
        return HexFormat.of().formatHex(hasher.digest());
    }

    /**
     * Returns the lengths of a blob's contents, by hash; {@link java.io.FileNotFoundException} when it has no recipe.
     */
    public Map<String, Long> contents(Digest digest) throws IOException {
        return rebuilder.lengths(layout.recipe(digest));
    }

    /** Sends those contents of a blob that are wanted. */
    public void send(Digest digest, LayerNodes.Bytes blob, LayerNodes.Placing to) throws IOException {
        send(layout.recipe(digest), blob, to);
    }

    void send(FilePath recipe, LayerNodes.Bytes blob, LayerNodes.Placing to) throws IOException {
        Inflater inflater = new Inflater(true);
        try (RecipeReader reader = new RecipeReader(new FileBytes(files.open(recipe), 0));
                InputStream bytes = new BufferedInputStream(blob.open(), BUFFER)) {
            InputStream tar = bytes;
            if (reader.header().form() instanceof BlobForm.Gzip gzip) {
                bytes.skipNBytes(gzip.header().length());
                tar = new BufferedInputStream(new InflaterInputStream(bytes, inflater, BUFFER), BUFFER);
            }
            for (Optional<Step> step = reader.next(); step.isPresent(); step = reader.next()) {
                if (step.get() instanceof Step.Content content && to.wants(content.hex())) {
                    PartOf part = new PartOf(tar, content.length());
                    to.put(content.hex(), part, content.length());
                    part.skipNBytes(part.left());
                } else {
                    tar.skipNBytes(step.get().length());
                }
            }
        } finally {
            inflater.end();
        }
    }
}
