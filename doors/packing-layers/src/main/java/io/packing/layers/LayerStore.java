// SPDX-License-Identifier: Apache-2.0
package io.packing.layers;

import io.packing.bdt.ExtendedValue;
import io.packing.bdt.Operation;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.fuse.posix.TreeSource;
import io.packing.layers.tree.ExtendedAttributes;
import io.packing.layers.tree.LayerException;
import io.packing.layers.tree.LayerTrees;
import io.packing.registry.files.Layout;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.VectorBuilder;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.OciException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An additional layer store of containers/storage: {@code IMAGE/DIGEST/} has {@code diff}, the tree of a layer, and
 * {@code info}; IMAGE is the name of an image in base64. A lookup makes such a directory, as a clone of the layer's
 * own.
 */
final class LayerStore implements TreeSource {
    private static final int IMAGE = 1;
    private static final int LAYER = 2;

    private final RegistryFiles files;
    private final Layout layout;
    private final LayerTrees trees;
    /** They never change. */
    private final Map<FilePath, ExtendedAttributes> extended = new ConcurrentHashMap<>();

    LayerStore(RegistryFiles files, Layout layout, LayerTrees trees) {
        this.files = files;
        this.layout = layout;
        this.trees = trees;
    }

    private List<String> components(FilePath path) {
        FilePath root = layout.layers();
        return path.equals(root) || !root.contains(path)
                ? List.of()
                : List.of(path.value().substring(root.value().length() + 1).split("/", -1));
    }

    @Override
    public boolean makes(FilePath path) {
        int depth = components(path).size();
        return depth == IMAGE || depth == LAYER;
    }

    @Override
    public boolean make(FilePath path) throws IOException {
        List<String> components = components(path);
        Optional<ImageName> image = components.isEmpty() ? Optional.empty() : ImageName.decode(components.get(0));
        if (image.isEmpty()) {
            return false;
        }
        String repository = image.get().repository();
        if (components.size() == IMAGE) {
            return files.stat(layout.repository(repository)).isPresent() && apply(new VectorBuilder(), path);
        }
        Optional<Digest> digest = digest(components.get(1));
        if (components.size() != LAYER
                || digest.isEmpty()
                || files.stat(layout.link(repository, digest.get())).isEmpty()) {
            return false;
        }
        return clone(digest.get(), path);
    }

    private boolean clone(Digest digest, FilePath path) throws IOException {
        FilePath layer;
        try {
            layer = trees.directory(digest);
        } catch (FileNotFoundException | LayerException e) {
            // Said in the log where it was found out: to the engine it is no layer of this store.
            return false;
        }
        VectorResult result = files.apply(new VectorBuilder()
                .add(new Operation.MakeDirectory(path.parent().orElseThrow(), LayerTrees.DIRECTORY, true))
                .add(new Operation.CloneDirectory(layer, path))
                .build());
        return result instanceof VectorResult.Applied || files.stat(path).isPresent();
    }

    private boolean apply(VectorBuilder vector, FilePath directory) throws IOException {
        vector.add(new Operation.MakeDirectory(directory, LayerTrees.DIRECTORY, true));
        return files.apply(vector.build()) instanceof VectorResult.Applied;
    }

    private static Optional<Digest> digest(String text) {
        try {
            return Optional.of(Digest.parse(text));
        } catch (OciException e) {
            return Optional.empty();
        }
    }

    @Override
    public boolean hasExtendedAttributes() {
        return true;
    }

    @Override
    public Map<String, byte[]> extendedAttributes(FilePath path) throws IOException {
        List<String> components = components(path);
        if (components.size() <= LAYER || !components.get(LAYER).equals(LayerTrees.DIFF)) {
            return Map.of();
        }
        FilePath layer = layout.layers().child(components.get(0)).child(components.get(1));
        String inTree = String.join("/", components.subList(LAYER + 1, components.size()));
        Map<String, byte[]> all = new HashMap<>();
        for (Map.Entry<String, ExtendedValue> each : extended(layer).of(inTree).entrySet()) {
            all.put(each.getKey(), each.getValue().bytes());
        }
        return all;
    }

    private ExtendedAttributes extended(FilePath layer) throws IOException {
        ExtendedAttributes known = extended.get(layer);
        if (known == null) {
            known = ExtendedAttributes.read(files, layer.child(LayerTrees.EXTENDED));
            extended.put(layer, known);
        }
        return known;
    }
}
