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
 * Lean layers: what a client needs to make a layer when it has some of the files in it (DupHunter, §4.3). A lean layer is the layer's
 * recipe, and those of its contents that the client does not have; the others are references, which the client follows among its own
 * files. RFC 0004 has the bytes. Thread-safe.
 */
public final class LeanLayers {
    /** Of a lean layer, compressed by zstd. */
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

    /** Lean layers of those that the rebuilder makes. */
    public LeanLayers(RegistryFiles files, Layout layout, Rebuilder rebuilder, ReadAhead readAhead) {
        this.files = files;
        this.layout = layout;
        this.contents = rebuilder.contents();
        this.readAhead = readAhead;
        this.layerFiles = new LayerFiles(rebuilder, layout);
    }

    /** The hashes of all files of some layers: those that a client has that has these layers (UFmap). Of layers that are not split, none. */
    public Set<String> files(Collection<Digest> layers) throws IOException {
        Set<String> all = new HashSet<>();
        for (Digest layer : layers) {
            all.addAll(layerFiles.of(layer));
        }
        return all;
    }

    /**
     * A lean layer; empty when the layer is not split, so that there is nothing to refer to.
     *
     * @param had hashes of the contents that the client has
     * @param omitted told the length of each content that is left out
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
