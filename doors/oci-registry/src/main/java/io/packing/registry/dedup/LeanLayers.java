// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import io.packing.registry.files.FileBytes;
import io.packing.registry.files.Layout;
import io.packing.registry.files.ReadAhead;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.oci.Digest;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Lean layers: the parts that a client lacks to make a layer of its own files (DupHunter, §4.3). A lean layer is the
 * layer's recipe, and those of its contents that the client does not have; the others are references, which the client
 * follows among its own files. Thread-safe.
 *
 * <p>One frame of zstd has all bytes; numbers are big-endian. They begin with {@code PKLEAN} and the version (8), the length
 * of the recipe (8), and the recipe as it is stored. Each content that is sent follows as 1 (1), its length (8), SHA-256 (32)
 * and bytes. The end is 0 (1).
 */
public final class LeanLayers {
    /** The media type of a lean layer, compressed by zstd. */
    public static final String MEDIA_TYPE = "application/vnd.packing.lean-layer.v1+zstd";
    /** PKLEAN and a version. */
    static final long MAGIC = 0x504b_4c45_414e_0001L;

    static final int CONTENT = 1;
    static final int END = 0;

    private final RegistryFiles files;
    private final Layout layout;
    private final ContentSource contents;
    private final ReadAhead readAhead;
    private final LayerFiles layerFiles;

    /** Makes lean layers of those that the rebuilder makes. */
    public LeanLayers(RegistryFiles files, Layout layout, Rebuilder rebuilder, ReadAhead readAhead) {
        this.files = files;
        this.layout = layout;
        this.contents = rebuilder.contents();
        this.readAhead = readAhead;
        this.layerFiles = new LayerFiles(rebuilder, layout);
    }

    /**
     * Returns the hashes of all files of some layers, which a client with these layers has (UFmap). Layers that are not
     * split have none.
     */
    public Set<String> files(Collection<Digest> layers) throws IOException {
        Set<String> all = new HashSet<>();
        for (Digest layer : layers) {
            all.addAll(layerFiles.of(layer));
        }
        return all;
    }

    /**
     * Returns a lean layer; empty when the layer is not split, so that it has no references.
     *
     * @param had hashes of the contents that the client has
     * @param omitted receives the length of each content that is left out
     */
    public Optional<InputStream> open(Digest layer, Set<String> had, LongConsumer omitted) throws IOException {
        LeanSteps steps;
        try {
            steps = new LeanSteps(() -> new FileBytes(files.open(layout.recipe(layer)), 0), had, omitted);
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
        try {
            return Optional.of(new RestoredTar(contents, steps, readAhead, 0));
        } catch (IOException | RuntimeException e) {
            steps.close();
            throw e;
        }
    }
}
