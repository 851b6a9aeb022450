// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import io.packing.blob.FilePath;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.Layout;
import io.packing.registry.files.ReadAhead;
import io.packing.registry.files.RegistryFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.Deflater;
import java.util.zip.DeflaterInputStream;

/** Blobs that are made again from their recipes. Thread-safe. */
public final class Rebuilder {
    private static final int BUFFER = 64 << 10;

    private final RegistryFiles files;
    private final ContentSource contents;
    private final ReadAhead readAhead;
    private final int fingerprint = BlobForm.fingerprint();

    /** @param readAhead restores slices */
    public Rebuilder(RegistryFiles files, Layout layout, ReadAhead readAhead) {
        this(files, new MountContents(files, layout), readAhead);
    }

    /**
     * Blobs whose recipes are in a mount.
     *
     * @param contents where the files of layers are
     * @param readAhead restores slices
     */
    public Rebuilder(RegistryFiles files, ContentSource contents, ReadAhead readAhead) {
        this.files = files;
        this.contents = contents;
        this.readAhead = readAhead;
    }

    /** Returns the source of the layers' files. */
    public ContentSource contents() {
        return contents;
    }

    /**
     * Returns the length of the blob that a recipe makes; {@link java.io.FileNotFoundException} when the recipe is
     * missing.
     */
    public long length(FilePath recipe) throws IOException {
        try (RecipeReader reader = read(recipe)) {
            return reader.header().length();
        }
    }

    /** Returns the blob that a recipe makes, from a position on. */
    public InputStream open(FilePath recipe, long position) throws IOException {
        if (contents.isTold()) {
            contents.expect(lengths(recipe));
        }
        RecipeReader reader = read(recipe);
        try {
            if (reader.header().form() instanceof BlobForm.Gzip gzip) {
                return gzip(gzip, new RestoredTar(contents, reader, readAhead, 0), position);
            }
            return new RestoredTar(contents, reader, readAhead, position);
        } catch (IOException | RuntimeException e) {
            reader.close();
            throw e;
        }
    }

    /** Returns the hashes of the contents that a recipe names. */
    public Set<String> contents(FilePath recipe) throws IOException {
        return lengths(recipe).keySet();
    }

    /** Returns the lengths of the contents that a recipe names, by hash. */
    Map<String, Long> lengths(FilePath recipe) throws IOException {
        Map<String, Long> lengths = new LinkedHashMap<>();
        try (RecipeReader reader = read(recipe)) {
            for (Optional<Step> step = reader.next(); step.isPresent(); step = reader.next()) {
                if (step.get() instanceof Step.Content content) {
                    lengths.put(content.hex(), content.length());
                }
            }
        }
        return lengths;
    }

    private RecipeReader read(FilePath recipe) throws IOException {
        return new RecipeReader(new FileBytes(files.open(recipe), 0));
    }

    /** @param tar is closed with the result, also when this fails */
    private InputStream gzip(BlobForm.Gzip gzip, InputStream tar, long position) throws IOException {
        try {
            InputStream all = gzip(gzip, tar);
            all.skipNBytes(position);
            return all;
        } catch (IOException | RuntimeException e) {
            tar.close();
            throw e;
        }
    }

    private InputStream gzip(BlobForm.Gzip gzip, InputStream tar) throws IOException {
        if (gzip.fingerprint() != fingerprint) {
            throw new IOException(
                    ("this layer was proved with another zlib (%08x) than this Java runtime has (%08x); start the registry"
                                    + " with the Java runtime that it had")
                            .formatted(gzip.fingerprint(), fingerprint));
        }
        InputStream body = new DeflaterInputStream(tar, new Deflater(gzip.level(), true), BUFFER);
        return new SequenceInputStream(Collections.enumeration(List.of(
                new ByteArrayInputStream(gzip.header().copy()),
                body,
                new ByteArrayInputStream(gzip.trailer().copy()))));
    }
}
