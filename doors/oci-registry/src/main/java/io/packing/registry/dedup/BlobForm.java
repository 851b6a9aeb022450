// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** The way to make a blob of a tar stream. */
sealed interface BlobForm {
    /** The blob is the tar stream. */
    record Plain() implements BlobForm {}

    /**
     * The blob is one gzip member with the tar stream in it.
     *
     * @param level of the deflater
     * @param fingerprint of the deflater with which that was proved
     * @param header of the member
     * @param trailer of the member
     */
    record Gzip(int level, int fingerprint, Bytes header, Bytes trailer) implements BlobForm {}

    /** Immutable bytes. */
    final class Bytes {
        private final byte[] bytes;

        Bytes(byte[] bytes) {
            this.bytes = bytes.clone();
        }

        byte[] copy() {
            return bytes.clone();
        }

        int length() {
            return bytes.length;
        }
    }

    /** Returns a fingerprint of this Java runtime's deflater: the CRC of its output for a fixed text, at all levels. */
    static int fingerprint() {
        byte[] text = new byte[1 << 16];
        for (int i = 0; i < text.length; i++) {
            text[i] = (byte) ((i * 31 + (i >> 5) * 17 + (i >> 9)) % 61);
        }
        CRC32 crc = new CRC32();
        byte[] out = new byte[1 << 12];
        for (int level = Deflater.BEST_SPEED; level <= Deflater.BEST_COMPRESSION; level++) {
            Deflater deflater = new Deflater(level, true);
            deflater.setInput(text);
            deflater.finish();
            while (!deflater.finished()) {
                crc.update(out, 0, deflater.deflate(out));
            }
            deflater.end();
        }
        return (int) crc.getValue();
    }
}
