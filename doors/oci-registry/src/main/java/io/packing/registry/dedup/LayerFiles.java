// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import io.packing.registry.files.Layout;
import io.packing.registry.oci.Digest;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The files of each layer (DupHunter's LFmap, §4.3.1), read from recipes; those of recently requested layers stay in
 * memory. Thread-safe.
 */
final class LayerFiles {
    /** Hashes of all layers that are held, at most; each takes some 150 bytes. */
    private static final int MOST_HELD = 200_000;

    private final Rebuilder rebuilder;
    private final Layout layout;
    private final Map<Digest, Set<String>> held = new LinkedHashMap<>(16, 0.75f, true);
    private long hashes;

    LayerFiles(Rebuilder rebuilder, Layout layout) {
        this.rebuilder = rebuilder;
        this.layout = layout;
    }

    /** Returns the hashes of a layer's files; none when the layer is not split. */
    Set<String> of(Digest layer) throws IOException {
        synchronized (this) {
            Set<String> known = held.get(layer);
            if (known != null) {
                return known;
            }
        }
        Set<String> files;
        try {
            files = Set.copyOf(rebuilder.contents(layout.recipe(layer)));
        } catch (FileNotFoundException e) {
            return Set.of();
        }
        hold(layer, files);
        return files;
    }

    private synchronized void hold(Digest layer, Set<String> files) {
        if (files.size() <= MOST_HELD && held.put(layer, files) == null) {
            hashes += files.size();
        }
        while (hashes > MOST_HELD) {
            Digest oldest = held.keySet().iterator().next();
            hashes -= held.getOrDefault(oldest, Set.of()).size();
            held.remove(oldest);
        }
    }
}
