// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import io.packing.registry.oci.Digest;
import java.io.IOException;

/**
 * Makes the file trees of images that were pushed. A container is a clone of such a tree, so its start does not wait if
 * the tree is there before. Thread-safe.
 */
public interface ImageTrees {
    /** The end of the work on a manifest. */
    enum Result {
        /** The tree is there. */
        MADE,
        /** No tree: the manifest is no image of readable layers, or is gone. */
        NONE,
        /** No tree: a layer, or all layers together, are beyond a limit. */
        TOO_LARGE
    }

    /** Returns whether the work on a manifest is done: its tree is there, or it is known to have none. */
    boolean isSettled(String repository, Digest manifest) throws IOException;

    /** Makes the tree of a manifest, unless it is there. */
    Result make(String repository, Digest manifest) throws IOException;
}
