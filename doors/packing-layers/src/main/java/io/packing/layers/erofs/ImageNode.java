// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.erofs;

import io.packing.bdt.ExtendedValue;
import java.util.Map;

/** An inode of an image, before it has a number. */
public abstract sealed class ImageNode permits ImageDirectory, ImageFile {
    private final ImageAttributes attributes;

    ImageNode(ImageAttributes attributes) {
        this.attributes = attributes;
    }

    ImageAttributes attributes() {
        return attributes;
    }

    /** Returns the bits of the type, as {@code stat} has them. */
    abstract int type();

    /** Returns all extended attributes, those of overlayfs too. */
    Map<String, ExtendedValue> extended() {
        return attributes.extended();
    }
}
