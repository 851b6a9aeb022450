package io.packing.registry;

import io.packing.registry.oci.Digest;
import java.io.IOException;

/**
 * Makes the file trees of images that were pushed. A container is a clone of such a tree, so whoever starts one waits for nothing if the
 * tree is there before. Thread-safe.
 */
public interface ImageTrees {
    /** The end of the work on a manifest. */
    enum Result {
        /** The tree is there. */
        MADE,
        /** There is no tree: the manifest is no image of layers that can be read, or is gone. */
        NONE,
        /** There is no tree: a layer, or all layers together, are beyond a limit. */
        TOO_LARGE
    }

    /** Whether nothing is to be done for a manifest: its tree is there, or it was found out that it has none. */
    boolean isSettled(String repository, Digest manifest) throws IOException;

    /** Makes the tree of a manifest, unless it is there. */
    Result make(String repository, Digest manifest) throws IOException;
}
