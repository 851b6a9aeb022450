// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import io.packing.registry.files.BulkInputStream;
import io.packing.registry.tar.NotATarException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;

/**
 * The tar stream of a layer without the contents that are stored by their hash, which are skipped. So the entries of a layer are read
 * without a byte of its files. Confined to one thread.
 */
public final class LayerTar extends BulkInputStream {
    private final RecipeReader recipe;
    private final Closeable after;
    private Optional<Step> step;
    private long done;

    /**
     * Makes a stream over a recipe.
     *
     * @param recipe is closed with this
     * @param after is closed then
     */
    LayerTar(RecipeReader recipe, Closeable after) throws IOException {
        this.recipe = recipe;
        this.after = after;
        this.step = recipe.next();
    }

    /**
     * Returns the SHA-256 of the content that begins here; empty: the next bytes are the stream's own.
     *
     * @throws IOException when the content has another length
     */
    public Optional<String> content(long length) throws IOException {
        if (done == 0 && step.isPresent() && step.get() instanceof Step.Content content) {
            if (content.length() != length) {
                throw new IOException("an entry of %d bytes with a content of %d".formatted(length, content.length()));
            }
            return Optional.of(content.hex());
        }
        return Optional.empty();
    }

    /** Returns the first bytes of the blob, as far as they stand in the recipe; called before anything is read. */
    byte[] start() {
        if (step.isEmpty() || !(step.get() instanceof Step.Literal literal)) {
            return new byte[0];
        }
        byte[] start = new byte[(int) Math.min(literal.length(), LayerCompression.MAGIC)];
        literal.copy(0, start, 0, start.length);
        return start;
    }

    private void advance(long count) throws IOException {
        done += count;
        if (done == step.orElseThrow().length()) {
            step = recipe.next();
            done = 0;
        }
    }

    @Override
    public int read(byte[] into, int offset, int count) throws IOException {
        if (step.isEmpty()) {
            return -1;
        }
        int n = (int) Math.min(count, step.get().length() - done);
        if (step.get() instanceof Step.Literal literal) {
            literal.copy(done, into, offset, n);
        } else {
            // Cut by another reading of the headers: zeros here would be taken for the end of the tar.
            throw new NotATarException("a file's content where a header is expected");
        }
        if (n > 0) {
            advance(n);
        }
        return n;
    }

    @Override
    public long skip(long count) throws IOException {
        long left = count;
        while (left > 0 && step.isPresent()) {
            long n = Math.min(left, step.get().length() - done);
            left -= n;
            advance(n);
        }
        return Math.max(0, count) - Math.max(0, left);
    }

    @Override
    public void skipNBytes(long count) throws IOException {
        if (skip(count) < count) {
            throw new EOFException("a layer ended early");
        }
    }

    @Override
    public void close() throws IOException {
        try (after) {
            recipe.close();
        }
    }
}
