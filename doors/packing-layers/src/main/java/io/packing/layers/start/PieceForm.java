// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.start;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.packing.bdt.FileStatus;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The form in which the pages of a piece are stored: a network to the store is slower than their decompression. The
 * piece's name has the form, so that servers without compressed pieces find an unexpected length, and do without the
 * piece.
 */
enum PieceForm {
    PLAIN(""),
    ZSTD(".zst");

    /** A piece is compressed once, when a start is over, and decompressed by each machine. */
    private static final int LEVEL = 9;
    /** The least gain, as a part of the bytes: a piece that gains less is stored plain. */
    private static final int LEAST_GAIN = 8;

    private final String suffix;

    /** A piece as it is stored. */
    record Encoded(PieceForm form, ByteBuffer bytes) {}

    PieceForm(String suffix) {
        this.suffix = suffix;
    }

    /** Returns the end of a piece's name. */
    String suffix() {
        return suffix;
    }

    static PieceForm of(FileStatus piece) {
        return piece.path().name().endsWith(ZSTD.suffix) ? ZSTD : PLAIN;
    }

    /** Returns whether a file may be a piece with so many bytes of pages. */
    static boolean mayBe(FileStatus piece, int length) {
        long stored = piece.attributes().length();
        return of(piece) == PLAIN ? stored == length : stored < length;
    }

    static Encoded encode(byte[] plain) {
        byte[] compressed = Zstd.compress(plain, LEVEL);
        return compressed.length < plain.length - plain.length / LEAST_GAIN
                ? new Encoded(ZSTD, ByteBuffer.wrap(compressed))
                : new Encoded(PLAIN, ByteBuffer.wrap(plain));
    }

    /**
     * Returns the bytes of the pages.
     *
     * @param length the required number of bytes
     */
    ByteBuffer decode(byte[] stored, int length) throws IOException {
        byte[] plain;
        try {
            plain = this == PLAIN ? stored : Zstd.decompress(stored, length);
        } catch (ZstdException e) {
            throw new IOException("a piece cannot be decompressed: " + e.getMessage(), e);
        }
        if (plain.length != length) {
            throw new IOException("a piece has %d bytes of pages, not %d".formatted(plain.length, length));
        }
        return ByteBuffer.wrap(plain);
    }
}
