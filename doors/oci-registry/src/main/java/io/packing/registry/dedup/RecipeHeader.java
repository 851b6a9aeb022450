// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * The head of a recipe, big-endian: magic {@code PKRECIPE} (8 bytes), version (4), length of the blob (8), length of the tar
 * (8), form (1: 0 the tar itself, 1 gzip). For gzip follow the level (1), the fingerprint of the deflater (4), length (4) and
 * bytes of the gzip header, and the trailer (8). The fingerprint is the CRC of the deflater's output for a fixed text. A
 * deflate stream of steps follows the head: a literal is tag 1, length (4) and bytes; a content is tag 2, length (8) and
 * SHA-256 (32); the end is tag 0.
 *
 * @param length of the blob
 * @param tarLength of the tar stream that the steps make
 */
record RecipeHeader(long length, long tarLength, BlobForm form) {
    private static final long MAGIC = 0x504b_5245_4349_5045L;
    private static final int VERSION = 1;
    private static final int PLAIN = 0;
    private static final int GZIP = 1;
    private static final int TRAILER = 8;
    /** Name and comment of a gzip member can be long, but not so long. */
    static final int MAX_GZIP_HEADER = 1 << 16;

    void write(DataOutputStream out) throws IOException {
        out.writeLong(MAGIC);
        out.writeInt(VERSION);
        out.writeLong(length);
        out.writeLong(tarLength);
        if (form instanceof BlobForm.Gzip gzip) {
            out.writeByte(GZIP);
            out.writeByte(gzip.level());
            out.writeInt(gzip.fingerprint());
            out.writeInt(gzip.header().length());
            out.write(gzip.header().copy());
            out.write(gzip.trailer().copy());
        } else {
            out.writeByte(PLAIN);
        }
    }

    static RecipeHeader read(DataInputStream in) throws IOException {
        if (in.readLong() != MAGIC) {
            throw new IOException("this is no recipe");
        }
        int version = in.readInt();
        if (version != VERSION) {
            throw new IOException("a recipe of version %d, this registry reads %d".formatted(version, VERSION));
        }
        long length = in.readLong();
        long tarLength = in.readLong();
        int form = in.readUnsignedByte();
        if (form == PLAIN) {
            return new RecipeHeader(length, tarLength, new BlobForm.Plain());
        }
        int level = in.readUnsignedByte();
        int fingerprint = in.readInt();
        int size = in.readInt();
        if (form != GZIP || level < 1 || level > 9 || size < 0 || size > MAX_GZIP_HEADER) {
            throw new IOException("a recipe of form %d, level %d, header %d".formatted(form, level, size));
        }
        return new RecipeHeader(
                length,
                tarLength,
                new BlobForm.Gzip(
                        level,
                        fingerprint,
                        new BlobForm.Bytes(in.readNBytes(size)),
                        new BlobForm.Bytes(in.readNBytes(TRAILER))));
    }
}
