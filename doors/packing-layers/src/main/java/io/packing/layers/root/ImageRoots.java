// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.layers.OpenRegistry;
import io.packing.layers.tree.ExtendedAttributes;
import io.packing.layers.tree.LayerException;
import io.packing.layers.tree.LayerTrees;
import io.packing.registry.files.Tree;
import io.packing.registry.files.VectorBuilder;
import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.util.List;

/**
 * The root file systems of images: their layers merged into one tree, once for all containers. The lowest layer is
 * cloned whole, and listed for whiteouts; the cost of another layer grows with its entries. Thread-safe; two processes
 * that make one root do the work twice, and no harm.
 */
final class ImageRoots {
    /** Engines over overlayfs take 128. */
    private static final int MOST_LAYERS = 512;

    private final OpenRegistry registry;
    private final Tree trees;

    ImageRoots(OpenRegistry registry) {
        this.registry = registry;
        this.trees = new Tree(registry.files(), registry.layout());
    }

    /** Returns the root of an image, and makes it if it is missing. */
    FilePath root(Image image) throws IOException {
        FilePath root =
                registry.layout().root(image.repository(), image.stored().digest());
        if (registry.files().stat(root).isPresent()) {
            return root;
        }
        FilePath scratch = registry.layout().scratch(OpenRegistry.id());
        try {
            make(image, scratch);
            VectorResult placed = registry.files()
                    .apply(new VectorBuilder()
                            .absent(root)
                            // A deletion of the image deletes its tree, if it is there already.
                            .present(registry.layout()
                                    .content(image.repository(), image.stored().digest()))
                            .rename(scratch, root, false)
                            .build());
            if (placed instanceof VectorResult.Refused refused
                    && registry.files().stat(root).isEmpty()) {
                throw new IOException("the root of %s cannot be put in its place: %s"
                        .formatted(image.stored().digest(), refused.reason()));
            }
            return root;
        } finally {
            drop(scratch);
        }
    }

    /** Merges the layers of an image for one caller, who clones the tree and then {@linkplain #drop drops} it. */
    FilePath merge(Image image) throws IOException {
        FilePath scratch = registry.layout().scratch(OpenRegistry.id());
        try {
            make(image, scratch);
        } catch (IOException | RuntimeException e) {
            drop(scratch);
            throw e;
        }
        return scratch;
    }

    /** Deletes a merged tree. */
    void drop(FilePath scratch) throws IOException {
        if (registry.files().stat(scratch).isPresent()) {
            VectorResult unused =
                    registry.files().apply(new VectorBuilder().delete(scratch).build());
        }
    }

    private void make(Image image, FilePath scratch) throws IOException {
        if (image.layers().size() > MOST_LAYERS) {
            throw LayerException.overLimit("an image of %,d layers, at most %,d"
                    .formatted(image.layers().size(), MOST_LAYERS));
        }
        FilePath first = registry.trees().directory(image.layers().get(0));
        FilePath lowest = first.child(LayerTrees.DIFF);
        VectorResult cloned = registry.files()
                .apply(new OperationVector(
                        List.of(),
                        List.of(
                                new Operation.MakeDirectory(scratch.parent().orElseThrow(), LayerTrees.DIRECTORY, true),
                                new Operation.CloneDirectory(lowest, scratch))));
        if (cloned instanceof VectorResult.Refused refused) {
            throw new IOException("%s cannot be cloned: %s; try again".formatted(lowest, refused.reason()));
        }
        MergeBudget budget = new MergeBudget(MergeBudget.MOST);
        ExtendedAttributes ofLowest = ExtendedAttributes.read(registry.files(), first.child(LayerTrees.EXTENDED));
        TreeMerge.dropWhiteouts(registry.files(), trees, scratch, ofLowest, budget);
        for (Digest layer : image.layers().subList(1, image.layers().size())) {
            FilePath directory = registry.trees().directory(layer);
            ExtendedAttributes extended =
                    ExtendedAttributes.read(registry.files(), directory.child(LayerTrees.EXTENDED));
            TreeMerge.merge(registry.files(), trees, directory.child(LayerTrees.DIFF), extended, scratch, budget);
        }
    }
}
