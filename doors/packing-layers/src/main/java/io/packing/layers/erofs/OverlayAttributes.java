// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.erofs;

import io.packing.bdt.ExtendedValue;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** The extended attributes by which overlayfs finds the bytes of a file in a data-only layer. */
final class OverlayAttributes {
    /** The start of the names that overlayfs has for itself. */
    static final String PREFIX = "trusted.overlay.";

    private static final ExtendedValue EMPTY = new ExtendedValue(new byte[0]);

    private OverlayAttributes() {}

    /** Returns the attributes of a file, and those that lead to a content. */
    static Map<String, ExtendedValue> with(Map<String, ExtendedValue> own, String contentPath) {
        Map<String, ExtendedValue> all = new TreeMap<>(own);
        all.put(PREFIX + "metacopy", EMPTY);
        all.put(PREFIX + "redirect", new ExtendedValue(contentPath.getBytes(StandardCharsets.UTF_8)));
        return all;
    }
}
