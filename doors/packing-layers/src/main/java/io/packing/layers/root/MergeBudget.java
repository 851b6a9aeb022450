// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import io.packing.layers.tree.LayerException;

/**
 * Limits the cost of all merges of an image's layers: a manifest of 4 MiB can name a large layer many times. Confined
 * to one thread.
 */
final class MergeBudget {
    /** Listed entries, of a layer and of the tree below it. The images of distributions have some 100,000. */
    static final int MOST = 5_000_000;

    private final int most;
    private int spent;

    /** @param most entries */
    MergeBudget(int most) {
        this.most = most;
    }

    /** Counts an entry that a merge lists. */
    void entry() throws LayerException {
        spent++;
        if (spent > most) {
            throw LayerException.overLimit(
                    "the layers of the image have more than %,d entries together, each as often as a layer is over it"
                            .formatted(most));
        }
    }
}
