// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

/** Has the contents of a layer stored, and writes its recipe. Confined to one thread. */
final class LayerCut implements TarSplitter.Sink {
    /** Larger contents are not held in memory. */
    private static final int MOST_HELD = 1 << 20;

    private final RecipeWriter recipe;
    private final ContentStore contents;
    private final PendingContents pending;
    private final MessageDigest hasher;

    LayerCut(RecipeWriter recipe, ContentStore contents, PendingContents pending, MessageDigest hasher) {
        this.recipe = recipe;
        this.contents = contents;
        this.pending = pending;
        this.hasher = hasher;
    }

    @Override
    public void literal(byte[] bytes, int offset, int length) throws IOException {
        recipe.literal(bytes, offset, length);
    }

    @Override
    public void content(InputStream bytes, long length) throws IOException {
        String hex;
        if (length > MOST_HELD) {
            hex = contents.put(bytes, hasher);
            pending.stored(hex);
        } else {
            byte[] held = bytes.readNBytes((int) length);
            if (held.length < length) {
                throw new EOFException("a content of %d bytes ended at %d".formatted(length, held.length));
            }
            hex = HexFormat.of().formatHex(hasher.digest(held));
            pending.put(hex, held);
        }
        recipe.content(new Step.Content(hex, length));
    }
}
