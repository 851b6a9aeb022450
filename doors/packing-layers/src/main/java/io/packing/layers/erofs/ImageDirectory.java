// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.erofs;

import io.packing.fuse.Mode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** A directory of an image. A file may have several names; a directory has one. */
public final class ImageDirectory extends ImageNode {
    /** The longest name, in bytes of UTF-8. */
    public static final int MOST_NAME_BYTES = 255;

    /** By the bytes of their names, as the kernel searches them. */
    private final SortedMap<byte[], ImageNode> entries = new TreeMap<>(Arrays::compareUnsigned);

    public ImageDirectory(ImageAttributes attributes) {
        super(attributes);
    }

    /** Adds a name for a node. */
    public void add(String name, ImageNode node) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0
                || bytes.length > MOST_NAME_BYTES
                || name.equals(".")
                || name.equals("..")
                || name.indexOf('/') >= 0
                || name.indexOf('\0') >= 0
                || !new String(bytes, StandardCharsets.UTF_8).equals(name)) {
            throw new IllegalArgumentException("'%.300s' is no name of a file".formatted(name));
        }
        if (entries.putIfAbsent(bytes, node) != null) {
            throw new IllegalArgumentException("two files have the name '%s'".formatted(name));
        }
    }

    SortedMap<byte[], ImageNode> entries() {
        return Collections.unmodifiableSortedMap(entries);
    }

    @Override
    int type() {
        return Mode.DIRECTORY;
    }
}
