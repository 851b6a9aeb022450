package io.packing.layers.start;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.packing.bdt.FileStatus;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * How the pages of a piece are stored: a network to the store is slower than their decompression. The name of the piece tells, so that
 * servers which know no compressed pieces find one of another length than they expect, and do without it.
 */
enum PieceForm {
    PLAIN(""),
    ZSTD(".zst");

    /** A piece is compressed once, when a start is over, and decompressed by each machine. */
    private static final int LEVEL = 9;
    /** What does not become smaller by this part of it is stored as it is. */
    private static final int LEAST_GAIN = 8;

    private final String suffix;

    /** A piece as it is stored. */
    record Encoded(PieceForm form, ByteBuffer bytes) {}

    PieceForm(String suffix) {
        this.suffix = suffix;
    }

    /** What the name of a piece ends with. */
    String suffix() {
        return suffix;
    }

    static PieceForm of(FileStatus piece) {
        return piece.path().name().endsWith(ZSTD.suffix) ? ZSTD : PLAIN;
    }

    /** Whether a file may be a piece with so many bytes of pages. */
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
     * The bytes of the pages.
     *
     * @param length how many they have to be
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
