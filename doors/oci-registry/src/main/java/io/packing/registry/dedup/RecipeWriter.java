// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HexFormat;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/** Writes a recipe; literals that follow each other become one. Confined to one thread. */
final class RecipeWriter {
    static final int LITERAL = 1;
    static final int CONTENT = 2;
    static final int END = 0;
    /** Longer literals are cut. */
    static final int MAX_LITERAL = 256 << 10;

    private final Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
    private final OutputStream to;
    private final DeflaterOutputStream deflated;
    private final DataOutputStream out;
    private final byte[] pending = new byte[MAX_LITERAL];
    private int count;

    /** @param to the caller closes it */
    RecipeWriter(OutputStream to) {
        this.to = to;
        this.deflated = new DeflaterOutputStream(to, deflater, 64 << 10);
        this.out = new DataOutputStream(deflated);
    }

    /** Writes the header; the steps follow. */
    void begin(RecipeHeader header) throws IOException {
        header.write(new DataOutputStream(to));
    }

    void literal(byte[] bytes, int offset, int length) throws IOException {
        for (int done = 0; done < length; ) {
            if (count == MAX_LITERAL) {
                flush();
            }
            int n = Math.min(length - done, MAX_LITERAL - count);
            System.arraycopy(bytes, offset + done, pending, count, n);
            count += n;
            done += n;
        }
    }

    void content(Step.Content content) throws IOException {
        flush();
        out.writeByte(CONTENT);
        out.writeLong(content.length());
        out.write(HexFormat.of().parseHex(content.hex()));
    }

    private void flush() throws IOException {
        if (count > 0) {
            out.writeByte(LITERAL);
            out.writeInt(count);
            out.write(pending, 0, count);
            count = 0;
        }
    }

    /** Ends the recipe. */
    void finish() throws IOException {
        flush();
        out.writeByte(END);
        out.flush();
        deflated.finish();
    }

    /** Frees the deflater's memory; nothing is written after that. */
    void release() {
        deflater.end();
    }
}
