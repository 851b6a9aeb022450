// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import java.util.zip.Deflater;

/**
 * A compressor of a block's payload, with a strategy for each kind of column; any Deflate stream is a valid payload
 * (trace-format.md, section 1). Confined to one thread.
 */
final class BlockDeflater implements AutoCloseable {
    private final Deflater deflater;
    private final int compression;
    private int strategy = Deflater.DEFAULT_STRATEGY;
    private int level;

    BlockDeflater(int compression) {
        this.deflater = new Deflater(compression, true);
        this.compression = compression;
        this.level = compression;
    }

    /**
     * Returns the output size that {@code inflated} bytes need at most, with the ends of Deflate blocks and bytes that
     * do not compress.
     */
    static int room(int inflated) {
        // This class makes fewer than twenty Deflate blocks itself.
        return inflated + (inflated >> 8) + 1_024;
    }

    /**
     * Compresses a payload.
     *
     * @param head bytes before the first column
     * @param columns that follow
     * @return the end of the compressed payload in {@code out}
     */
    int deflate(byte[] payload, int head, BlockColumns columns, byte[] out, int from) {
        deflater.reset();
        int at = part(payload, 0, head, Deflater.DEFAULT_STRATEGY, compression, out, from);
        int start = head;
        for (Column column : Column.values()) {
            int end = columns.end(column);
            // At higher levels the search looks at every byte of a run; at the lowest it goes from match to match.
            int level = columns.isFlat(column) ? Deflater.BEST_SPEED : compression;
            at = part(payload, start, end, strategy(column), level, out, at);
            start = end;
        }
        deflater.finish();
        at += deflater.deflate(out, at, out.length - at);
        if (!deflater.finished()) {
            throw new IllegalStateException("%d bytes do not fit deflated".formatted(start));
        }
        return at;
    }

    /**
     * Durations and lengths hardly repeat in sequence: Huffman codes alone serve them as well as a search does, in a
     * tenth of the time. Times repeat while a program acts periodically, and then for long.
     */
    private static int strategy(Column column) {
        return switch (column) {
            case DURATION, LENGTH -> Deflater.HUFFMAN_ONLY;
            case TIME, SPAN -> Deflater.FILTERED;
            default -> Deflater.DEFAULT_STRATEGY;
        };
    }

    private int part(byte[] payload, int from, int to, int wanted, int wantedLevel, byte[] out, int at) {
        int end = at;
        if (wanted != strategy || wantedLevel != level) {
            // Pending bytes keep their strategy, in a Deflate block of their own, so the input has no byte of the new
            // part yet.
            deflater.setStrategy(wanted);
            deflater.setLevel(wantedLevel);
            strategy = wanted;
            level = wantedLevel;
            deflater.setInput(payload, from, 0);
            end += deflater.deflate(out, end, out.length - end);
        }
        deflater.setInput(payload, from, to - from);
        return end + deflater.deflate(out, end, out.length - end);
    }

    @Override
    public void close() {
        deflater.end();
    }
}
