// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import com.github.luben.zstd.ZstdCompressCtx;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Compresses a tar stream by zstd, each piece of it in a frame of its own. A file's content has an equal frame in every
 * layer, and so is stored once. Decompressors read frames after each other as one stream. Has the frames of contents
 * stored, and writes the recipe of the compressed stream. Confined to one thread.
 */
final class FrameCut implements TarSplitter.Sink, AutoCloseable {
    /** The most bytes of a content in one frame. */
    static final int MOST_FRAMED = 1 << 20;

    private static final int MOST_LITERAL = 256 << 10;
    private static final int LEVEL = 6;

    private final RecipeWriter recipe;
    private final PendingContents pending;
    private final MessageDigest ofFrame;
    private final MessageDigest ofBlob;
    private final ZstdCompressCtx zstd = new ZstdCompressCtx().setLevel(LEVEL);
    private final byte[] literals = new byte[MOST_LITERAL];
    private int literalCount;
    private long length;

    /**
     * Makes a cut of one layer.
     *
     * @param ofFrame hashes frames, as contents are hashed
     * @param ofBlob hashes the whole compressed stream
     */
    FrameCut(RecipeWriter recipe, PendingContents pending, MessageDigest ofFrame, MessageDigest ofBlob) {
        this.recipe = recipe;
        this.pending = pending;
        this.ofFrame = ofFrame;
        this.ofBlob = ofBlob;
    }

    @Override
    public void literal(byte[] bytes, int offset, int count) throws IOException {
        for (int done = 0; done < count; ) {
            if (literalCount == MOST_LITERAL) {
                flush();
            }
            int n = Math.min(count - done, MOST_LITERAL - literalCount);
            System.arraycopy(bytes, offset + done, literals, literalCount, n);
            literalCount += n;
            done += n;
        }
    }

    @Override
    public void content(InputStream bytes, long size) throws IOException {
        flush();
        for (long left = size; left > 0; ) {
            byte[] held = bytes.readNBytes((int) Math.min(left, MOST_FRAMED));
            if (held.length < Math.min(left, MOST_FRAMED)) {
                throw new EOFException("a content of %d bytes ended at %d".formatted(size, size - left + held.length));
            }
            left -= held.length;
            byte[] frame = zstd.compress(held);
            if (frame.length < TarSplitter.LEAST_CONTENT) {
                emitLiteral(frame);
            } else {
                String hex = HexFormat.of().formatHex(ofFrame.digest(frame));
                pending.put(hex, frame);
                recipe.content(new Step.Content(hex, frame.length));
                count(frame);
            }
        }
    }

    private void flush() throws IOException {
        if (literalCount > 0) {
            emitLiteral(zstd.compress(Arrays.copyOf(literals, literalCount)));
            literalCount = 0;
        }
    }

    private void emitLiteral(byte[] frame) throws IOException {
        recipe.literal(frame, 0, frame.length);
        count(frame);
    }

    private void count(byte[] frame) {
        ofBlob.update(frame);
        length += frame.length;
    }

    /** Ends the stream; returns its length. */
    long finish() throws IOException {
        flush();
        return length;
    }

    @Override
    public void close() {
        zstd.close();
    }
}
