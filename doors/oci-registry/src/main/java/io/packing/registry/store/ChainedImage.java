// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.store;

import io.packing.registry.oci.Digest;

/**
 * The image whose lowest layers have a chain id.
 *
 * @param repository that has it
 * @param manifest of the image
 * @param layers the number of layers that the chain id is of
 * @param all the number of layers of the image
 */
public record ChainedImage(String repository, Digest manifest, int layers, int all) {
    public ChainedImage {
        if (layers < 1 || layers > all) {
            throw new IllegalArgumentException("%d of %d layers".formatted(layers, all));
        }
    }

    /** Returns whether the chain id is that of the whole image. */
    public boolean isWhole() {
        return layers == all;
    }
}
